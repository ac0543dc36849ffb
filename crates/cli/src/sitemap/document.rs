//! One document: a file, standard input or a response.

use crate::failure::Failure;
use crate::input;
use clap::ArgMatches;
use mapwright_web::page_url::{Userinfo, split_userinfo};
use mapwright_web::{PageUrl, UrlIdentity};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};

/// Maximum size of a document in memory, in bytes, before decompression: of standard input, or of a reply. It is twice
/// the protocol's uncompressed limit, which distinguishes a document that is too large from one that is cut.
pub(super) const MAX_HELD_BYTES: u64 = 2 * mapwright_sitemap::MAX_BYTES;

/// The document that the user named.
pub(super) enum Name {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// A URL without its credentials, and the credentials.
    Url(PageUrl, Option<Userinfo>),
}

impl Name {
    /// Parses the argument: `-`, anything with a scheme, or the name of a file.
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
            Failure::usage(
                format!("`{plain}` cannot be fetched ({why})"),
                "command line",
                "write an absolute http(s) URL",
            )
        })?;
        Ok(Name::Url(url, userinfo))
    }
}

/// Parses a URL to canonical form, with all its parameters.
pub(super) fn parse_url(text: &str) -> Result<PageUrl, mapwright_web::UrlError> {
    PageUrl::parse(text, &UrlIdentity::keep_all())
}

/// A document whose bytes can be read more than once.
pub(super) struct Document {
    /// The name in messages.
    pub(super) shown: String,
    /// The URL where it is, or will be, served.
    pub(super) url: Option<PageUrl>,
    /// The final URL of its bytes after redirects: the base of a feed's links (RFC 3986, section 5.1.3).
    pub(super) retrieved: Option<PageUrl>,
    /// The `charset` of the response.
    pub(super) charset: Option<String>,
    /// The completeness of the bytes.
    pub(super) had: Completeness,
    /// The URLs of the indexes on the way from the named document, as far as known.
    pub(super) indexes: Vec<PageUrl>,
    /// The number of indexes between it and the named document.
    pub(super) depth: u32,
    content: Content,
}

/// The completeness of a document.
pub(super) enum Completeness {
    /// The complete document.
    Complete,
    /// The first `MAX_HELD_BYTES`, which is more than the protocol allows, so its end would change no verdict.
    Cut,
    /// The bytes before the connection failed, for this reason.
    Broken(String),
}

impl Completeness {
    /// The message about an incomplete document.
    pub(super) fn output(&self) -> Option<String> {
        match self {
            Completeness::Complete => None,
            Completeness::Cut => Some(format!("only the first {MAX_HELD_BYTES} bytes are read")),
            Completeness::Broken(why) => Some(format!("the answer broke off ({why})")),
        }
    }
}

enum Content {
    File(PathBuf),
    Bytes(Vec<u8>),
}

impl Document {
    /// Opens a file.
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

    /// Reads standard input, up to a limit.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn stdin() -> Result<Document, Failure> {
        let bytes = input::read("-", MAX_HELD_BYTES, "command line")?;
        let had = if bytes.len() as u64 == MAX_HELD_BYTES { Completeness::Cut } else { Completeness::Complete };
        Ok(Document { shown: "-".to_owned(), had, ..Document::of(Content::Bytes(bytes)) })
    }

    /// A document that a server sent; [`with_requested_url`](Document::with_requested_url) adds the requested URL.
    pub(super) fn fetched(retrieved: PageUrl, charset: Option<String>, bytes: Vec<u8>, had: Completeness) -> Document {
        Document { retrieved: Some(retrieved), charset, had, ..Document::of(Content::Bytes(bytes)) }
    }

    /// Sets the requested URL.
    pub(super) fn with_requested_url(self, url: &PageUrl) -> Document {
        Document { shown: url.as_str().to_owned(), url: Some(url.clone()), ..self }
    }

    fn of(content: Content) -> Document {
        Document {
            shown: String::new(),
            url: None,
            retrieved: None,
            charset: None,
            had: Completeness::Complete,
            indexes: Vec::new(),
            depth: 0,
            content,
        }
    }

    /// Opens its bytes from the beginning.
    ///
    /// # Errors
    /// The file can no longer be opened.
    pub(super) fn open(&self) -> std::io::Result<Box<dyn BufRead + '_>> {
        Ok(match &self.content {
            Content::File(path) => Box::new(BufReader::new(File::open(path)?)),
            Content::Bytes(bytes) => Box::new(Cursor::new(bytes.as_slice())),
        })
    }

    /// Returns whether a server sent it, so that the hosts of its URLs can be checked for cross-submission.
    pub(super) fn is_served(&self) -> bool {
        self.url.is_some() && matches!(self.content, Content::Bytes(_))
    }

    /// Returns the file of that name in this document's directory, if this document is a file and that file exists.
    pub(super) fn beside(&self, name: &str) -> Option<PathBuf> {
        let Content::File(path) = &self.content else {
            return None;
        };
        let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':']);
        let beside = path.parent()?.join(name);
        (plain && beside.is_file()).then_some(beside)
    }
}

/// The named document.
pub(super) fn named(matches: &ArgMatches) -> &str {
    matches.get_one::<String>("document").map_or("-", String::as_str)
}
