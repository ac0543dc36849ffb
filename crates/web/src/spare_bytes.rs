//! The bytes of a style sheet or script that a minifier leaves out.

/// Counts the bytes of line ends, of blanks at the beginnings and ends of lines, and of comments that fill lines:
/// what a minifier leaves out at least. Renamed variables are not counted, and neither are the texts of such licence
/// comments as begin with `/*!`, which minifiers keep.
#[must_use]
pub fn spare_bytes(code: &str) -> usize {
    let mut comment = Comment::None;
    code.split_inclusive('\n')
        .map(|line| {
            let text = line.trim();
            let spare = match comment {
                Comment::None if text.starts_with("//") && !text.starts_with("//!") => line.len(),
                Comment::None => {
                    comment = Comment::beginning(text);
                    if comment == Comment::Spare { line.len() } else { line.len() - text.len() }
                }
                Comment::Spare => line.len(),
                Comment::Kept => 0,
            };
            if comment != Comment::None && text.contains("*/") {
                comment = Comment::None;
            }
            spare
        })
        .sum()
}

/// The comment of several lines in which a line begins.
#[derive(Clone, Copy, PartialEq)]
enum Comment {
    None,
    Spare,
    Kept,
}

impl Comment {
    /// The comment with which a line begins, if nothing but it is on the line.
    fn beginning(line: &str) -> Self {
        let has_code = line.split_once("*/").is_some_and(|(_, after)| !after.is_empty());
        match () {
            () if has_code => Self::None,
            () if line.starts_with("/*!") => Self::Kept,
            () if line.starts_with("/*") => Self::Spare,
            () => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_comments_are_spare_and_code_is_not() {
        assert_eq!(spare_bytes("a{b:c}"), 0);
        assert_eq!(spare_bytes("a {\n    b: c;\n}\n"), 1 + 5 + 1);
        assert_eq!(spare_bytes("// what\nf();"), 8);
        assert_eq!(spare_bytes("/* one */\na{}"), 10);
        assert_eq!(spare_bytes("/* one\n   two */\na{}"), 17);
        assert_eq!(spare_bytes("/*! licence\n (c) */a{}"), 1);
        assert_eq!(spare_bytes("/* x */ a{}"), 0);
        assert_eq!(spare_bytes("\"http://a\""), 0);
        assert_eq!(spare_bytes(""), 0);
    }
}
