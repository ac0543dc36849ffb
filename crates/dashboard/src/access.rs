//! The access configuration: the address, the names, and the users.

use crate::access_error::AccessError;
use crate::{password, tls};
use std::collections::BTreeSet;
use std::fmt::{self, Debug, Formatter};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tokio_rustls::TlsAcceptor;
use url::{Host, Url};

/// Minimum length of a token, in characters: a shorter one can be guessed.
const SHORTEST_TOKEN: usize = 16;

/// The address that the dashboard listens on, the names that it is reached by, and the users who have access. `Debug`
/// prints `(secret)` in place of secrets.
#[derive(Clone)]
pub struct AccessConfig {
    /// The address and port; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The token of an operator.
    pub token: Option<String>,
    /// The users who may log in.
    pub users: Vec<User>,
    /// The public origin, such as `https://ops.example`, of a reverse proxy with TLS.
    pub behind_proxy: Option<String>,
    /// The files of a certificate chain and of its key, in PEM; with them the dashboard serves TLS.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Further host names (with a port, or for any port) that the dashboard is reached by. Addresses and `localhost`
    /// need no mention.
    pub hosts: Vec<String>,
}

/// A user who may log in. `Debug` does not print the hash.
#[derive(Clone, PartialEq, Eq)]
pub struct User {
    /// The name.
    pub name: String,
    /// The password's hash, as [`crate::hash_password`] gives it.
    pub hash: String,
    /// The permissions.
    pub role: Role,
}

/// The permissions of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// May see everything.
    Reader,
    /// May also start, stop, pause and edit jobs.
    Operator,
}

impl Role {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Operator => "operator",
        }
    }
}

/// The credential of a session, which ends when the configuration no longer admits that credential.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Credential {
    Token(String),
    User { name: String, hash: String },
}

impl Credential {
    /// The user's name; a token has none.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Token(_) => None,
            Self::User { name, .. } => Some(name),
        }
    }
}

impl AccessConfig {
    /// A configuration without authentication on this address, which is allowed for loopback addresses only.
    #[must_use]
    pub fn on(listen: SocketAddr) -> Self {
        Self { listen, token: None, users: Vec::new(), behind_proxy: None, tls: None, hosts: Vec::new() }
    }

    /// Checks that the configuration is safe.
    ///
    /// # Errors
    /// When other machines would have access without authentication, secrets would cross the network in the clear, or a
    /// value is invalid.
    pub fn check(&self) -> Result<(), AccessError> {
        self.check_reach()?;
        self.token.as_deref().map_or(Ok(()), check_token)?;
        self.check_users()?;
        self.names()?;
        self.acceptor()?;
        self.public_origin().map(drop)
    }

    /// Returns the TLS acceptor, if TLS is configured.
    pub(crate) fn acceptor(&self) -> Result<Option<TlsAcceptor>, AccessError> {
        self.tls.as_ref().map(|(chain, key)| tls::acceptor(chain, key)).transpose()
    }

    /// Returns the names of the dashboard as browsers write them: in lower case, and international ones in ASCII.
    pub(crate) fn names(&self) -> Result<Vec<String>, AccessError> {
        self.hosts.iter().map(|text| host_name(text).ok_or_else(|| no_host(text))).collect()
    }

    fn check_reach(&self) -> Result<(), AccessError> {
        let beyond = !self.listen.ip().is_loopback();
        if (beyond || self.behind_proxy.is_some()) && self.is_open() {
            let setting = if beyond { "listen" } else { "behind-proxy" };
            let what = "other machines can reach the dashboard, and whoever does could start and stop jobs";
            return Err(AccessError::of(
                setting,
                what,
                "give --token-file or --users-file, or listen on 127.0.0.1 alone",
            ));
        }
        if beyond && self.behind_proxy.is_none() && self.tls.is_none() {
            let what = format!("passwords would cross the network to {} in the clear", self.listen.ip());
            let hint = "give a certificate with --tls-cert and --tls-key, or put a proxy that speaks TLS in front and name it with \
                          --behind-proxy https://…";
            return Err(AccessError::of("listen", what, hint));
        }
        Ok(())
    }

