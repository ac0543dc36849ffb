//! Which certificates of a mail server are trusted.

use std::sync::Arc;

use lettre::transport::smtp::client::{Certificate, CertificateStore, TlsParameters};
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use crate::post::PostError;
use crate::undelivered::cause;

/// Certificates that a mail server is trusted by: those given, and no others, or else those of the system.
pub(crate) struct Trust<'a> {
    given: Option<&'a [u8]>,
}

impl<'a> Trust<'a> {
    pub(crate) fn new(given: Option<&'a [u8]>) -> Trust<'a> {
        Trust { given }
    }

    /// For TLS from the first byte.
    pub(crate) fn implicit(&self) -> Result<ClientConfig, PostError> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let builder = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|error| unusable(&error))?;
        let builder = match self.given {
            Some(pem) => builder.with_root_certificates(roots(pem)?),
            None => {
                let verifier = rustls_platform_verifier::Verifier::new(provider).map_err(|error| unusable(&error))?;
                builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
            }
        };
        Ok(builder.with_no_client_auth())
    }

    /// For TLS after STARTTLS.
    pub(crate) fn starttls(&self, host: &str) -> Result<TlsParameters, PostError> {
        let mut builder = TlsParameters::builder(host.to_owned());
        if let Some(pem) = self.given {
            roots(pem)?;
            let given = Certificate::from_pem(pem).map_err(|_| PostError::Certificates)?;
            builder = builder.certificate_store(CertificateStore::None).add_root_certificate(given);
        }
        builder.build_rustls().map_err(|error| unusable(&error))
    }
}

fn roots(pem: &[u8]) -> Result<RootCertStore, PostError> {
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|_| PostError::Certificates)?;
        store.add(certificate).map_err(|_| PostError::Certificates)?;
    }
    if store.is_empty() { Err(PostError::Certificates) } else { Ok(store) }
}

fn unusable(error: &dyn std::error::Error) -> PostError {
    PostError::Tls(cause(error))
}
