//! TLS and HTTP/2, with certificates made on the spot.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mapwright_fetch::{BodyState, Failure, FailureKind, FetchOptions, HttpFetch, Reply, SetupError, Version};
use mapwright_web::PageUrl;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::site::{fetcher, get, ok, url};

/// Somebody who signs certificates.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    pub fn new() -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Authority { issuer: CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap() }
    }

    pub fn pem(&self) -> Vec<u8> {
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
pub struct TlsSite {
    pub address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl TlsSite {
    /// Talks with each secure connection as told; which one it is, is told too.
    async fn talking<F, Fut>(authority: &Authority, host: &str, protocols: &[&str], talk: F) -> TlsSite
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
    pub async fn answering(authority: &Authority, host: &str, body: &'static str) -> TlsSite {
        TlsSite::talking(authority, host, &["http/1.1"], move |mut stream, _| async move {
            read_head(&mut stream).await;
            let _ = stream.write_all(&ok(body)).await;
            let _ = stream.shutdown().await;
        })
        .await
    }

    fn url(&self, host: &str) -> PageUrl {
        url(&format!("https://{host}:{}/", self.address.port()))
    }

    /// Options for a crawl that starts at this host, wherever it is.
    fn options(&self, host: &str) -> FetchOptions {
        FetchOptions {
            home: vec![self.url(host).origin()],
            resolve: vec![(host.to_owned(), 0, "127.0.0.1".parse().unwrap())],
            ..FetchOptions::default()
        }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

async fn read_head(stream: &mut TlsStream<TcpStream>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
}

const HOST: &str = "secure.example";

async fn fetch_with(site: &TlsSite, options: FetchOptions) -> Result<Reply, Failure> {
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
async fn a_certificate_of_nobody_known_is_a_failure_of_tls() {
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
async fn insecure_asks_for_no_certificate() {
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
async fn a_body_ended_by_a_connection_without_a_goodbye_is_whole() {
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
    assert_eq!((reply.body.as_slice(), reply.body_state), (&b"all of it"[..], BodyState::Whole));
}

/// A server of HTTP/2 that handles each request as told: its number counts over all connections.
async fn http2<F>(authority: &Authority, handle: F) -> TlsSite
where
    F: Fn(usize, h2::server::SendResponse<hyper::body::Bytes>) -> Then + Send + Sync + 'static,
{
    let (handle, requests) = (Arc::new(handle), Arc::new(AtomicUsize::new(0)));
    TlsSite::talking(authority, HOST, &["h2", "http/1.1"], move |stream, _| {
        let (handle, requests) = (handle.clone(), requests.clone());
        async move {
            let mut connection = h2::server::handshake(stream).await.unwrap();
            while let Some(Ok((_, respond))) = connection.accept().await {
                match handle(requests.fetch_add(1, Ordering::SeqCst), respond) {
                    Then::GoOn => {}
                    Then::GoAway => connection.graceful_shutdown(),
                    Then::Abort => connection.abrupt_shutdown(h2::Reason::NO_ERROR),
                }
            }
        }
    })
    .await
}

/// What a server of HTTP/2 does after a request.
enum Then {
    GoOn,
    GoAway,
    Abort,
}

fn respond_with(mut respond: h2::server::SendResponse<hyper::body::Bytes>, body: &'static str) {
    let head = hyper::Response::builder().status(200).header("content-type", "text/html").body(()).unwrap();
    let mut stream = respond.send_response(head, false).unwrap();
    stream.send_data(hyper::body::Bytes::from_static(body.as_bytes()), true).unwrap();
}

fn trusting(authority: &Authority, site: &TlsSite) -> FetchOptions {
    FetchOptions { ca_cert: Some(authority.pem()), ..site.options(HOST) }
}

#[tokio::test]
async fn http_2_is_negotiated_and_one_connection_carries_all() {
    let authority = Authority::new();
    let site = http2(&authority, |_, respond| {
        respond_with(respond, "by two");
        Then::GoOn
    })
    .await;
    let fetch = fetcher(trusting(&authority, &site));
    for _ in 0..5 {
        let reply = get(&fetch, &site.url(HOST)).await.unwrap();
        assert_eq!((reply.version, reply.body.as_slice()), (Version::Http2, &b"by two"[..]));
    }
    assert_eq!(site.connections(), 1);
}

#[tokio::test]
async fn http_2_is_not_spoken_where_it_is_off() {
    let authority = Authority::new();
    let site = TlsSite::talking(&authority, HOST, &["h2", "http/1.1"], |mut stream, _| async move {
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
        read_head(&mut stream).await;
        let _ = stream.write_all(&ok("by one")).await;
    })
    .await;
    let options = FetchOptions { http2: false, ..trusting(&authority, &site) };
    assert_eq!(fetch_with(&site, options).await.unwrap().version, Version::Http11);
}

#[tokio::test]
async fn a_refused_stream_is_sent_again_without_a_failure() {
    let authority = Authority::new();
    let site = http2(&authority, |number, mut respond| {
        match number {
            0..3 => respond.send_reset(h2::Reason::REFUSED_STREAM),
            _ => respond_with(respond, "at the fourth time"),
        }
        Then::GoOn
    })
    .await;
    let reply = fetch_with(&site, trusting(&authority, &site)).await.unwrap();
    assert_eq!(reply.body, b"at the fourth time");
}

#[tokio::test]
async fn a_stream_that_is_always_refused_is_a_reset_after_three_more_times() {
    let authority = Authority::new();
    let seen = Arc::new(AtomicUsize::new(0));
    let count = seen.clone();
    let site = http2(&authority, move |_, mut respond| {
        count.fetch_add(1, Ordering::SeqCst);
        respond.send_reset(h2::Reason::REFUSED_STREAM);
        Then::GoOn
    })
    .await;
    let failure = fetch_with(&site, trusting(&authority, &site)).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Reset, "{failure}");
    assert_eq!(seen.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn a_stream_that_is_reset_for_another_reason_is_a_reset_at_once() {
    let authority = Authority::new();
    let seen = Arc::new(AtomicUsize::new(0));
    let count = seen.clone();
    let site = http2(&authority, move |_, mut respond| {
        count.fetch_add(1, Ordering::SeqCst);
        respond.send_reset(h2::Reason::INTERNAL_ERROR);
        Then::GoOn
    })
    .await;
    let failure = fetch_with(&site, trusting(&authority, &site)).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Reset, "{failure}");
    assert_eq!(seen.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_server_that_goes_away_between_requests_is_asked_anew() {
    let authority = Authority::new();
    let site = http2(&authority, |_, respond| {
        respond_with(respond, "last words");
        Then::GoAway
    })
    .await;
    let fetch = fetcher(trusting(&authority, &site));
    for _ in 0..4 {
        assert_eq!(get(&fetch, &site.url(HOST)).await.unwrap().body, b"last words");
    }
    assert!(site.connections() > 1);
}

#[tokio::test]
async fn a_server_that_goes_away_with_a_request_unanswered_is_asked_anew() {
    let authority = Authority::new();
    let site = http2(&authority, |number, respond| match number {
        0 => {
            drop(respond);
            Then::Abort
        }
        _ => {
            respond_with(respond, "on the next connection");
            Then::GoOn
        }
    })
    .await;
    let reply = fetch_with(&site, trusting(&authority, &site)).await;
    // A server may have begun on what it leaves unanswered: both a new try and a reset are right, a lie is not.
    match reply {
        Ok(reply) => assert_eq!(reply.body, b"on the next connection"),
        Err(failure) => assert_eq!(failure.kind, FailureKind::Reset, "{failure}"),
    }
}

#[tokio::test]
async fn a_header_list_beyond_the_bound_is_a_breach_of_protocol() {
    let authority = Authority::new();
    let site = http2(&authority, |_, mut respond| {
        let head = hyper::Response::builder().header("x-long", "y".repeat(80 << 10)).body(()).unwrap();
        let _ = respond.send_response(head, true);
        Then::GoOn
    })
    .await;
    let failure = fetch_with(&site, trusting(&authority, &site)).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Protocol, "{failure}");
}
