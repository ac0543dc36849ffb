//! The kinds of values that options take.

use std::time::Duration;

/// The kind of an option's values. It names the value in help texts, separates the items of a list, and bounds the
/// value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueKind {
    /// `true` or `false`; the flag stands alone and means `true`.
    Switch,
    /// A number that counts how often the flag was given.
    Level {
        /// The highest level.
        max: u8,
    },
    /// An integer within bounds, both included.
    Count {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// An integer from 0 to 100.
    Percent,
    /// A number a second, greater than zero; fractions allowed.
    Rate,
    /// A duration: `30`, `30s`, `500ms`, `2m`, `2h`, `1d`.
    Duration {
        /// The shortest.
        min: Duration,
    },
    /// A number of bytes: `1048576`, `10MB`, `10MiB`.
    Size {
        /// The smallest, in bytes.
        min: u64,
        /// The largest, in bytes.
        max: u64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The output directory, or `-`.
    Out,
    /// A file to read, or `-`.
    Input {
        /// A value for the documents.
        example: &'static str,
    },
    /// A path.
    Path {
        /// The word that stands for it in help texts.
        name: &'static str,
        /// A value for the documents.
        example: &'static str,
    },
    /// A regular expression of the `regex` crate's syntax.
    Regex,
    /// The name of a query parameter, with an optional trailing `*`.
    Parameter,
    /// A CSS selector.
    Selector,
    /// The value of a `User-Agent` header.
    UserAgent,
    /// A robots.txt product token (RFC 9309, section 2.2.1): letters, `-` and `_`.
    Token,
    /// A header, `Name: value`.
    Header,
    /// `USER:PASSWORD`.
    Credentials,
    /// The URL of a proxy.
    Proxy,
    /// `HOST:PORT:ADDRESS`.
    Pin,
    /// An IP address or a range in CIDR form.
    AddressRange,
    /// An http(s) URL that names a directory.
    BaseUrl,
    /// One line of text, which the code that uses it parses.
    Text {
        /// The word that stands for it in help texts.
        name: &'static str,
        /// A value for the documents.
        example: &'static str,
    },
    /// A name, or two, without blanks and commas.
    Name {
        /// The word that stands for it in help texts.
        name: &'static str,
        /// A value for the documents.
        example: &'static str,
    },
    /// An external place, as a URL or a line with a scheme. Everything after the host or the program may be secret and
    /// is not shown.
    Place {
        /// The word that stands for it in help texts.
        name: &'static str,
        /// A value for the documents.
        example: &'static str,
    },
    /// One line of text that must not be printed.
    Secret {
        /// A made-up value for the documents.
        example: &'static str,
    },
    /// A kind of finding, or a severity.
    Finding,
    /// A kind of finding and its severity, `CODE=SEVERITY`.
    Grade,
}

impl ValueKind {
    /// The word that stands for a value in help texts; empty for a flag that takes none.
    pub fn value_name(&self) -> String {
        match self {
            ValueKind::Switch | ValueKind::Level { .. } => String::new(),
            ValueKind::Choice(words) => words.join("|"),
            ValueKind::Path { name, .. }
            | ValueKind::Text { name, .. }
            | ValueKind::Name { name, .. }
            | ValueKind::Place { name, .. } => (*name).to_owned(),
            other => other.word().to_owned(),
        }
    }

    fn word(&self) -> &'static str {
        match self {
            ValueKind::Switch | ValueKind::Level { .. } | ValueKind::Choice(_) | ValueKind::Path { .. } => "",
            ValueKind::Text { .. } | ValueKind::Name { .. } | ValueKind::Place { .. } => "",
            ValueKind::Secret { .. } => "SECRET",
            ValueKind::Count { .. } => "N",
            ValueKind::Percent => "PERCENT",
            ValueKind::Rate => "RATE",
            ValueKind::Duration { .. } => "TIME",
            ValueKind::Size { .. } => "SIZE",
            ValueKind::Out => "DIR",
            ValueKind::Input { .. } => "FILE",
            ValueKind::Regex => "REGEX",
            ValueKind::Parameter => "NAME",
            ValueKind::Selector => "CSS",
            ValueKind::UserAgent => "AGENT",
            ValueKind::Token => "TOKEN",
            ValueKind::Header => "NAME: VALUE",
            ValueKind::Credentials => "USER:PASSWORD",
            ValueKind::Proxy | ValueKind::BaseUrl => "URL",
            ValueKind::Pin => "HOST:PORT:ADDRESS",
            ValueKind::AddressRange => "ADDRESS",
            ValueKind::Finding => "CODE",
            ValueKind::Grade => "CODE=SEVERITY",
        }
    }

    /// The characters that separate the values of a list in one text: newlines always, commas unless a value may
    /// itself hold one.
    pub fn separators(&self) -> &'static [char] {
        match self {
            ValueKind::Regex | ValueKind::Selector | ValueKind::Header => &['\n'],
            ValueKind::Text { .. } | ValueKind::Place { .. } | ValueKind::Secret { .. } => &['\n'],
            _ => &['\n', ','],
        }
    }

    /// Returns true if values are written without quotes in the configuration file.
    pub(crate) fn is_bare(&self) -> bool {
        matches!(
            self,
            ValueKind::Switch
                | ValueKind::Level { .. }
                | ValueKind::Count { .. }
                | ValueKind::Percent
                | ValueKind::Rate
        )
    }

    /// Returns a value for the documents if an option has no default.
    pub(crate) fn example(&self) -> &'static str {
        match self {
            ValueKind::Switch => "true",
            ValueKind::Level { .. } => "1",
            ValueKind::Count { .. } => "5",
            ValueKind::Percent => "50",
            ValueKind::Rate => "2.5",
            ValueKind::Duration { .. } => "2h",
            ValueKind::Size { .. } => "10MiB",
            ValueKind::Choice(words) => words.first().copied().unwrap_or_default(),
            ValueKind::Out => "/srv/www/sitemaps",
            ValueKind::Regex => "/calendar/",
            ValueKind::Parameter => "ref_*",
            ValueKind::Selector => "main .content",
            ValueKind::UserAgent => "mybot/1.0",
            ValueKind::Token => "mybot",
            ValueKind::Header => "X-Team: web",
            ValueKind::Credentials => "user:password",
            ValueKind::Proxy => "http://proxy.example:3128",
            ValueKind::Pin => "www.example.com:443:192.0.2.10",
            ValueKind::AddressRange => "10.1.0.0/16",
            ValueKind::BaseUrl => "https://www.example.com/",
            ValueKind::Path { example, .. } | ValueKind::Input { example } | ValueKind::Secret { example } => example,
            ValueKind::Text { example, .. } | ValueKind::Name { example, .. } | ValueKind::Place { example, .. } => {
                example
            }
            ValueKind::Finding => "http-4xx",
            ValueKind::Grade => "canonical-missing=off",
        }
    }
}
