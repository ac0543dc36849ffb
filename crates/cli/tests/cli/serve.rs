//! What `serve` refuses before it serves.

use crate::support::Place;
use std::os::unix::fs::PermissionsExt;

/// A service of one job whose dashboard lets in the users of this file.
fn place(users: &str) -> Place {
    let file = "[job.shop]\nurl = [\"http://127.0.0.1:9/\"]\n\n[serve]\nlisten = \"127.0.0.1:0\"\n\
                state-root = \"state\"\nusers-file = \"users\"\n";
    let place = Place::new().file("mapwright.toml", file).file("users", users);
    // Else it is warned that everybody may read it.
    std::fs::set_permissions(place.path("users"), std::fs::Permissions::from_mode(0o600)).unwrap();
    place
}

#[test]
fn a_file_that_names_no_user_opens_no_door() {
    for users in ["", "\n\n", "# olga:operator:$argon2id$…\n"] {
        let told = place(users).run(&["serve"]).refused();
        assert!(told.starts_with("mapwright: it names no user: flag --users-file, users: "), "{told}");
    }
}
