use super::*;

fn request(head: &str) -> ReceivedRequest {
    ReceivedRequest::parse(head.as_bytes(), 1).expect("a request")
}

#[test]
fn a_head_is_read_field_by_field() {
    let read = request("GET /a?b=c HTTP/1.1\r\nHost: example.test:8080\r\nX-One:  two ");
    assert_eq!((read.method.as_str(), read.path(), read.query()), ("GET", "/a", Some("b=c")));
    assert_eq!(read.header("x-ONE"), Some("two"));
    assert_eq!(read.host(), "example.test");
}

#[test]
fn an_absolute_target_names_its_own_host() {
    let read = request("GET http://other.test:81/x?y HTTP/1.1\r\nHost: example.test");
    assert_eq!((read.host(), read.path(), read.query()), ("other.test", "/x", Some("y")));
}

#[test]
fn a_path_without_query_stands_for_every_query_of_it() {
    let read = request("GET /a?b HTTP/1.1\r\nHost: h.test");
    assert!(read.is_for("/a") && read.is_for("/a?b") && read.is_for("//h.test/a"));
    assert!(!read.is_for("/a?c") && !read.is_for("//other.test/a"));
}

#[test]
fn bytes_that_are_not_http_are_no_request() {
    assert!(ReceivedRequest::parse(b"\x16\x03\x01", 1).is_none());
    assert!(ReceivedRequest::parse(b"GET /", 1).is_none());
}
