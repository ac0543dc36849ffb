//! An option of the sender that cannot be used.

/// Options that cannot be used for delivery. Messages name the option, and never a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SenderError {
    /// The sender's address cannot be used.
    #[error("`{0}` cannot be the sender of e-mail: write an address, as in mapwright@example.com")]
    Sender(String),
    /// The name of the mail server cannot be used.
    #[error("`{0}` is not the name of a mail server: write a host name or an address, without a port")]
    Host(String),
    /// A user without a password, or a password without a user.
    #[error("the mail server needs both a user and a password, or neither")]
    HalfLogin,
    /// A password that would be sent in the clear.
    #[error("the password for the mail server would be sent without TLS: use TLS, implicit or by STARTTLS")]
    ClearPassword,
    /// Certificates that cannot be read.
    #[error("the CA certificates cannot be read: give a file of PEM certificates")]
    Certificates,
    /// A proxy that cannot be used.
    #[error("the proxy for webhooks is not a URL that can be used: write it as in http://proxy.example.com:3128")]
    Proxy,
    /// A secret URL that is invalid.
    #[error("the secret of slack:{0} is not a URL: it must be the complete https URL of the incoming webhook")]
    Slack(String),
    /// TLS cannot be used.
    #[error("TLS cannot be used: {0}")]
    Tls(String),
    /// The HTTP client cannot be built.
    #[error("the HTTP client cannot be made: {0}")]
    Client(String),
}
