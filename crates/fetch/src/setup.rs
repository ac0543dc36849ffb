//! The errors of building a fetcher.

/// Settings that a fetcher cannot be built from. Messages name the setting and never a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A user agent that is no valid header value.
    #[error("the user agent `{0}` cannot be sent: use printable ASCII characters on one line")]
    UserAgent(String),
    /// A header whose name or value cannot be sent.
    #[error("the header `{name}` cannot be sent: {why}")]
    Header {
        /// The name as it was given.
        name: String,
        /// The reason.
        why: &'static str,
    },
    /// A proxy that cannot be used; the text leaves out user and password.
    #[error("the proxy {0}")]
    Proxy(String),
    /// A bundle of certificates that cannot be read.
    #[error("the CA certificates cannot be read: {0}; give a file of PEM certificates")]
    Certificates(String),
    /// More pinned ports than are supported.
    #[error("addresses are pinned for {0} different ports, at most {max} are possible", max = crate::pins::MAX_PORTS)]
    Pins(usize),
    /// The HTTP client cannot be made.
    #[error("the HTTP client cannot be made: {0}")]
    Client(String),
}
