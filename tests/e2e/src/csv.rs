//! Comma-separated values, read strictly.

/// Reads CSV by RFC 4180; a bare line feed is also accepted as a line break.
#[track_caller]
pub fn read(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut chars) = (false, text.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => cell.extend(chars.next()),
            '"' if quoted => {
                quoted = false;
                assert!(matches!(chars.peek(), None | Some(',' | '\r' | '\n')), "text after a closing quote: {text}");
            }
            '"' => {
                assert!(cell.is_empty(), "a quote in a cell without quotes: {text}");
                quoted = true;
            }
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => assert_eq!(chars.peek(), Some(&'\n'), "a bare carriage return: {text}"),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(c),
        }
    }
    assert!(!quoted && cell.is_empty() && row.is_empty(), "it does not end with a line: {text}");
    rows
}
