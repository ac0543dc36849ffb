//! TLS faults: reported in one line in the words of curl, with a hint.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use mapwright_e2e::Workspace;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;

use rcgen::{BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

#[test]
fn a_certificate_that_has_expired() {
    let past = |params: &mut CertificateParams| params.not_after = date_time_ymd(2020, 1, 1);
    let url = serve(&certificate("localhost", past, None));
    assert_tls_hint(&url, &[], &["SSL certificate problem: certificate has expired", "renew", "--insecure"]);
}

#[test]
fn a_self_signed_certificate_which_ca_cert_then_trusts() {
    let own = certificate("localhost", |_| {}, None);
    let url = serve(&own);
    assert_tls_hint(&url, &[], &["SSL certificate problem: self-signed certificate", "--ca-cert", "--insecure"]);
    let workspace = Workspace::new();
    let file = workspace.file("own.pem", own.0.pem());
    workspace.crawl_well(&url, &["--ca-cert", &file]);
    Workspace::new().crawl_well(&url, &["-k"]);
}

#[test]
fn a_self_signed_certificate_with_the_authority_flag_as_of_openssl() {
    let as_authority = |params: &mut CertificateParams| params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let url = serve(&certificate("localhost", as_authority, None));
    assert_tls_hint(&url, &[], &["SSL certificate problem: self-signed certificate", "CA:FALSE", "--insecure"]);
}

#[test]
fn a_certificate_of_an_unknown_authority() {
    let authority = authority();
    let url = serve(&certificate("localhost", |_| {}, Some(&authority)));
    assert_tls_hint(&url, &[], &["unable to get local issuer certificate", "--ca-cert", "--insecure"]);
    let workspace = Workspace::new();
    let file = workspace.file("authority.pem", authority.pem());
    workspace.crawl_well(&url, &["--ca-cert", &file]);
}

#[test]
fn a_certificate_of_another_host() {
    let authority = authority();
    let url = serve(&certificate("other.example", |_| {}, Some(&authority)));
    let workspace = Workspace::new();
    let file = workspace.file("authority.pem", authority.pem());
    let words = "no alternative certificate subject name matches target host name 'localhost', but other.example";
    assert_tls_hint(&url, &["--ca-cert", &file], &[words, "check the host's name"]);
}

#[test]
fn a_server_that_speaks_no_tls() {
    let url = serving(|mut socket| {
        let _ = socket.read(&mut [0; 16 << 10])?;
        socket.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")?;
        // Closing the socket with unread data would reset the connection.
        socket.shutdown(Shutdown::Write)?;
        std::io::copy(&mut socket, &mut std::io::sink()).map(drop)
    });
    assert_tls_hint(&url, &[], &["wrong version number", "http://"]);
}

// ---- helpers

type Authority = CertifiedIssuer<'static, KeyPair>;

/// A certificate of this host with its key, signed by the authority or else by its own key.
fn certificate(
    host: &str,
    set: impl FnOnce(&mut CertificateParams),
    issuer: Option<&Authority>,
) -> (Certificate, KeyPair) {
    let (mut params, key) = (CertificateParams::new(vec![host.to_owned()]).unwrap(), KeyPair::generate().unwrap());
    params.distinguished_name.push(DnType::CommonName, host);
    set(&mut params);
    let certificate = match issuer {
        None => params.self_signed(&key).unwrap(),
        Some(authority) => params.signed_by(&key, authority).unwrap(),
    };
    (certificate, key)
}

fn authority() -> Authority {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    Authority::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// Starts a server with this certificate, which runs until the tests end, and returns its URL.
fn serve((certificate, key): &(Certificate, KeyPair)) -> String {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = Arc::new(config.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key).unwrap());
    serving(move |socket| {
        let mut stream = StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), socket);
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte)?;
            head.push(byte[0]);
        }
        let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<h1>Safe</h1>";
        stream.write_all(page.as_bytes())?;
        stream.conn.send_close_notify();
        stream.flush()
    })
}

/// Starts a server that calls `talk` for each connection, and returns its https URL.
fn serving(talk: impl Fn(TcpStream) -> std::io::Result<()> + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://localhost:{}/", listener.local_addr().unwrap().port());
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            // A client that does not trust the server closes the connection, which is no fault of this test.
            let _ = socket.and_then(&talk);
        }
    });
    url
}

#[track_caller]
fn assert_tls_hint(url: &str, more: &[&str], parts: &[&str]) {
    let run = Workspace::new().crawl(url, &[more, &["--retries", "0"]].concat()).exited(3);
    for part in parts {
        assert!(run.only_line().contains(part), "{part} is not in: {}", run.only_line());
    }
}
