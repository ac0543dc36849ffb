use super::*;

fn one(line: &str) -> Cookie {
    let mut cookies = parse_cookie_file(line).unwrap();
    assert_eq!(cookies.len(), 1);
    cookies.remove(0)
}

fn error(line: &str) -> CookieFileError {
    parse_cookie_file(line).unwrap_err()
}

#[test]
fn a_file_as_curl_writes_it_is_read() {
    let text = "# Netscape HTTP Cookie File\n# https://curl.se/docs/http-cookies.html\n\n\
        #HttpOnly_.example.com\tTRUE\t/app\tTRUE\t1893456000\tsid\tabc\n\
        www.example.com\tFALSE\t/\tFALSE\t0\tlang\tde\n";
    let cookies = parse_cookie_file(text).unwrap();
    assert_eq!(
        cookies,
        [
            Cookie {
                domain: "example.com".into(),
                subdomains: true,
                path: "/app".into(),
                secure: true,
                expires: Some("2030-01-01T00:00:00Z".parse().unwrap()),
                name: "sid".into(),
                value: "abc".into(),
            },
            Cookie {
                domain: "www.example.com".into(),
                subdomains: false,
                path: "/".into(),
                secure: false,
                expires: None,
                name: "lang".into(),
                value: "de".into(),
            },
        ]
    );
}

#[test]
fn line_ends_of_windows_byte_order_marks_and_lost_values_are_borne() {
    assert_eq!(one("\u{feff}a.example\tFALSE\t/\tFALSE\t0\tn\tv\r\n").value, "v");
    assert_eq!(one("a.example\tFALSE\t/\tFALSE\t0\tn").value, "");
    assert_eq!(
        one("a.example\tFALSE\t/\tFALSE\t1893456000.25\tn\tv").expires,
        one("a.example\tFALSE\t/\tFALSE\t1893456000\tn\tv").expires
    );
}

#[test]
fn a_line_that_is_no_cookie_is_named_by_its_number_and_not_quoted() {
    let fault = error("# comment\nsecret without tabs\n");
    assert_eq!(fault.line, 2);
    assert!(!fault.to_string().contains("secret"));
    assert_eq!(error("a\tMAYBE\t/\tFALSE\t0\tn\tv").line, 1);
    assert_eq!(error("a\tTRUE\t/\tFALSE\tsoon\tn\tv").line, 1);
    assert_eq!(error("a\tTRUE\t/\tFALSE\t0\tn\tv\tw").line, 1);
    assert_eq!(error("a\tTRUE\t/\tFALSE\t0\t\tv").line, 1);
}

#[test]
fn the_number_of_cookies_is_bounded() {
    let line = "a.example\tFALSE\t/\tFALSE\t0\tn\tv\n";
    assert_eq!(parse_cookie_file(&line.repeat(MAX_COOKIES)).unwrap().len(), MAX_COOKIES);
    assert_eq!(error(&line.repeat(MAX_COOKIES + 1)).line, MAX_COOKIES + 1);
}

#[test]
fn a_cookie_is_for_its_host_and_for_those_below_only_where_it_says_so() {
    let wide = one(".example.com\tTRUE\t/\tFALSE\t0\tn\tv");
    assert!(wide.matches_host("example.com"));
    assert!(wide.matches_host("WWW.Example.com."));
    assert!(!wide.matches_host("badexample.com"));
    let narrow = one("example.com\tFALSE\t/\tFALSE\t0\tn\tv");
    assert!(narrow.matches_host("example.com"));
    assert!(!narrow.matches_host("www.example.com"));
}

#[test]
fn the_debug_text_leaves_the_value_out() {
    assert!(!format!("{:?}", one("a.example\tFALSE\t/\tFALSE\t0\tn\tsecret")).contains("secret"));
}
