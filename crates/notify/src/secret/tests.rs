use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{MAX_SECRET, Secret, SecretError, open_to_all};

fn from(bytes: &[u8]) -> Result<Secret, SecretError> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secret");
    fs::write(&path, bytes).unwrap();
    Secret::from_file(&path)
}

#[test]
fn it_is_never_printed() {
    let secret = Secret::new("hunter2");
    assert_eq!(format!("{secret} {secret:?} {:?}", Some(&secret)), "(secret) (secret) Some((secret))");
}

#[test]
fn one_newline_at_the_end_is_cut() {
    for (bytes, secret) in [("a b", "a b"), ("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), (" a ", " a ")] {
        assert_eq!(from(bytes.as_bytes()).unwrap().expose(), secret, "{bytes:?}");
    }
}

#[test]
fn files_without_a_secret_are_refused_without_showing_their_content() {
    assert!(matches!(from(b""), Err(SecretError::Empty(_))));
    assert!(matches!(from(b"\r\n"), Err(SecretError::Empty(_))));
    assert!(matches!(from(b"hunter2\xff"), Err(SecretError::NotText(_))));
    assert!(from(&vec![b'a'; MAX_SECRET]).is_ok());
    assert!(matches!(from(&vec![b'a'; MAX_SECRET + 1]), Err(SecretError::Long(_))));
    let reported = format!("{0} {0:?}", from(b"hunter2\xff").unwrap_err());
    assert!(!reported.contains("hunter2"), "{reported}");
}

#[test]
fn an_endless_file_ends() {
    assert!(matches!(Secret::from_file("/dev/zero".as_ref()), Err(SecretError::Long(_))));
}

#[test]
fn a_file_that_is_missing_is_named() {
    let reported = Secret::from_file("/nowhere/password".as_ref()).unwrap_err().to_string();
    assert!(reported.contains("/nowhere/password") && reported.contains("No such file"), "{reported}");
}

#[test]
fn a_file_open_to_all_is_detected_and_read_all_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secret");
    fs::write(&path, "a").unwrap();
    for (mode, open) in [(0o600, false), (0o640, false), (0o644, true)] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(open_to_all(&fs::metadata(&path).unwrap()), open, "{mode:o}");
        assert_eq!(Secret::from_file(&path).unwrap().expose(), "a");
    }
}
