//! Who may come in, and by which way.

use crate::{password, tls};
use std::collections::BTreeSet;
use std::fmt::{self, Debug, Display, Formatter};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tokio_rustls::TlsAcceptor;
use url::{Host, Url};

/// Characters of the shortest token that is taken: less can be guessed.
const SHORTEST_TOKEN: usize = 16;

/// Where the dashboard listens, under which names it is reached, and who may come in. Printed, it says `(secret)` for
/// what must not be told.
#[derive(Clone)]
pub struct Door {
    /// The address and port; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Who has this is an operator.
    pub token: Option<String>,
    /// Who may log in.
    pub users: Vec<User>,
    /// The public origin, such as `https://ops.example`, of a proxy in front that speaks TLS.
    pub behind_proxy: Option<String>,
    /// Files of a certificate chain and of its key, in PEM: TLS is spoken here.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Further names (with a port, or for any port) that it is reached by. Addresses and `localhost` need no mention.
    pub hosts: Vec<String>,
}

/// Somebody who may log in. Printed, it does not tell the hash.
#[derive(Clone, PartialEq, Eq)]
pub struct User {
    /// The name.
    pub name: String,
    /// The password's hash, as [`crate::hash_password`] gives it.
    pub hash: String,
    /// What it allows.
    pub role: Role,
}

/// What somebody may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// See everything.
    Reader,
    /// Start, stop and pause jobs, too.
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

/// Why the dashboard cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}; {remedy}")]
pub struct DoorError {
    /// What is wrong.
    pub what: String,
    /// Where.
    pub place: String,
    /// What to do.
    pub remedy: String,
    /// The setting of `[serve]` that is at fault, where it is one: `place` begins with its flag.
    pub setting: Option<&'static str>,
}

impl DoorError {
    pub(crate) fn new(place: impl Into<String>, what: impl Display, remedy: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.to_string(), remedy: remedy.into(), setting: None }
    }

    /// What is wrong with a setting.
    pub(crate) fn of(setting: &'static str, what: impl Display, remedy: impl Into<String>) -> Self {
        Self { setting: Some(setting), ..Self::new(format!("flag --{setting}"), what, remedy) }
    }

    /// Says which of the things that the setting speaks of is meant.
    pub(crate) fn at(self, which: impl Display) -> Self {
        Self { place: format!("{}, {which}", self.place), ..self }
    }
}

/// What somebody came in by. Their session ends when the door takes it no more.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Pass {
    Token(String),
    User { name: String, hash: String },
}

impl Pass {
    /// Who it is; a token is nobody in particular.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Token(_) => None,
            Self::User { name, .. } => Some(name),
        }
    }
}

impl Door {
    /// A door on this address that asks for nothing, which only loopback addresses may have.
    #[must_use]
    pub fn on(listen: SocketAddr) -> Self {
        Self { listen, token: None, users: Vec::new(), behind_proxy: None, tls: None, hosts: Vec::new() }
    }

    /// Sees whether it is safe to open.
    ///
    /// # Errors
    /// When others than this machine's users could come in unasked, secrets would cross the network in the clear, or
    /// a part of it makes no sense.
    pub fn check(&self) -> Result<(), DoorError> {
        self.check_reach()?;
        self.token.as_deref().map_or(Ok(()), check_token)?;
        self.check_users()?;
        self.names()?;
        self.acceptor()?;
        self.public_origin().map(drop)
    }

    /// What speaks TLS, where the door does.
    pub(crate) fn acceptor(&self) -> Result<Option<TlsAcceptor>, DoorError> {
        self.tls.as_ref().map(|(chain, key)| tls::acceptor(chain, key)).transpose()
    }

    /// The names that it is asked for by, as browsers write them: in lower case, and international ones in ASCII.
    pub(crate) fn names(&self) -> Result<Vec<String>, DoorError> {
        self.hosts.iter().map(|text| host_name(text).ok_or_else(|| no_host(text))).collect()
    }

