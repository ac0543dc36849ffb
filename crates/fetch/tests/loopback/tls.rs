//! TLS, with certificates made on the spot.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mapwright_fetch::{BodyState, Failure, FetchOptions, HttpFetch, Reply, SetupError, Version};
use mapwright_model::FailureKind;
use mapwright_testkit::Response;
use mapwright_web::PageUrl;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::site::{fetcher, get, url};

/// A certificate authority.
pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    pub(crate) fn new() -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Authority { issuer: CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap() }
    }

    pub(crate) fn pem(&self) -> Vec<u8> {
        self.issuer.pem().into_bytes()
    }

    /// A server's settings, for a certificate of this host.
    fn server(&self, host: &str, protocols: &[&str]) -> Arc<rustls::ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![host.to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
        let mut config = rustls::ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
        Arc::new(config)
    }
}

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::aws_lc_rs::default_provider())
}

/// A secure server on a free loopback port.
pub(crate) struct TlsSite {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl TlsSite {
    /// Passes each secure connection and its number to `talk`.
    pub(crate) async fn talking<F, Fut>(authority: &Authority, host: &str, protocols: &[&str], talk: F) -> TlsSite
    where
        F: Fn(TlsStream<TcpStream>, usize) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let acceptor = TlsAcceptor::from(authority.server(host, protocols));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let site = TlsSite { address: listener.local_addr().unwrap(), connections: Arc::default() };
        let (connections, talk) = (site.connections.clone(), Arc::new(talk));
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (acceptor, connections, talk) = (acceptor.clone(), connections.clone(), talk.clone());
                tokio::spawn(async move {
                    let number = connections.fetch_add(1, Ordering::SeqCst);
                    if let Ok(stream) = acceptor.accept(socket).await {
                        talk(stream, number).await;
                    }
                });
            }
        });
        site
    }

    /// Gives each connection one answer of HTTP/1.1.
    pub(crate) async fn answering(authority: &Authority, host: &str, body: &'static str) -> TlsSite {
        TlsSite::talking(authority, host, &["http/1.1"], move |mut stream, _| async move {
            read_head(&mut stream).await;
            let _ = stream.write_all(&Response::html(body).to_bytes()).await;
            let _ = stream.shutdown().await;
        })
        .await
    }

    pub(crate) fn url(&self, host: &str) -> PageUrl {
        url(&format!("https://{host}:{}/", self.address.port()))
    }

    /// Options for a crawl that starts at this host, wherever it is.
    pub(crate) fn options(&self, host: &str) -> FetchOptions {
        FetchOptions {
            first_party: vec![self.url(host).origin()],
            resolve: vec![(host.to_owned(), 0, "127.0.0.1".parse().unwrap())],
            ..FetchOptions::default()
        }
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

pub(crate) async fn read_head(stream: &mut TlsStream<TcpStream>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
}

pub(crate) const HOST: &str = "secure.example";

pub(crate) async fn fetch_with(site: &TlsSite, options: FetchOptions) -> Result<Reply, Failure> {
    get(&fetcher(options), &site.url(HOST)).await
}

#[tokio::test]
async fn a_certificate_of_an_authority_given_is_trusted() {
    let authority = Authority::new();
    let site = TlsSite::answering(&authority, HOST, "secure page").await;
    let options = FetchOptions { ca_cert: Some(authority.pem()), ..site.options(HOST) };
    let reply = fetch_with(&site, options).await.unwrap();
    assert_eq!((reply.body.as_slice(), reply.version), (&b"secure page"[..], Version::Http11));
}

#[tokio::test]
async fn a_certificate_of_an_unknown_issuer_is_a_tls_failure() {
    let site = TlsSite::answering(&Authority::new(), HOST, "").await;
    let failure = fetch_with(&site, site.options(HOST)).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Tls);
    assert!(failure.detail.contains("certificate"), "{failure}");
    assert!(!failure.kind.transient());
}

#[tokio::test]
async fn a_certificate_of_another_host_is_a_failure_of_tls() {
    let authority = Authority::new();
    let site = TlsSite::answering(&authority, "other.example", "").await;
    let options = FetchOptions { ca_cert: Some(authority.pem()), ..site.options(HOST) };
    assert_eq!(fetch_with(&site, options).await.unwrap_err().kind, FailureKind::Tls);
}

#[tokio::test]
async fn insecure_verifies_no_certificate() {
    let site = TlsSite::answering(&Authority::new(), "other.example", "taken").await;
    let options = FetchOptions { insecure: true, ..site.options(HOST) };
    assert_eq!(fetch_with(&site, options).await.unwrap().body, b"taken");
}

#[test]
fn a_bundle_without_certificates_is_refused() {
    for bundle in [&b""[..], b"no pem at all", b"-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n"] {
        let options = FetchOptions { ca_cert: Some(bundle.to_vec()), ..FetchOptions::default() };
        assert!(matches!(HttpFetch::new(options), Err(SetupError::Certificates(_))), "{bundle:?}");
    }
}

#[tokio::test]
async fn a_body_that_ends_with_the_connection_without_close_notify_is_complete() {
    let authority = Authority::new();
    let site = TlsSite::talking(&authority, HOST, &["http/1.1"], |mut stream, _| async move {
        read_head(&mut stream).await;
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it").await;
        // The connection is dropped without close_notify.
        let _ = stream.flush().await;
    })
    .await;
    let options = FetchOptions { ca_cert: Some(authority.pem()), ..site.options(HOST) };
    let reply = fetch_with(&site, options).await.unwrap();
    assert_eq!((reply.body.as_slice(), reply.body_state), (&b"all of it"[..], BodyState::Complete));
}

#[tokio::test]
async fn a_secure_connection_that_is_damaged_is_broken_not_refused() {
    let authority = Authority::new();
    for protocol in ["http/1.1", "h2"] {
        let site = TlsSite::talking(&authority, HOST, &[protocol], |mut stream, _| async move {
            let _ = stream.get_mut().0.write_all(b"\x17\x03\x03\x00\x20 what no key of this connection made").await;
            while stream.read_u8().await.is_ok() {}
        })
        .await;
        let options = FetchOptions { ca_cert: Some(authority.pem()), ..site.options(HOST) };
        let failure = fetch_with(&site, options).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Reset, "{protocol}: {failure}");
    }
}
