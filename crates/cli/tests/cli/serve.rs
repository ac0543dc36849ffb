//! What `serve` refuses before it serves.

use crate::support::Place;
use std::os::unix::fs::PermissionsExt;

/// A service of one job whose dashboard lets in the users of this file.
fn place(users: &str) -> Place {
    let file = "[job.shop]\nurl = [\"http://127.0.0.1:9/\"]\n\n[serve]\nlisten = \"127.0.0.1:0\"\n\
                state-root = \"state\"\nusers-file = \"users\"\n";
    secret(Place::new().file("mapwright.toml", file), "users", users)
}

/// A file that only we may read: else it is warned of it.
fn secret(place: Place, name: &str, text: &str) -> Place {
    let place = place.file(name, text);
    std::fs::set_permissions(place.path(name), std::fs::Permissions::from_mode(0o600)).unwrap();
    place
}

#[test]
fn a_file_that_names_no_user_opens_no_door() {
    for users in ["", "\n\n", "# olga:operator:$argon2id$…\n"] {
        let told = place(users).run(&["serve"]).refused();
        let expected = " ERROR it names no user: file mapwright.toml line 7 key serve.users-file, users: ";
        assert!(told.contains(expected), "{told}");
    }
}

/// A flag, a variable and a key give the same error, each at its place; and what `serve` refuses, `config check` does.
#[test]
fn what_is_wrong_with_the_door_is_told_where_it_was_written() {
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
        let place = secret(Place::new(), "token", "0123456789abcdef").file("junk", "junk");
        let place = place.file("mapwright.toml", format!("{job}{setting} = {quoted}\n{listen}{token}"));
        for words in [&["serve"][..], &["config", "check"]] {
            let told = place.run(words).refused();
            let expected = format!("file mapwright.toml line 5 key serve.{setting}");
            assert!(told.contains(what) && told.contains(&expected), "{setting}: {told}");
        }
        let place =
            secret(Place::new(), "token", "0123456789abcdef").file("mapwright.toml", format!("{job}{listen}{token}"));
        let told = place.run(&["serve", &format!("--{setting}={value}")]).refused();
        assert!(told.contains(what) && told.contains(&format!("flag --{setting}")), "{setting}: {told}");
    }
}

#[test]
fn a_certificate_that_is_none_is_refused_before_anything_is_served() {
    let file = "[job.shop]\nurl = [\"http://127.0.0.1:9/\"]\n[serve]\nlisten = \"127.0.0.1:0\"\nstate-root = \"state\"\n\
                tls-cert = \"junk\"\ntls-key = \"junk\"\n";
    for words in [&["serve"][..], &["config", "check"]] {
        let told = Place::new().file("mapwright.toml", file).file("junk", "junk").run(words).refused();
        let expected = " no certificate in it: file mapwright.toml line 6 key serve.tls-cert, junk: ";
        assert!(told.contains(expected), "{told}");
    }
}

/// A browser's field takes one line, and the door no more than so many bytes.
#[test]
fn a_password_that_nobody_could_give_is_not_hashed() {
    let hashed = |input: &[u8]| Place::new().run_with(&["jobs", "hash-password"], input);
    for (input, what) in [
        (b"\n".to_vec(), "the password is empty"),
        (b"one\ntwo\n".to_vec(), "the password has more than one line"),
        (vec![b'x'; 1025], "the password is longer than 1024 bytes"),
    ] {
        let told = hashed(&input).refused();
        assert!(told.starts_with(&format!("mapwright: {what}: standard input: ")), "{told}");
    }
    for input in [b"one line\r\n".to_vec(), vec![b'x'; 1024]] {
        assert!(hashed(&input).done().starts_with("$argon2"));
    }
}