    fn check_reach(&self) -> Result<(), DoorError> {
        let beyond = !self.listen.ip().is_loopback();
        if (beyond || self.behind_proxy.is_some()) && self.is_open() {
            let setting = if beyond { "listen" } else { "behind-proxy" };
            let what = "other machines can reach the dashboard, and whoever does could start and stop jobs";
            return Err(DoorError::of(
                setting,
                what,
                "give --token-file or --users-file, or listen on 127.0.0.1 alone",
            ));
        }
        if beyond && self.behind_proxy.is_none() && self.tls.is_none() {
            let what = format!("passwords would cross the network to {} in the clear", self.listen.ip());
            let remedy = "give a certificate with --tls-cert and --tls-key, or put a proxy that speaks TLS in front and name it with \
                          --behind-proxy https://…";
            return Err(DoorError::of("listen", what, remedy));
        }
        Ok(())
    }

    fn check_users(&self) -> Result<(), DoorError> {
        let mut names = BTreeSet::new();
        for user in &self.users {
            let fault = |what: &str, remedy: &str| {
                Err(DoorError::of("users-file", what, remedy).at(format!("user `{}`", user.name.escape_default())))
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

    /// What somebody may do who came in by this; nothing where it is taken no more.
    pub(crate) fn admits(&self, pass: &Pass) -> Option<Role> {
        match pass {
            Pass::Token(token) => (self.token.as_ref() == Some(token)).then_some(Role::Operator),
            Pass::User { name, hash } => {
                self.users.iter().find(|user| user.name == *name && user.hash == *hash).map(|user| user.role)
            }
        }
    }

    /// Nobody is asked who they are.
    pub(crate) fn is_open(&self) -> bool {
        self.token.is_none() && self.users.is_empty()
    }

    /// Visitors come by https.
    pub(crate) fn is_https(&self) -> bool {
        self.tls.is_some() || self.behind_proxy.is_some()
    }

    /// The origin that the proxy in front shows.
    pub(crate) fn public_origin(&self) -> Result<Option<Url>, DoorError> {
        let Some(text) = &self.behind_proxy else { return Ok(None) };
        let url = Url::parse(text).ok().filter(|url| {
            let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
            url.scheme() == "https" && url.host().is_some() && bare && url.username().is_empty()
        });
        let fault = || {
            let what = format!("`{}` is no https origin", text.escape_default());
            DoorError::of("behind-proxy", what, "write it as in https://ops.example, without a path")
        };
        url.map(Some).ok_or_else(fault)
    }
}

impl Debug for Door {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { listen, token, users, behind_proxy, tls, hosts } = self;
        let token = token.as_ref().map(|_| format_args!("(secret)"));
        let mut told = f.debug_struct("Door");
        told.field("listen", listen).field("token", &token).field("users", users);
        told.field("behind_proxy", behind_proxy).field("tls", tls).field("hosts", hosts).finish()
    }
}

impl Debug for User {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, hash: _, role } = self;
        let hash = format_args!("(secret)");
        f.debug_struct("User").field("name", name).field("hash", &hash).field("role", role).finish()
    }
}

/// Logs a warning where everybody on this machine may read a file that holds a token, hashes or a key. Whoever reads
/// such a file for a [`Door`] calls it; keys of certificates are seen to here.
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

fn no_host(text: &str) -> DoorError {
    let what = format!("`{}` is no host name", text.escape_default());
    DoorError::of("server-name", what, "write it as in ops.example, without a scheme or a path")
}

fn check_token(token: &str) -> Result<(), DoorError> {
    if token.len() >= SHORTEST_TOKEN && token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(());
    }
    let what = format!("the token must have at least {SHORTEST_TOKEN} characters, printable and without blanks");
    Err(DoorError::of("token-file", what, "make one with `openssl rand -hex 32`"))
}

