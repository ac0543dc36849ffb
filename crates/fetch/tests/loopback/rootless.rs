//! A machine without CA certificates: plain http is fetched as usual, and https reports what is missing.
//!
//! The environment of a process names the certificate store, so each test runs once more in a process of its own, whose
//! environment names a file that does not exist.

#![cfg(all(unix, not(target_vendor = "apple")))]

use std::env;
use std::process::Command;

use mapwright_fetch::FetchOptions;
use mapwright_model::FailureKind;
use mapwright_testkit::Response;

use crate::site::Site;
use crate::tls::{Authority, HOST, TlsSite, fetch_with};

/// The variable that names the bundle of CA certificates for every program that follows OpenSSL.
const BUNDLE: &str = "SSL_CERT_FILE";
const NO_FILE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/no-such-bundle.pem");

/// Returns whether this process has no CA certificates. A process that has them runs the test of this name in one
/// without.
fn is_rootless(test: &str) -> bool {
    if env::var(BUNDLE).is_ok_and(|file| file == NO_FILE) {
        // A default client cannot be built here.
        assert!(reqwest::Client::builder().build().is_err());
        return true;
    }
    let mut again = Command::new(env::current_exe().unwrap());
    let again = again.args(["--exact", &format!("rootless::{test}")]).env(BUNDLE, NO_FILE).env_remove("SSL_CERT_DIR");
    let output = again.output().unwrap();
    let reported = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && reported.contains("1 passed"),
        "{reported}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    false
}

#[tokio::test]
async fn plain_http_is_fetched() {
    if is_rootless("plain_http_is_fetched") {
        let site = Site::with(Response::html("plain page"));
        assert_eq!(site.get().await.unwrap().body, b"plain page");
    }
}

#[tokio::test]
async fn https_says_that_certificates_are_missing() {
    if is_rootless("https_says_that_certificates_are_missing") {
        let site = TlsSite::answering(&Authority::new(), HOST, "").await;
        let failure = fetch_with(&site, site.options(HOST)).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Tls);
        for word in ["no CA certificates", "ca-certificates", "--ca-cert"] {
            assert!(failure.detail.contains(word), "{failure}");
        }
    }
}

#[tokio::test]
async fn a_bundle_that_was_given_is_enough() {
    if is_rootless("a_bundle_that_was_given_is_enough") {
        let authority = Authority::new();
        let site = TlsSite::answering(&authority, HOST, "secure page").await;
        let options = FetchOptions { ca_cert: Some(authority.pem()), ..site.options(HOST) };
        assert_eq!(fetch_with(&site, options).await.unwrap().body, b"secure page");
        let stranger = TlsSite::answering(&Authority::new(), HOST, "").await;
        let options = FetchOptions { ca_cert: Some(authority.pem()), ..stranger.options(HOST) };
        let failure = fetch_with(&stranger, options).await.unwrap_err();
        assert!(!failure.detail.contains("no CA certificates"), "there are some: {failure}");
    }
}
