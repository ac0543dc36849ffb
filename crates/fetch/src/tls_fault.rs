//! TLS faults in the words of curl, which people search for.

use mapwright_model::TlsFault;
use rustls::{CertificateError as Certificate, Error, InvalidMessage};

/// An untrusted self-signed certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SelfSigned {
    /// The certificate of a server.
    #[error("a self-signed certificate")]
    Server,
    /// A certificate that declares itself an authority's.
    #[error("a self-signed certificate of an authority")]
    Authority,
}

/// Maximum number of a certificate's names in a message.
const MAX_NAMES: usize = 3;

/// Describes a TLS fault in the words of curl, or in those of the library where curl has none.
pub(crate) fn in_words(error: &Error) -> String {
    let fault = match error {
        Error::InvalidMessage(InvalidMessage::InvalidContentType) => TlsFault::NoTls,
        Error::InvalidCertificate(Certificate::Expired | Certificate::ExpiredContext { .. }) => TlsFault::Expired,
        Error::InvalidCertificate(Certificate::NotValidYet | Certificate::NotValidYetContext { .. }) => {
            TlsFault::NotYetValid
        }
        Error::InvalidCertificate(Certificate::UnknownIssuer) => TlsFault::UnknownIssuer,
        Error::InvalidCertificate(Certificate::NotValidForNameContext { expected, presented }) => {
            return format!("{} '{}'{}", TlsFault::OtherName.words(), expected.to_str(), names(presented));
        }
        Error::InvalidCertificate(Certificate::Other(other)) => match other.0.downcast_ref() {
            Some(SelfSigned::Server) => TlsFault::SelfSigned,
            Some(SelfSigned::Authority) => TlsFault::Authority,
            None => return error.to_string(),
        },
        _ => return error.to_string(),
    };
    fault.words().to_owned()
}

/// The names that a certificate is for: the library gives them as `DnsName("a.example")`.
fn names(presented: &[String]) -> String {
    let names: Vec<&str> =
        presented.iter().take(MAX_NAMES).map(|name| name.split('"').nth(1).unwrap_or(name)).collect();
    if names.is_empty() { String::new() } else { format!(", but {}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rustls::pki_types::{ServerName, UnixTime};
    use rustls::{OtherError, PeerIncompatible};

    use super::*;

    fn self_signed(which: SelfSigned) -> Certificate {
        Certificate::Other(OtherError(Arc::new(which)))
    }

    #[test]
    fn faults_are_described_in_the_words_of_curl() {
        let time = UnixTime::since_unix_epoch(std::time::Duration::ZERO);
        let expected = ServerName::try_from("shop.example").unwrap();
        let presented = vec!["DnsName(\"www.shop.example\")".to_owned(), "10.0.0.1".to_owned()];
        for (error, words, fault) in [
            (Certificate::Expired, "certificate has expired", Some(TlsFault::Expired)),
            (Certificate::ExpiredContext { time, not_after: time }, "certificate has expired", Some(TlsFault::Expired)),
            (Certificate::NotValidYet, "certificate is not yet valid", Some(TlsFault::NotYetValid)),
            (
                Certificate::NotValidYetContext { time, not_before: time },
                "certificate is not yet valid",
                Some(TlsFault::NotYetValid),
            ),
            (self_signed(SelfSigned::Server), "problem: self-signed certificate", Some(TlsFault::SelfSigned)),
            (self_signed(SelfSigned::Authority), "problem: self-signed certificate", Some(TlsFault::Authority)),
            (Certificate::UnknownIssuer, "unable to get local issuer certificate", Some(TlsFault::UnknownIssuer)),
            (
                Certificate::NotValidForNameContext { expected, presented },
                "no alternative certificate subject name matches target host name 'shop.example', but \
                 www.shop.example, 10.0.0.1",
                Some(TlsFault::OtherName),
            ),
            (Certificate::Revoked, "Revoked", None),
        ] {
            let reported = in_words(&Error::InvalidCertificate(error));
            let detail = format!("no secure connection to https://shop.example: {reported}");
            assert!(reported.contains(words), "{reported}");
            assert_eq!(TlsFault::of(&detail), fault, "{detail}");
        }
    }

    #[test]
    fn a_server_without_tls_is_recognised() {
        let reported = in_words(&Error::InvalidMessage(InvalidMessage::InvalidContentType));
        assert!(reported.contains("wrong version number"), "{reported}");
        assert_eq!(TlsFault::of(&reported), Some(TlsFault::NoTls));
        let reported = in_words(&Error::PeerIncompatible(PeerIncompatible::NoCipherSuitesInCommon));
        assert!(reported.contains("NoCipherSuitesInCommon"), "{reported}");
    }
}
