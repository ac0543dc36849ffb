//! TLS faults in the words of curl, which people search for, each with a hint.

/// A kind of fault: curl's words for it, and a hint.
#[derive(Debug, Clone, Copy)]
pub struct TlsFault {
    /// The words of curl.
    pub words: &'static str,
    hint: &'static str,
}

impl TlsFault {
    /// The certificate has expired.
    pub const EXPIRED: Self = Self {
        words: "SSL certificate problem: certificate has expired",
        hint: "renew it on the server; as a last resort, -k (--insecure) trusts any certificate",
    };
    /// The certificate is not valid yet.
    pub const NOT_YET_VALID: Self = Self {
        words: "SSL certificate problem: certificate is not yet valid",
        hint: "check the clocks of this machine and of the one that issued it; as a last resort, -k (--insecure) trusts any \
           certificate",
    };
    /// The certificate is self-signed, and declares itself an authority.
    pub const AUTHORITY: Self = Self {
        words: "SSL certificate problem: self-signed certificate, of an authority",
        hint: "give the server a certificate that is not marked as an authority's (basicConstraints CA:FALSE), which \
           --ca-cert then trusts; as a last resort, -k (--insecure) trusts any certificate",
    };
    /// The certificate is self-signed.
    pub const SELF_SIGNED: Self = Self {
        words: "SSL certificate problem: self-signed certificate",
        hint: "--ca-cert with a file of this certificate trusts it; as a last resort, -k (--insecure) trusts any certificate",
    };
    /// The issuer of the certificate is not known.
    pub const UNKNOWN_ISSUER: Self = Self {
        words: "SSL certificate problem: unable to get local issuer certificate",
        hint: "where an authority of your own issued it, name that one's certificate by --ca-cert; else see that the server \
           sends its intermediate certificates; as a last resort, -k (--insecure) trusts any certificate",
    };
    /// The certificate is for other names.
    pub const OTHER_NAME: Self = Self {
        words: "SSL: no alternative certificate subject name matches target host name",
        hint: "check the host's name, or give the server a certificate for it; as a last resort, -k (--insecure) trusts any \
           certificate",
    };
    /// The server speaks no TLS.
    pub const NO_TLS: Self = Self {
        words: "TLS connect error: wrong version number",
        hint: "the server speaks no TLS at this port: write the URL with http://",
    };

    /// All faults. One whose words begin with those of another precedes it.
    const ALL: [Self; 7] = [
        Self::EXPIRED,
        Self::NOT_YET_VALID,
        Self::AUTHORITY,
        Self::SELF_SIGNED,
        Self::UNKNOWN_ISSUER,
        Self::OTHER_NAME,
        Self::NO_TLS,
    ];
}

const OTHER_HINT: &str =
    "check the certificate, and that the site is not http://; --ca-cert trusts one, -k (--insecure) trusts any";

/// The hint for a TLS fault, found by the words in its message.
#[must_use]
pub fn tls_hint(detail: &str) -> &'static str {
    TlsFault::ALL.iter().find(|fault| detail.contains(fault.words)).map_or(OTHER_HINT, |fault| fault.hint)
}
