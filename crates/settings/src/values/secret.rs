//! Values that must not be printed: headers, credentials, proxies. Faults never quote them.

use crate::error::Fault;
use crate::field::Value;
use crate::kind::ValueKind;
use std::fmt;
use url::Url;

/// A request header. `Debug` shows its name alone.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    /// The field name, as written.
    pub name: String,
    /// The field value, blanks around it removed.
    pub value: String,
}

/// A user and a password. `Debug` shows neither.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user; it holds no colon.
    pub user: String,
    /// The password.
    pub password: String,
}

/// The URL of a proxy, which may hold credentials. `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct ProxyUrl(String);

impl ProxyUrl {
    /// The URL; not for printing.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Takes the value of `HTTPS_PROXY` or the like, unchecked.
    pub(crate) fn unchecked(text: &str) -> ProxyUrl {
        ProxyUrl(text.to_owned())
    }
}

/// A text that must not be printed. `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretText(String);

impl SecretText {
    /// The text; not for printing.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}

impl Value for SecretText {
    fn read(text: &str, _kind: &ValueKind) -> Result<SecretText, Fault> {
        if text.chars().any(char::is_control) {
            return Err(Fault::new("the secret holds a control character", "write it on one line"));
        }
        Ok(SecretText(text.to_owned()))
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Header({}: …)", self.name)
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(…)")
    }
}

impl fmt::Debug for ProxyUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProxyUrl(…)")
    }
}

/// Headers that mapwright sets itself, each with what to do instead.
const OWN_HEADERS: [(&str, &str); 6] = [
    ("user-agent", "use --user-agent"),
    ("host", "use --resolve to reach a host at another address"),
    ("connection", "leave it out: it belongs to the connection"),
    ("content-length", "leave it out: requests have no body"),
    ("transfer-encoding", "leave it out: requests have no body"),
    ("upgrade", "leave it out: it belongs to the connection"),
];

impl Value for Header {
    const KIND: Option<ValueKind> = Some(ValueKind::Header);

    fn read(text: &str, _kind: &ValueKind) -> Result<Header, Fault> {
        let form = "write it as `Name: value`";
        let (name, value) = text.split_once(':').ok_or_else(|| Fault::new("the header has no colon", form))?;
        let (name, value) = (name.trim(), value.trim_matches([' ', '\t']));
        if name.is_empty() || !name.bytes().all(is_token_byte) {
            return Err(Fault::new("the header's name holds characters that no name may hold", form));
        }
        if value.chars().any(|c| c.is_control() && c != '\t') {
            return Err(Fault::new(format!("the value of header {name} holds a control character"), "remove it"));
        }
        match OWN_HEADERS.iter().find(|(own, _)| name.eq_ignore_ascii_case(own)) {
            Some((_, hint)) => Err(Fault::new(format!("header {name} cannot be set"), *hint)),
            None => Ok(Header { name: name.to_owned(), value: value.to_owned() }),
        }
    }
}

impl Value for Credentials {
    const KIND: Option<ValueKind> = Some(ValueKind::Credentials);

    fn read(text: &str, _kind: &ValueKind) -> Result<Credentials, Fault> {
        let fault = |what: &str| Fault::new(what, "write USER:PASSWORD");
        let (user, password) = text.split_once(':').ok_or_else(|| fault("the credentials have no colon"))?;
        if text.chars().any(char::is_control) {
            return Err(fault("the credentials hold a control character"));
        }
        Ok(Credentials { user: user.to_owned(), password: password.to_owned() })
    }
}

impl Value for ProxyUrl {
    const KIND: Option<ValueKind> = Some(ValueKind::Proxy);

    fn read(text: &str, _kind: &ValueKind) -> Result<ProxyUrl, Fault> {
        let hint = "write http://HOST:PORT or https://HOST:PORT";
        let text = text.trim();
        let full = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let url = Url::parse(&full).map_err(|error| Fault::new(format!("the proxy is not a URL ({error})"), hint))?;
        match url.scheme() {
            "http" | "https" if url.path() == "/" && url.query().is_none() => Ok(ProxyUrl(url.to_string())),
            "http" | "https" => Err(Fault::new("the URL of the proxy has a path", hint)),
            other => Err(Fault::new(format!("a proxy cannot be reached by `{other}`"), hint)),
        }
    }
}

/// The bytes of a token (RFC 9110, 5.6.2).
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
