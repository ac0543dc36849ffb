//! The hints for TLS faults.

use mapwright_model::TlsFault;

/// Returns the hint for the TLS fault in a message.
pub(crate) fn tls_hint(message: &str) -> &'static str {
    match TlsFault::of(message) {
        Some(TlsFault::Expired) => "renew it on the server; as a last resort, -k (--insecure) trusts any certificate",
        Some(TlsFault::NotYetValid) => {
            "check the clocks of this machine and of the one that issued it; as a last resort, -k (--insecure) trusts any \
             certificate"
        }
        Some(TlsFault::Authority) => {
            "give the server a certificate that is not marked as an authority's (basicConstraints CA:FALSE), which \
             --ca-cert then trusts; as a last resort, -k (--insecure) trusts any certificate"
        }
        Some(TlsFault::SelfSigned) => {
            "--ca-cert with a file of this certificate trusts it; as a last resort, -k (--insecure) trusts any certificate"
        }
        Some(TlsFault::UnknownIssuer) => {
            "where an authority of your own issued it, name that one's certificate by --ca-cert; else see that the server \
             sends its intermediate certificates; as a last resort, -k (--insecure) trusts any certificate"
        }
        Some(TlsFault::OtherName) => {
            "check the host's name, or give the server a certificate for it; as a last resort, -k (--insecure) trusts any \
             certificate"
        }
        Some(TlsFault::NoTls) => "the server speaks no TLS at this port: write the URL with http://",
        None => {
            "check the certificate, and that the site is not http://; --ca-cert trusts one, -k (--insecure) trusts any"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::tls_hint;
    use mapwright_model::TlsFault;

    #[test]
    fn each_fault_has_its_hint() {
        for (message, hint) in [
            (TlsFault::Expired.words(), "renew it"),
            (TlsFault::NotYetValid.words(), "clocks"),
            (TlsFault::SelfSigned.words(), "--ca-cert with a file of this"),
            (TlsFault::Authority.words(), "CA:FALSE"),
            (TlsFault::UnknownIssuer.words(), "--ca-cert"),
            (TlsFault::OtherName.words(), "host's name"),
            ("Revoked", "check the certificate"),
        ] {
            let message = format!("no secure connection to https://shop.example: {message}");
            assert!(tls_hint(&message).contains(hint) && tls_hint(&message).contains("--insecure"), "{message}");
        }
        let no_tls = tls_hint(TlsFault::NoTls.words());
        assert!(no_tls.contains("http://") && !no_tls.contains("--insecure"));
    }
}