    fn check_users(&self) -> Result<(), AccessError> {
        let mut names = BTreeSet::new();
        for user in &self.users {
            let fault = |what: &str, hint: &str| {
                Err(AccessError::of("users-file", what, hint).at(format!("user `{}`", user.name.escape_default())))
            };
            if user.name.is_empty() || user.name.len() > 64 || user.name.contains(char::is_control) {
                return fault("no usable name", "use 1 to 64 letters");
            }
            if !names.insert(&user.name) {
                return fault("named twice", "leave one of them");
            }
            password::check(&user.hash)
                .or_else(|what| fault(what, "write what `mapwright jobs hash-password` prints"))?;
        }
        Ok(())
    }

    /// Returns the role of a credential; `None` where it is no longer admitted.
    pub(crate) fn admits(&self, credential: &Credential) -> Option<Role> {
        match credential {
            Credential::Token(token) => (self.token.as_ref() == Some(token)).then_some(Role::Operator),
            Credential::User { name, hash } => {
                self.users.iter().find(|user| user.name == *name && user.hash == *hash).map(|user| user.role)
            }
        }
    }

    /// Returns whether access needs no authentication.
    pub(crate) fn is_open(&self) -> bool {
        self.token.is_none() && self.users.is_empty()
    }

    /// Returns whether visitors use https.
    pub(crate) fn is_https(&self) -> bool {
        self.tls.is_some() || self.behind_proxy.is_some()
    }

    /// Returns the public origin of the proxy.
    pub(crate) fn public_origin(&self) -> Result<Option<Url>, AccessError> {
        let Some(text) = &self.behind_proxy else { return Ok(None) };
        let url = Url::parse(text).ok().filter(|url| {
            let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
            url.scheme() == "https" && url.host().is_some() && bare && url.username().is_empty()
        });
        let fault = || {
            let what = format!("`{}` is no https origin", text.escape_default());
            AccessError::of("behind-proxy", what, "write it as in https://ops.example, without a path")
        };
        url.map(Some).ok_or_else(fault)
    }
}

impl Debug for AccessConfig {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { listen, token, users, behind_proxy, tls, hosts } = self;
        let token = token.as_ref().map(|_| format_args!("(secret)"));
        let mut debug = f.debug_struct("AccessConfig");
        debug.field("listen", listen).field("token", &token).field("users", users);
        debug.field("behind_proxy", behind_proxy).field("tls", tls).field("hosts", hosts).finish()
    }
}

impl Debug for User {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, hash: _, role } = self;
        let hash = format_args!("(secret)");
        f.debug_struct("User").field("name", name).field("hash", &hash).field("role", role).finish()
    }
}

/// Logs a warning if every user of this machine may read a file with a token, hashes or a key. Callers that read such a
/// file for a [`AccessConfig`] must call it; this crate does so for the keys of certificates.
pub fn warn_of_readers(file: &Path) {
    if is_open_to_all(file) {
        tracing::warn!("everybody on this machine may read {}: take that away with chmod o-r", file.display());
    }
}

fn is_open_to_all(file: &Path) -> bool {
    file.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o004 != 0)
}

/// A host name, with or without a port.
fn host_name(text: &str) -> Option<String> {
    let port = text.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok());
    let (name, port) = port.map_or((text, ""), |(name, _)| text.split_at(name.len()));
    Host::parse(name).ok().map(|host| format!("{host}{port}"))
}

fn no_host(text: &str) -> AccessError {
    let what = format!("`{}` is no host name", text.escape_default());
    AccessError::of("server-name", what, "write it as in ops.example, without a scheme or a path")
}

fn check_token(token: &str) -> Result<(), AccessError> {
    if token.len() >= SHORTEST_TOKEN && token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(());
    }
    let what = format!("the token must have at least {SHORTEST_TOKEN} characters, printable and without blanks");
    Err(AccessError::of("token-file", what, "make one with `openssl rand -hex 32`"))
}

#[cfg(test)]
mod tests {
    use super::{AccessConfig, Credential, Role, User, is_open_to_all};
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn access(listen: &str) -> AccessConfig {
        AccessConfig::on(listen.parse().unwrap())
    }

    fn fault(access: &AccessConfig) -> String {
        access.check().unwrap_err().to_string()
    }

