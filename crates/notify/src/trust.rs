//! The certificates that are trusted for a mail server.

use std::sync::Arc;

use rustls::crypto::aws_lc_rs;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use crate::sender_error::SenderError;
use crate::undelivered::cause;

/// Builds a TLS configuration that trusts only the given certificates (PEM), or those of the system if none are given.
pub(crate) fn trusting(given: Option<&[u8]>) -> Result<ClientConfig, SenderError> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(&error))?;
    let builder = match given {
        Some(pem) => builder.with_root_certificates(roots(pem)?),
        None => {
            let verifier = rustls_platform_verifier::Verifier::new(provider).map_err(|error| unusable(&error))?;
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
        }
    };
    Ok(builder.with_no_client_auth())
}

fn roots(pem: &[u8]) -> Result<RootCertStore, SenderError> {
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|_| SenderError::Certificates)?;
        store.add(certificate).map_err(|_| SenderError::Certificates)?;
    }
    if store.is_empty() { Err(SenderError::Certificates) } else { Ok(store) }
}

fn unusable(error: &dyn std::error::Error) -> SenderError {
    SenderError::Tls(cause(error))
}
