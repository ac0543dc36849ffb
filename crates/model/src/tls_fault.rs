//! TLS faults in the words of curl, which people search for.

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsFault {
    /// The certificate has expired.
    Expired,
    /// The certificate is not valid yet.
    NotYetValid,
    /// The certificate is self-signed, and declares itself an authority.
    Authority,
    /// The certificate is self-signed.
    SelfSigned,
    /// The issuer of the certificate is not known.
    UnknownIssuer,
    /// The certificate is for other names.
    OtherName,
    /// The server speaks no TLS.
    NoTls,
}

impl TlsFault {
    /// All faults. One whose words begin with those of another precedes it.
    pub const ALL: [Self; 7] = [
        Self::Expired,
        Self::NotYetValid,
        Self::Authority,
        Self::SelfSigned,
        Self::UnknownIssuer,
        Self::OtherName,
        Self::NoTls,
    ];

    /// Returns the words of curl.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Expired => "SSL certificate problem: certificate has expired",
            Self::NotYetValid => "SSL certificate problem: certificate is not yet valid",
            Self::Authority => "SSL certificate problem: self-signed certificate, of an authority",
            Self::SelfSigned => "SSL certificate problem: self-signed certificate",
            Self::UnknownIssuer => "SSL certificate problem: unable to get local issuer certificate",
            Self::OtherName => "SSL: no alternative certificate subject name matches target host name",
            Self::NoTls => "TLS connect error: wrong version number",
        }
    }

    /// Returns the fault whose words a message contains.
    #[must_use]
    pub fn of(message: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| message.contains(fault.words()))
    }
}