    #[test]
    fn secrets_are_not_printed() {
        let user = User { name: "olga".into(), hash: "$argon2id$hash".into(), role: Role::Operator };
        let access = AccessConfig { token: Some(TOKEN.to_owned()), users: vec![user], ..access("127.0.0.1:0") };
        let debug = format!("{access:?} {access:#?} {:?}", access.users);
        assert!(!debug.contains(TOKEN) && !debug.contains("argon2id"), "{debug}");
        assert!(debug.contains("olga") && debug.contains("token: Some((secret))"), "{debug}");
    }

    #[test]
    fn files_that_everybody_may_read_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, TOKEN).unwrap();
        for (mode, is_open) in [(0o600, false), (0o640, false), (0o644, true), (0o604, true)] {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_open_to_all(&file), is_open, "{mode:o}");
        }
        assert!(!is_open_to_all(&folder.path().join("nothing")) && !is_open_to_all("/dev/null".as_ref()));
    }

    #[test]
    fn a_credential_is_admitted_as_long_as_the_configuration_has_it() {
        let user = User { name: "olga".into(), hash: "one".into(), role: Role::Reader };
        let access = AccessConfig { token: Some(TOKEN.to_owned()), users: vec![user], ..access("127.0.0.1:0") };
        let by = |name: &str, hash: &str| Credential::User { name: name.to_owned(), hash: hash.to_owned() };
        assert_eq!(access.admits(&by("olga", "one")), Some(Role::Reader));
        assert_eq!(access.admits(&Credential::Token(TOKEN.to_owned())), Some(Role::Operator));
        for credential in [by("olga", "two"), by("rita", "one"), Credential::Token("another".to_owned())] {
            assert_eq!(access.admits(&credential), None);
        }
    }

    #[test]
    fn loopback_needs_nothing() {
        for listen in ["127.0.0.1:0", "[::1]:8311", "127.8.0.1:1"] {
            assert_eq!(access(listen).check(), Ok(()));
        }
    }

    #[test]
    fn other_addresses_need_authentication_and_tls() {
        for listen in ["0.0.0.0:8311", "[::]:8311", "192.0.2.1:1"] {
            let mut access = access(listen);
            assert!(fault(&access).contains("--token-file"), "{}", fault(&access));
            access.token = Some(TOKEN.to_owned());
            assert!(fault(&access).contains("in the clear"), "{}", fault(&access));
            access.behind_proxy = Some("https://ops.example".to_owned());
            assert_eq!(access.check(), Ok(()));
            (access.behind_proxy, access.tls) = (None, Some((PathBuf::new(), PathBuf::new())));
            assert_eq!(access.check_reach(), Ok(()));
        }
    }

    #[test]
    fn a_proxy_lets_others_in_to_a_loopback_address() {
        let access = AccessConfig { behind_proxy: Some("https://ops.example".to_owned()), ..access("127.0.0.1:0") };
        assert!(fault(&access).starts_with("flag --behind-proxy: other machines"), "{}", fault(&access));
    }

    #[test]
    fn invalid_values_are_reported_in_one_line() {
        let token = |text: &str| AccessConfig { token: Some(text.to_owned()), ..access("127.0.0.1:0") };
        assert!(fault(&token("short")).starts_with("flag --token-file"));
        assert!(fault(&token("0123456789 abcdef0123")).starts_with("flag --token-file"));
        for origin in ["http://ops.example", "ops.example", "https://ops.example/board", "https://a@ops.example"] {
            let access = AccessConfig { behind_proxy: Some(origin.to_owned()), ..token(TOKEN) };
            assert!(fault(&access).contains("no https origin"), "{origin}");
        }
        let user = |name: &str, hash: &str| User { name: name.into(), hash: hash.into(), role: Role::Reader };
        let hash = crate::hash_password("one").unwrap();
        for users in [vec![user("a", "plain")], vec![user("", &hash)], vec![user("a", &hash), user("a", &hash)]] {
            let debug = fault(&AccessConfig { users, ..access("127.0.0.1:0") });
            assert!(debug.starts_with("flag --users-file") && !debug.contains('\n'), "{debug}");
        }
    }
}