#[cfg(test)]
mod tests {
    use super::{Door, Pass, Role, User, is_open_to_all};
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn door(listen: &str) -> Door {
        Door::on(listen.parse().unwrap())
    }

    fn fault(door: &Door) -> String {
        door.check().unwrap_err().to_string()
    }

    #[test]
    fn what_must_not_be_told_is_not_printed() {
        let user = User { name: "olga".into(), hash: "$argon2id$hash".into(), role: Role::Operator };
        let door = Door { token: Some(TOKEN.to_owned()), users: vec![user], ..door("127.0.0.1:0") };
        let told = format!("{door:?} {door:#?} {:?}", door.users);
        assert!(!told.contains(TOKEN) && !told.contains("argon2id"), "{told}");
        assert!(told.contains("olga") && told.contains("token: Some((secret))"), "{told}");
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
    fn a_pass_is_taken_as_long_as_the_door_holds_it() {
        let user = User { name: "olga".into(), hash: "one".into(), role: Role::Reader };
        let door = Door { token: Some(TOKEN.to_owned()), users: vec![user], ..door("127.0.0.1:0") };
        let by = |name: &str, hash: &str| Pass::User { name: name.to_owned(), hash: hash.to_owned() };
        assert_eq!(door.admits(&by("olga", "one")), Some(Role::Reader));
        assert_eq!(door.admits(&Pass::Token(TOKEN.to_owned())), Some(Role::Operator));
        for pass in [by("olga", "two"), by("rita", "one"), Pass::Token("another".to_owned())] {
            assert_eq!(door.admits(&pass), None);
        }
    }

    #[test]
    fn loopback_needs_nothing() {
        for listen in ["127.0.0.1:0", "[::1]:8311", "127.8.0.1:1"] {
            assert_eq!(door(listen).check(), Ok(()));
        }
    }

    #[test]
    fn other_addresses_need_someone_to_be_asked_and_a_safe_way() {
        for listen in ["0.0.0.0:8311", "[::]:8311", "192.0.2.1:1"] {
            let mut door = door(listen);
            assert!(fault(&door).contains("--token-file"), "{}", fault(&door));
            door.token = Some(TOKEN.to_owned());
            assert!(fault(&door).contains("in the clear"), "{}", fault(&door));
            door.behind_proxy = Some("https://ops.example".to_owned());
            assert_eq!(door.check(), Ok(()));
            (door.behind_proxy, door.tls) = (None, Some((PathBuf::new(), PathBuf::new())));
            assert_eq!(door.check_reach(), Ok(()));
        }
    }

    #[test]
    fn a_proxy_lets_others_in_to_a_loopback_address() {
        let door = Door { behind_proxy: Some("https://ops.example".to_owned()), ..door("127.0.0.1:0") };
        assert!(fault(&door).starts_with("flag --behind-proxy: other machines"), "{}", fault(&door));
    }

    #[test]
    fn what_makes_no_sense_is_told_in_one_line() {
        let token = |text: &str| Door { token: Some(text.to_owned()), ..door("127.0.0.1:0") };
        assert!(fault(&token("short")).starts_with("flag --token-file"));
        assert!(fault(&token("0123456789 abcdef0123")).starts_with("flag --token-file"));
        for origin in ["http://ops.example", "ops.example", "https://ops.example/board", "https://a@ops.example"] {
            let door = Door { behind_proxy: Some(origin.to_owned()), ..token(TOKEN) };
            assert!(fault(&door).contains("no https origin"), "{origin}");
        }
        let user = |name: &str, hash: &str| User { name: name.into(), hash: hash.into(), role: Role::Reader };
        let hash = crate::hash_password("one").unwrap();
        for users in [vec![user("a", "plain")], vec![user("", &hash)], vec![user("a", &hash), user("a", &hash)]] {
            let told = fault(&Door { users, ..door("127.0.0.1:0") });
            assert!(told.starts_with("flag --users-file") && !told.contains('\n'), "{told}");
        }
    }
}
