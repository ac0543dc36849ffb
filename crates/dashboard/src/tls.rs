//! TLS in the dashboard itself, without a proxy.

use crate::access_error::AccessError;
use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::Path;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// Builds a TLS acceptor with the certificate chain and the key of these files.
pub(crate) fn acceptor(chain: &Path, key: &Path) -> Result<TlsAcceptor, AccessError> {
    let certificates = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| fault("tls-cert", chain, &error.to_string()))?;
    if certificates.is_empty() {
        return Err(fault("tls-cert", chain, "no certificate in it"));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| fault("tls-key", key, &error.to_string()))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(certificates, secret))
        .map_err(|error| fault("tls-key", key, &error.to_string()))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn fault(setting: &'static str, file: &Path, what: &str) -> AccessError {
    AccessError::of(setting, what, "name the certificate chain and its key, in PEM").at(file.display())
}
