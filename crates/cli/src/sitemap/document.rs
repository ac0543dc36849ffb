//! One document, wherever its bytes are.

use crate::failure::Failure;
use crate::input;
use mapwright_web::page_url::{Userinfo, split_userinfo};
use mapwright_web::{Identity, PageUrl};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};

/// Bytes of a document that are held in memory, before decompression: of standard input, or of a reply. Twice what the
/// protocol allows uncompressed, so that a document that is too large can be told from one that is cut.
pub(super) const MAX_HELD_BYTES: u64 = 2 * mapwright_sitemap::MAX_BYTES;

/// What the user named.
pub(super) enum Name {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// A URL, without its credentials, and these.
    Url(PageUrl, Option<Userinfo>),
}

impl Name {
    /// Reads what the user wrote: `-`, anything with a scheme, or the name of a file.
    ///
    /// # Errors
    /// A URL that cannot be fetched.
    pub(super) fn parse(text: &str) -> Result<Name, Failure> {
        if text == "-" {
            return Ok(Name::Stdin);
        }
        if !text.contains("://") {
            return Ok(Name::File(PathBuf::from(text)));
        }
        let (plain, userinfo) = split_userinfo(text);
        let url = parse_url(&plain).map_err(|why| {
            Failure::usage(format!("`{plain}` cannot be fetched ({why})"), "command line", "write a whole http(s) URL")
        })?;
        Ok(Name::Url(url, userinfo))
    }
}

/// A URL in canonical form, with all its parameters.
pub(super) fn parse_url(text: &str) -> Result<PageUrl, mapwright_web::UrlError> {
    PageUrl::parse(text, &Identity::new(false, &[]))
}

/// A document whose bytes can be read, more than once.
pub(super) struct Document {
    /// How messages name it.
    pub(super) shown: String,
    /// Where it is, or will be, served.
    pub(super) url: Option<PageUrl>,
    /// Where its bytes came from in the end, redirects followed: the base of a feed's links (RFC 3986, section 5.1.3).
    pub(super) retrieved: Option<PageUrl>,
    /// The `charset` that it was served with.
    pub(super) charset: Option<String>,
    /// How much of it was had.
    pub(super) had: Had,
    /// Where the indexes are served that lead to it from the document that was named, as far as that is known.
    pub(super) indexes: Vec<PageUrl>,
    /// Indexes between it and the document that was named.
    pub(super) depth: u32,
    content: Content,
}

/// How much of a document was had.
pub(super) enum Had {
    /// All of it.
    Whole,
    /// The first `MAX_HELD_BYTES`; that is more than the protocol allows, so its end would change no verdict.
    Cut,
    /// What came before the connection failed, for this reason.
    Broken(String),
}

impl Had {
    /// What to tell of a document that was not had as a whole.
    pub(super) fn told(&self) -> Option<String> {
        match self {
            Had::Whole => None,
            Had::Cut => Some(format!("only the first {MAX_HELD_BYTES} bytes are read")),
            Had::Broken(why) => Some(format!("the answer broke off ({why})")),
        }
    }
}

enum Content {
    File(PathBuf),
    Bytes(Vec<u8>),
}

impl Document {
    /// A file, which must be readable.
    ///
    /// # Errors
    /// It cannot be opened, or is a directory.
    pub(super) fn file(path: &Path) -> std::io::Result<Document> {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(std::io::ErrorKind::IsADirectory.into());
        }
        Ok(Document { shown: path.display().to_string(), ..Document::of(Content::File(path.to_owned())) })
    }

    /// Standard input, read up to a bound.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn stdin() -> Result<Document, Failure> {
        let bytes = input::read("-", MAX_HELD_BYTES, "command line")?;
        let had = if bytes.len() as u64 == MAX_HELD_BYTES { Had::Cut } else { Had::Whole };
        Ok(Document { shown: "-".to_owned(), had, ..Document::of(Content::Bytes(bytes)) })
    }

    /// What a server sent for a URL, which is not yet told.
    pub(super) fn fetched(retrieved: PageUrl, charset: Option<String>, bytes: Vec<u8>, had: Had) -> Document {
        Document { retrieved: Some(retrieved), charset, had, ..Document::of(Content::Bytes(bytes)) }
    }

    /// The same, asked for by this URL.
    pub(super) fn asked_for(self, url: &PageUrl) -> Document {
        Document { shown: url.as_str().to_owned(), url: Some(url.clone()), ..self }
    }

    fn of(content: Content) -> Document {
        Document {
            shown: String::new(),
            url: None,
            retrieved: None,
            charset: None,
            had: Had::Whole,
            indexes: Vec::new(),
            depth: 0,
            content,
        }
    }

    /// Its bytes, from the first.
    ///
    /// # Errors
    /// The file cannot be opened any more.
    pub(super) fn open(&self) -> std::io::Result<Box<dyn BufRead + '_>> {
        Ok(match &self.content {
            Content::File(path) => Box::new(BufReader::new(File::open(path)?)),
            Content::Bytes(bytes) => Box::new(Cursor::new(bytes.as_slice())),
        })
    }

    /// Whether a server sent it for its URL, so that the hosts that it lists can be asked of it.
    pub(super) fn is_served(&self) -> bool {
        self.url.is_some() && matches!(self.content, Content::Bytes(_))
    }

    /// The file of that name in this document's directory, if this document is a file and there is one.
    pub(super) fn beside(&self, name: &str) -> Option<PathBuf> {
        let Content::File(path) = &self.content else {
            return None;
        };
        let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':']);
        let beside = path.parent()?.join(name);
        (plain && beside.is_file()).then_some(beside)
    }
}
