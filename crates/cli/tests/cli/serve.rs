//! The configurations that `serve` refuses before it starts.

use crate::support::Workspace;
use std::os::unix::fs::PermissionsExt;

/// A service with one job, whose dashboard admits the users of this file.
fn place(users: &str) -> Workspace {
    let file = "[job.shop]\nurl = [\"http://127.0.0.1:9/\"]\n\n[serve]\nlisten = \"127.0.0.1:0\"\n\
                state-root = \"state\"\nusers-file = \"users\"\n";
    secret(Workspace::new().file("mapwright.toml", file), "users", users)
}

/// A file that only its owner may read: otherwise there is a warning.
fn secret(place: Workspace, name: &str, text: &str) -> Workspace {
    let place = place.file(name, text);
    std::fs::set_permissions(place.path(name), std::fs::Permissions::from_mode(0o600)).unwrap();
    place
}

#[test]
fn a_users_file_without_users_is_refused() {
    for users in ["", "\n\n", "# olga:operator:$argon2id$…\n"] {
        let output = place(users).run(&["serve"]).refused();
        let expected = " ERROR it names no user: file mapwright.toml line 7 key serve.users-file, users: ";
        assert!(output.contains(expected), "{output}");
    }
}

/// A flag, a variable and a key give the same error, each with its place; and `config check` refuses whatever `serve`
/// refuses.
#[test]
fn access_errors_are_reported_with_the_place_of_the_setting() {
    let job = "[job.shop]\nurl = [\"http://127.0.0.1:9/\"]\n[serve]\nstate-root = \"state\"\n";
    for (setting, value, what) in [
        ("listen", "nowhere", "`nowhere` is no address with a port"),
        ("token-file", "none", "cannot read `none`"),
        ("users-file", "none", "cannot read `none`"),
        ("behind-proxy", "http://ops.example/", "`http://ops.example/` is no https origin"),
        ("server-name", "http://ops.example/", "`http://ops.example/` is no host name"),
        ("server-name", "ops example", "`ops example` holds a comma or a blank"),
        ("tls-cert", "junk", "TLS needs both a certificate and its key"),
    ] {
        let quoted = if setting == "server-name" { format!("[\"{value}\"]") } else { format!("\"{value}\"") };
        let listen = if setting == "listen" { "" } else { "listen = \"127.0.0.1:0\"\n" };
        let token = if setting == "behind-proxy" { "token-file = \"token\"\n" } else { "" };
        let place = secret(Workspace::new(), "token", "0123456789abcdef").file("junk", "junk");
        let place = place.file("mapwright.toml", format!("{job}{setting} = {quoted}\n{listen}{token}"));
        for words in [&["serve"][..], &["config", "check"]] {
            let output = place.run(words).refused();
            let expected = format!("file mapwright.toml line 5 key serve.{setting}");
            assert!(output.contains(what) && output.contains(&expected), "{setting}: {output}");
        }
        let place = secret(Workspace::new(), "token", "0123456789abcdef")
            .file("mapwright.toml", format!("{job}{listen}{token}"));
        let output = place.run(&["serve", &format!("--{setting}={value}")]).refused();
        assert!(output.contains(what) && output.contains(&format!("flag --{setting}")), "{setting}: {output}");
    }
}

#[test]
fn a_certificate_that_is_none_is_refused_before_anything_is_served() {
    let file = "[job.shop]\nurl = [\"http://127.0.0.1:9/\"]\n[serve]\nlisten = \"127.0.0.1:0\"\nstate-root = \"state\"\n\
                tls-cert = \"junk\"\ntls-key = \"junk\"\n";
    for words in [&["serve"][..], &["config", "check"]] {
        let output = Workspace::new().file("mapwright.toml", file).file("junk", "junk").run(words).refused();
        let expected = " no certificate in it: file mapwright.toml line 6 key serve.tls-cert, junk: ";
        assert!(output.contains(expected), "{output}");
    }
}

/// A browser's field takes one line, and the dashboard limits the length of passwords.
#[test]
fn a_password_that_cannot_be_entered_is_not_hashed() {
    let hashed = |input: &[u8]| Workspace::new().run_with(&["jobs", "hash-password"], input);
    for (input, what) in [
        (b"\n".to_vec(), "the password is empty"),
        (b"one\ntwo\n".to_vec(), "the password has more than one line"),
        (vec![b'x'; 1025], "the password is longer than 1024 bytes"),
    ] {
        let output = hashed(&input).refused();
        assert!(output.starts_with(&format!("mapwright: {what}: standard input: ")), "{output}");
    }
    for input in [b"one line\r\n".to_vec(), vec![b'x'; 1024]] {
        assert!(hashed(&input).done().starts_with("$argon2"));
    }
}
