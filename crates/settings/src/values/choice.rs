//! Values that are one of a few words.

use crate::error::{Fault, quoted};
use crate::field::Value;
use crate::kind::ValueKind;
use crate::nearest::nearest;
use mapwright_fetch::CookiePolicy;
use mapwright_schedule::{CatchUp, Overlap};
use mapwright_sitemap::{Format, Gzip};
use mapwright_web::ScopeKind;
use std::fmt;

/// Declares the words by which an enum is written.
macro_rules! words {
    ($name:ident { $( $variant:ident = $word:literal, )+ }) => {
        impl Value for $name {
            const KIND: Option<ValueKind> = Some(ValueKind::Choice(&[$($word),+]));

            fn read(text: &str, _kind: &ValueKind) -> Result<Self, Fault> {
                match text.trim() {
                    $( $word => Ok($name::$variant), )+
                    other => Err(no_choice(other, &[$($word),+])),
                }
            }
        }
    };
}

/// Declares an enum whose variants are written as the given words.
macro_rules! choice {
    ($(#[doc = $about:literal])+ $name:ident { $( $(#[doc = $help:literal])+ $variant:ident = $word:literal, )+ }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $( $(#[doc = $help])+ $variant, )+ }

        impl $name {
            /// The words, in the order of the help text.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word that names this choice.
            pub fn as_str(self) -> &'static str {
                match self { $( $name::$variant => $word, )+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        words!($name { $( $variant = $word, )+ });
    };
}

// Enums of the libraries that own the choice.
words!(ScopeKind { Path = "path", Host = "host", Domain = "domain", List = "list", });
words!(Gzip { Auto = "auto", Always = "always", Never = "never", });
words!(Format { Xml = "xml", Text = "text", });
words!(Overlap { Skip = "skip", Queue = "queue", });
words!(CatchUp { Once = "once", None = "none", });
words!(CookiePolicy { None = "none", Needed = "needed", All = "all", });

choice! {
    /// The format of printed results.
    ReportFormat {
        /// For people.
        Text = "text",
        /// For machines.
        Json = "json",
        /// As annotations of GitHub; only for audits.
        Github = "github",
    }
}

choice! {
    /// The format of lines in the service's log.
    LogFormat {
        /// Time, level and text.
        Text = "text",
        /// An object of JSON a line.
        Json = "json",
    }
}

choice! {
    /// The way in which known pages are requested.
    Recrawl {
        /// All of them, unconditionally.
        Full = "full",
        /// All of them, with conditional requests.
        Conditional = "conditional",
        /// Those that are due, with conditional requests.
        Due = "due",
    }
}

choice! {
    /// The pages whose scripts are run.
    RenderMode {
        /// None.
        Never = "never",
        /// Those that need it.
        Auto = "auto",
        /// All that have scripts.
        Always = "always",
    }
}

choice! {
    /// The use of the browser's sandbox.
    RenderSandbox {
        /// Where the system permits it.
        Auto = "auto",
        /// Always.
        On = "on",
        /// Never.
        Off = "off",
    }
}

choice! {
    /// The condition on which output is coloured.
    Color {
        /// On a terminal, unless `NO_COLOR` is set.
        Auto = "auto",
        /// Always.
        Always = "always",
        /// Never.
        Never = "never",
    }
}

choice! {
    /// The URLs to list, out of those that the site allows to be indexed.
    ListKind {
        /// Those that an expert would submit.
        Recommended = "recommended",
        /// All of it.
        Indexable = "indexable",
    }
}

choice! {
    /// A kind of document that sitemaps may list.
    ListType {
        /// HTML, XHTML included.
        Html = "html",
        /// PDF.
        Pdf = "pdf",
        /// Plain text.
        Text = "text",
        /// XML that is neither XHTML nor a feed.
        Xml = "xml",
        /// RSS and Atom.
        Feed = "feed",
        /// Images.
        Image = "image",
        /// Everything else.
        Other = "other",
    }
}

choice! {
    /// The result that a job makes from its crawl.
    Task {
        /// A sitemap.
        Sitemap = "sitemap",
        /// The reports of an audit.
        Audit = "audit",
        /// Both.
        Both = "both",
    }
}

choice! {
    /// The protection of a connection to a mail server.
    SmtpTls {
        /// TLS after STARTTLS in clear text (RFC 3207); a server without it is refused.
        Starttls = "starttls",
        /// TLS from the first byte (RFC 8314).
        Implicit = "implicit",
        /// Not at all.
        None = "none",
    }
}

fn no_choice(text: &str, words: &[&str]) -> Fault {
    let meant = nearest(text, words.iter().copied()).map(|word| format!("did you mean `{word}`? ")).unwrap_or_default();
    Fault::new(format!("{} is not one of the choices", quoted(text)), format!("{meant}choose {}", listed(words)))
}

/// `a, b or c`.
fn listed(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
