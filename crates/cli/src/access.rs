//! The access configuration of the dashboard, from settings.

use crate::failure::Failure;
use crate::input;
use mapwright_dashboard::{AccessConfig, AccessError, Role, User, warn_of_readers};
use mapwright_settings::{Loaded, SettingOrigin, SettingSource};
use std::net::SocketAddr;
use std::path::Path;

/// Maximum size of a file with a token or users, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// The access configuration of the dashboard; `None` where none is served.
pub(crate) fn access(loaded: &Loaded) -> Result<Option<AccessConfig>, Failure> {
    let serve = &loaded.settings.serve;
    let place = |setting| place(&loaded.origins, setting);
    let Some(listen) = &serve.listen else { return Ok(None) };
    let listen: SocketAddr = listen.parse().map_err(|_| {
        let what = format!("`{listen}` is no address with a port");
        Failure::usage(what, place("listen"), "write it as in 127.0.0.1:8470 or [::1]:8470")
    })?;
    let tls = match (&serve.tls_cert, &serve.tls_key) {
        (Some(cert), Some(key)) => Some((cert.clone(), key.clone())),
        (None, None) => None,
        (certificate, _) => {
            let given = if certificate.is_some() { "tls-cert" } else { "tls-key" };
            let what = "TLS needs both a certificate and its key";
            return Err(Failure::usage(what, place(given), "give both, or neither"));
        }
    };
    let token = serve.token_file.as_deref().map(|path| text(path, &place("token-file"))).transpose()?;
    let users = serve.users_file.as_deref().map_or(Ok(Vec::new()), |path| users(path, &place("users-file")))?;
    if let (Some(path), None, true) = (&serve.users_file, &token, users.is_empty()) {
        return Err(names_nobody(path, &place("users-file")));
    }
    let access = AccessConfig {
        listen,
        token: token.map(|token| token.trim().to_owned()),
        users,
        behind_proxy: serve.behind_proxy.clone(),
        tls,
        hosts: serve.server_name.clone(),
    };
    access.check().map_err(|error| located(error, &loaded.origins))?;
    Ok(Some(access))
}

/// The place where a setting of `[serve]` was written.
fn place(origins: &[SettingOrigin], setting: &str) -> String {
    let written = |origin: &&SettingOrigin| origin.key.strip_prefix("serve.") == Some(setting);
    match origins.iter().find(written).map(|origin| &origin.set_at) {
        None | Some(SettingSource::Default) => format!("flag --{setting}"),
        Some(place) => place.to_string(),
    }
}

/// Converts an error, and adds the place where the setting at fault was written.
pub(crate) fn located(error: AccessError, origins: &[SettingOrigin]) -> Failure {
    let place = match error.setting {
        Some(setting) => error.place.replacen(&format!("flag --{setting}"), &place(origins, setting), 1),
        None => error.place,
    };
    Failure::usage(error.what, place, error.hint)
}

/// Reads the users of a file, one per line; blank lines and lines with `#` are skipped.
fn users(path: &Path, place: &str) -> Result<Vec<User>, Failure> {
    let text = text(path, place)?;
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(at, line)| user(line).ok_or_else(|| malformed(path, at, place))).collect()
}

/// The failure for a users file without users: without a user and a token there would be no authentication, which is
/// not what naming a file means.
fn names_nobody(path: &Path, place: &str) -> Failure {
    let place = format!("{place}, {}", path.display());
    Failure::usage("it names no user", place, "write a line NAME:ROLE:HASH, or leave the flag to let everybody in")
}

/// Parses `NAME:ROLE:HASH`.
fn user(line: &str) -> Option<User> {
    let (name, rest) = line.split_once(':')?;
    let (role, hash) = rest.split_once(':')?;
    let role = match role {
        "reader" => Role::Reader,
        "operator" => Role::Operator,
        _ => return None,
    };
    Some(User { name: name.to_owned(), hash: hash.to_owned(), role })
}

fn malformed(path: &Path, line: usize, place: &str) -> Failure {
    let place = format!("{place}, {} line {line}", path.display());
    let hint = "write NAME:ROLE:HASH, the role being reader or operator (`mapwright jobs hash-password` makes hashes)";
    Failure::usage("it names no user", place, hint)
}

/// Reads the text of a file that contains a secret.
fn text(path: &Path, place: &str) -> Result<String, Failure> {
    warn_of_readers(path);
    let bytes = input::read(&path.display().to_string(), MAX_FILE, place)?;
    String::from_utf8(bytes).map_err(|_| Failure::usage("the file is not UTF-8", place, "write it in UTF-8"))
}

impl From<AccessError> for Failure {
    fn from(error: AccessError) -> Failure {
        Failure::usage(error.what, error.place, error.hint)
    }
}
