use super::SafeWriter;
use std::io::Write;

#[test]
fn a_safe_writer_takes_any_bytes() {
    let mut out = SafeWriter(Vec::new());
    out.write_all(b"a\x1b\xffb\n").unwrap();
    assert_eq!(String::from_utf8(out.0).unwrap(), "a\\u001b\u{fffd}b\n");
}
