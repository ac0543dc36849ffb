//! A service account of Google Cloud, read from its key file.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject;
use serde_json::{Value, json};
use url::{Host, Url};

use super::error::AnnounceError;

/// The maximum size of a key file in bytes; real ones have some 2,400.
const MAX_FILE: usize = 64 * 1024;
/// The token endpoint if the file does not name one.
const TOKEN_URI: &str = "https://oauth2.googleapis.com/token";
/// The scope of the token: reading and writing in Search Console.
const SCOPE: &str = "https://www.googleapis.com/auth/webmasters";
/// The lifetime of an assertion in seconds: the longest that is accepted.
const LIFETIME: i64 = 3_600;

/// A service account. It has no `Debug`, because it holds the private key.
pub(crate) struct ServiceAccount {
    pub(crate) email: String,
    pub(crate) token_uri: Url,
    key_id: Option<String>,
    key: RsaKeyPair,
}

impl ServiceAccount {
    /// Reads a key file. Messages name fields and never repeat a value.
    pub(crate) fn parse(json: &str) -> Result<Self, AnnounceError> {
        if json.len() > MAX_FILE {
            return Err(invalid(format!("is larger than {MAX_FILE} bytes")));
        }
        let file: Value = serde_json::from_str(json)
            .map_err(|error| invalid(format!("is no JSON (line {}, column {})", error.line(), error.column())))?;
        let field = |name| file.get(name).and_then(Value::as_str).map(str::trim).filter(|value| !value.is_empty());
        if field("type") != Some("service_account") {
            return Err(invalid("is of another kind: its `type` is not `service_account`"));
        }
        let needed = |name| field(name).ok_or_else(|| invalid(format!("has no `{name}`")));
        Ok(ServiceAccount {
            email: needed("client_email")?.to_owned(),
            token_uri: token_uri(field("token_uri").unwrap_or(TOKEN_URI))?,
            key_id: field("private_key_id").map(str::to_owned),
            key: private_key(needed("private_key")?)?,
        })
    }

    /// A signed assertion (RFC 7523, section 2.1; RS256 of RFC 7518, section 3.3) that requests a token.
    pub(crate) fn assertion(&self, now: i64) -> Result<String, AnnounceError> {
        let mut header = json!({"alg": "RS256", "typ": "JWT"});
        if let (Some(fields), Some(id)) = (header.as_object_mut(), &self.key_id) {
            fields.insert("kid".to_owned(), json!(id));
        }
        let claims = json!({
            "iss": self.email,
            "scope": SCOPE,
            "aud": self.token_uri.as_str(),
            "iat": now,
            "exp": now.saturating_add(LIFETIME),
        });
        let encode = |part: &Value| URL_SAFE_NO_PAD.encode(part.to_string());
        let mut assertion = format!("{}.{}", encode(&header), encode(&claims));
        let mut signature = vec![0; self.key.public_modulus_len()];
        self.key
            .sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), assertion.as_bytes(), &mut signature)
            .map_err(|_| invalid("has a `private_key` that cannot sign"))?;
        assertion.push('.');
        URL_SAFE_NO_PAD.encode_string(signature, &mut assertion);
        Ok(assertion)
    }
}

fn invalid(what: impl std::fmt::Display) -> AnnounceError {
    AnnounceError::permanent(format!(
        "the service account's key file {what}: use the JSON file that Google Cloud gives out for a new key"
    ))
}

fn private_key(pem: &str) -> Result<RsaKeyPair, AnnounceError> {
    let key = match PrivateKeyDer::from_pem_slice(pem.as_bytes()) {
        Ok(PrivateKeyDer::Pkcs8(der)) => RsaKeyPair::from_pkcs8(der.secret_pkcs8_der()),
        Ok(PrivateKeyDer::Pkcs1(der)) => RsaKeyPair::from_der(der.secret_pkcs1_der()),
        _ => return Err(invalid("has a `private_key` that is no PEM (its line breaks must be written as \\n)")),
    };
    key.map_err(|_| invalid("has a `private_key` that is no RSA key of 2,048 to 8,192 bits"))
}

/// Assertions are exchanged for tokens, so they are sent over TLS only; a server on this machine is the exception.
fn token_uri(text: &str) -> Result<Url, AnnounceError> {
    let safe = |url: &Url| match url.scheme() {
        "https" => true,
        "http" => match url.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            _ => false,
        },
        _ => false,
    };
    Url::parse(text).ok().filter(safe).ok_or_else(|| invalid("has a `token_uri` that is no https URL"))
}
