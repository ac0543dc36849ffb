//! A generated service account, and faulty key files.

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{KeyPair, RSA_PKCS1_2048_8192_SHA256, RsaKeyPair, UnparsedPublicKey};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use mapwright_publish::SearchConsole;
use serde_json::{Value, json};

pub(crate) const EMAIL: &str = "robot@project.iam.gserviceaccount.com";
pub(crate) const DOMAIN: &str = "sc-domain:example.com";

/// A service account with its own key.
pub(crate) struct Account {
    pem: String,
    public: Vec<u8>,
}

impl Account {
    pub(crate) fn new() -> Account {
        let key = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
        let private: Pkcs8V1Der<'static> = key.as_der().unwrap();
        let pem = pem("PRIVATE KEY", private.as_ref());
        Account { pem, public: key.public_key().as_ref().to_vec() }
    }

    /// The key file, with this address as token endpoint.
    pub(crate) fn file(&self, token_uri: &str) -> Value {
        json!({
            "type": "service_account",
            "project_id": "project",
            "private_key_id": "key-1",
            "private_key": self.pem,
            "client_email": EMAIL,
            "client_id": "1",
            "token_uri": token_uri,
        })
    }

    /// The header and claims of an assertion with a valid signature.
    pub(crate) fn verified(&self, assertion: &str) -> (Value, Value) {
        let (signed, signature) = assertion.rsplit_once('.').unwrap();
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, &self.public);
        public.verify(signed.as_bytes(), &signature).expect("the signature fits");
        let (header, claims) = signed.split_once('.').unwrap();
        let part = |text: &str| serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).unwrap()).unwrap();
        (part(header), part(claims))
    }
}

fn pem(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines: Vec<_> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

/// The one-line error for a faulty key file.
fn refusal(json: &str) -> String {
    let error = SearchConsole::from_service_account(json, DOMAIN).unwrap_err();
    assert!(error.permanent);
    assert!(!error.what.contains('\n') && error.what.len() < 300, "{error}");
    error.what
}

#[test]
fn a_key_file_with_a_fault_is_refused_in_one_line() {
    let account = Account::new();
    let with = |name: &str, value: Value| {
        let mut file = account.file("https://oauth2.googleapis.com/token");
        file[name] = value;
        file.to_string()
    };
    let flat = account.pem.replace('\n', "\\n");
    let small = pem("PRIVATE KEY", b"no DER at all");
    let certificate = pem("CERTIFICATE", b"something else");
    let faults = [
        (String::new(), "no JSON"),
        (account.pem.clone(), "no JSON (line 1"),
        ("[]".to_owned(), "`type`"),
        ("[".repeat(60_000), "no JSON"),
        (" ".repeat(70_000), "larger than"),
        (with("type", json!("authorized_user")), "`type`"),
        (with("client_email", json!(null)), "no `client_email`"),
        (with("client_email", json!(" ")), "no `client_email`"),
        (with("private_key", json!(["s3cret"])), "no `private_key`"),
        (with("private_key", json!("s3cret")), "no PEM"),
        (with("private_key", json!(flat)), "line breaks"),
        (with("private_key", json!(small)), "no RSA key"),
        (with("private_key", json!(certificate)), "no PEM"),
        (with("token_uri", json!("http://oauth2.googleapis.com/token?s3cret")), "no https URL"),
        (with("token_uri", json!("s3cret")), "no https URL"),
    ];
    for (json, word) in faults {
        let what = refusal(&json);
        assert!(what.contains("key file") && what.contains(word), "{word}: {what}");
        assert!(!what.contains("s3cret") && !what.contains("BEGIN"), "{what}");
    }
}

#[test]
fn a_property_that_is_none_is_refused_in_one_line() {
    let file = Account::new().file("https://oauth2.googleapis.com/token").to_string();
    for site in ["", "example.com", "sc-domain:", "sc-domain:127.0.0.1", "sc-domain:a b", "ftp://example.com/", "\n"] {
        let error = SearchConsole::from_service_account(&file, site).unwrap_err();
        assert!(error.permanent && error.what.contains("sc-domain:example.com"), "{site:?}: {error}");
        assert!(!error.what.contains('\n'));
    }
}

#[test]
fn the_private_key_is_not_shown() {
    let account = Account::new();
    let file = account.file("https://oauth2.googleapis.com/token").to_string();
    let shown = format!("{:?}", SearchConsole::from_service_account(&file, DOMAIN).unwrap());
    assert!(shown.contains(EMAIL) && shown.contains(DOMAIN), "{shown}");
    assert!(shown.len() < 200, "nothing but these: {shown}");
}
