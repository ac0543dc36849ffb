//! Webhooks over TLS.

use std::sync::Arc;

use mapwright_notify::{Channel, NotificationSender, Secret, SenderError, SenderOptions, Undelivered};
use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::event::reported;
use crate::server::certificates;

/// Starts a server that answers 204 to everything; returns the URL of its hook, and the certificate of its issuer.
async fn secure() -> (Channel, Vec<u8>) {
    let files = tempfile::tempdir().unwrap();
    let authority = certificates(&files, "localhost");
    let certificate = CertificateDer::from_pem_file(files.path().join("certificate")).unwrap();
    let key = PrivateKeyDer::from_pem_file(files.path().join("key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("webhook:https://localhost:{}/hook", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(socket).await else { continue };
            // The message fits into one read. The rest, if any, does not matter.
            let _ = stream.read(&mut [0; 16 << 10]).await;
            let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").await;
            let _ = stream.shutdown().await;
        }
    });
    (Channel::parse(&url).unwrap(), authority)
}

async fn post(channel: &Channel, ca: Option<Vec<u8>>) -> Result<(), Undelivered> {
    let post = NotificationSender::new(SenderOptions { ca, ..SenderOptions::default() }).unwrap();
    post.deliver(channel, &reported()).await
}

#[tokio::test]
async fn a_webhook_is_trusted_only_with_the_given_certificates() {
    let (channel, authority) = secure().await;
    let failure = post(&channel, None).await.unwrap_err();
    assert!(failure.what.contains("certificate") && !failure.permanent, "{failure}");
    assert_eq!(post(&channel, Some(authority)).await, Ok(()));
}

#[test]
fn options_that_cannot_work_are_refused() {
    let refused = |options| NotificationSender::new(options).map(drop).unwrap_err();
    for ca in [&b""[..], b"no pem", b"-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n"] {
        let options = SenderOptions { ca: Some(ca.to_vec()), ..SenderOptions::default() };
        assert_eq!(refused(options), SenderError::Certificates);
    }
    let options = SenderOptions { proxy: Some(Secret::new("http://[")), ..SenderOptions::default() };
    assert_eq!(refused(options), SenderError::Proxy);
}
