use std::io::{Read, Write};

use super::*;

fn get(nginx: &Nginx, path: &str) -> String {
    let mut stream = TcpStream::connect(nginx.address()).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", nginx.address()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn site_of(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

#[test]
fn directories_are_served_under_their_prefixes() {
    let one = site_of(&[("index.html", "<h1>One</h1>"), ("a.html", "page a")]);
    let two = site_of(&[("index.html", "<h1>Two</h1>")]);
    let nginx = Nginx::serve(&[("/one/", one.path()), ("/deep/two/", two.path())]).unwrap();

    let answer = get(&nginx, "/one/");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("Content-Type: text/html"), "{answer}");
    assert!(answer.ends_with("<h1>One</h1>"));
    assert!(get(&nginx, "/one/a.html").ends_with("page a"));
    assert!(get(&nginx, "/deep/two/index.html").ends_with("<h1>Two</h1>"));
    assert!(get(&nginx, "/").starts_with("HTTP/1.1 404"));
    assert!(nginx.access_log().unwrap().contains(&"GET /one/a.html 200".to_owned()));
}

#[test]
fn the_root_may_be_served_too() {
    let root = site_of(&[("index.html", "home")]);
    let part = site_of(&[("index.html", "part")]);
    let nginx = Nginx::serve(&[("/", root.path()), ("/part/", part.path())]).unwrap();
    assert!(get(&nginx, "/").ends_with("home"));
    assert!(get(&nginx, "/part/").ends_with("part"));
}

#[test]
fn the_port_is_free_again_after_the_end() {
    let root = site_of(&[("index.html", "home")]);
    let nginx = Nginx::serve(&[("/", root.path())]).unwrap();
    let address = nginx.address();
    drop(nginx);
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn a_directory_that_is_missing_is_named() {
    let error = Nginx::serve(&[("/", "/no/such/directory")]).unwrap_err();
    assert!(error.to_string().contains("/no/such/directory"), "{error}");
}

#[test]
fn a_prefix_must_be_one() {
    let root = site_of(&[]);
    let error = Nginx::serve(&[("docs", root.path())]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
}
