//! The trusted certificates: those that the machine's authorities issued, and those given.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, OtherError, SignatureScheme};
use rustls_platform_verifier::Verifier;
use webpki::EndEntityCert;

use crate::options::FetchOptions;
use crate::setup::SetupError;
use crate::tls_fault::SelfSigned;

/// Reads the certificates of a bundle (PEM) that are trusted in addition to those of the machine.
pub(crate) fn certificates(options: &FetchOptions) -> Result<Vec<CertificateDer<'static>>, SetupError> {
    let Some(pem) = &options.ca_cert else { return Ok(Vec::new()) };
    let found = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>();
    let found = found.map_err(|error| SetupError::Certificates(error.to_string()))?;
    if found.is_empty() {
        return Err(SetupError::Certificates("no certificate is in it".to_owned()));
    }
    Ok(found)
}

/// Builds a TLS configuration that trusts the machine's authorities and the `extra` certificates.
///
/// # Errors
/// There is no certificate at all, or one of those given cannot be read.
pub(crate) fn trusting(extra: Vec<CertificateDer<'static>>, options: &FetchOptions) -> Result<ClientConfig, Error> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let judge = Judge { machine: Verifier::new_with_extra_roots(extra, Arc::clone(&provider))? };
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let mut config = builder.dangerous().with_custom_certificate_verifier(Arc::new(judge)).with_no_client_auth();
    let protocols: &[&[u8]] = if options.http2 { &[b"h2", b"http/1.1"] } else { &[b"http/1.1"] };
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Ok(config)
}

/// A verifier that judges as the machine does, and distinguishes self-signed certificates from those of unknown
/// authorities.
#[derive(Debug)]
struct Judge {
    machine: Verifier,
}

impl ServerCertVerifier for Judge {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let judged = self.machine.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        judged.map_err(|error| match self_signed(&error, end_entity) {
            Some(self_signed) => Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(self_signed)))),
            None => error,
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.machine.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.machine.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.machine.supported_verify_schemes()
    }
}

/// Returns the kind of a certificate that was refused because it names itself as its issuer.
fn self_signed(error: &Error, certificate: &CertificateDer<'_>) -> Option<SelfSigned> {
    let which = match error {
        // The machine may know an authority of the same name whose key did not sign it.
        Error::InvalidCertificate(
            CertificateError::UnknownIssuer
            | CertificateError::BadSignature
            | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. },
        ) => SelfSigned::Server,
        Error::InvalidCertificate(CertificateError::Other(other)) => match other.0.downcast_ref() {
            Some(webpki::Error::CaUsedAsEndEntity) => SelfSigned::Authority,
            _ => return None,
        },
        _ => return None,
    };
    let certificate = EndEntityCert::try_from(certificate).ok()?;
    (certificate.issuer() == certificate.subject()).then_some(which)
}
