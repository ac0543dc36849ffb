//! The content codings (RFC 9110, section 8.4) and transfer codings (RFC 9112, section 7) of a body.

/// Maximum number of stacked codings; in practice there are two at most.
const MAX_CODINGS: usize = 4;

/// The codings that requests accept, by preference.
pub(crate) const ACCEPT_ENCODING: &str = "gzip, br, zstd, deflate";

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// RFC 1952, including several consecutive members.
    Gzip,
    /// RFC 1950, or bare RFC 1951, which some servers send.
    Deflate,
    /// RFC 7932.
    Brotli,
    /// RFC 8878.
    Zstd,
}

/// The names of the codings.
const NAMES: [(&str, Coding); 5] = [
    ("gzip", Coding::Gzip),
    ("br", Coding::Brotli),
    ("zstd", Coding::Zstd),
    ("deflate", Coding::Deflate),
    ("x-gzip", Coding::Gzip),
];

/// Values that servers send as a coding although they are none, so that the body needs no decoding: charsets that
/// belong in `Content-Type`, encodings of mail (RFC 2045, section 6), and values that object stores keep of an upload.
const NO_CODINGS: [&str; 14] = [
    "identity",
    "none",
    "plain",
    "text",
    "7bit",
    "8bit",
    "binary",
    "utf-8",
    "utf8",
    "us-ascii",
    "iso-8859-1",
    "windows-1252",
    "chunked",
    "aws-chunked",
];

/// Parses the codings from every `Content-Encoding` value, in the order in which they were applied.
///
/// # Errors
/// A coding that is unknown, or too many of them: the body cannot be read.
pub(crate) fn parse<'v>(values: impl Iterator<Item = &'v str>) -> Result<Vec<Coding>, String> {
    let mut codings = Vec::new();
    for name in values.flat_map(|value| value.split(',')).map(str::trim) {
        let Some(coding) = coding(name)? else { continue };
        if codings.len() == MAX_CODINGS {
            return Err(format!("more than {MAX_CODINGS} content codings are stacked"));
        }
        codings.push(coding);
    }
    Ok(codings)
}

/// Checks that the body has no transfer coding but `chunked`, which the HTTP client decodes. Requests offer no other
/// (they have no `TE` field), and bytes in another one are not the body (RFC 9112, sections 6.1 and 7).
///
/// # Errors
/// A transfer coding of another name: the body cannot be read.
pub(crate) fn check_transfer<'v>(values: impl Iterator<Item = &'v str>) -> Result<(), String> {
    let mut names = values.flat_map(|value| value.split(',')).map(str::trim);
    let is_plain = |name: &str| ["", "chunked", "identity"].iter().any(|plain| name.eq_ignore_ascii_case(plain));
    match names.find(|name| !is_plain(name)) {
        None => Ok(()),
        Some(name) => Err(format!("the transfer coding `{}` was not offered", shown(name))),
    }
}

/// A name from a server, shortened and without control characters, for messages.
fn shown(name: &str) -> String {
    name.chars().take(40).filter(|character| !character.is_control()).collect()
}

/// Returns the coding of a name; `None` where the name means no coding.
fn coding(name: &str) -> Result<Option<Coding>, String> {
    if name.is_empty() || NO_CODINGS.iter().any(|none| name.eq_ignore_ascii_case(none)) {
        return Ok(None);
    }
    match NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) {
        Some(&(_, coding)) => Ok(Some(coding)),
        None => Err(format!("the content coding `{}` is unknown", shown(name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codings_are_read_in_order_from_all_values_in_any_case() {
        let values = ["GZIP, identity", "", "x-gzip ,br", "deflate"];
        assert_eq!(parse(values.into_iter()), Ok(vec![Coding::Gzip, Coding::Gzip, Coding::Brotli, Coding::Deflate]));
        assert_eq!(parse(["zstd"].into_iter()), Ok(vec![Coding::Zstd]));
        assert_eq!(parse(std::iter::empty()), Ok(vec![]));
    }

    #[test]
    fn values_that_are_no_coding_leave_the_body_unchanged() {
        for value in ["", "identity", "UTF-8", "none", "binary", "8bit", "chunked", "iso-8859-1"] {
            assert_eq!(parse([value].into_iter()), Ok(vec![]), "{value}");
        }
        assert_eq!(parse(["aws-chunked,gzip"].into_iter()), Ok(vec![Coding::Gzip]));
    }

    #[test]
    fn an_unknown_coding_is_named() {
        assert_eq!(parse(["gzip, rot13"].into_iter()), Err("the content coding `rot13` is unknown".to_owned()));
    }

    #[test]
    fn chunked_is_the_only_transfer_coding() {
        for values in [&[][..], &["chunked"], &["Chunked", ""], &["identity"]] {
            assert_eq!(check_transfer(values.iter().copied()), Ok(()), "{values:?}");
        }
        for value in ["gzip", "gzip, chunked", "x-gzip;q=1", "deflate"] {
            let name = value.split(',').next().unwrap_or_default();
            assert_eq!(
                check_transfer([value].into_iter()),
                Err(format!("the transfer coding `{name}` was not offered"))
            );
        }
    }

    #[test]
    fn no_more_than_four_are_stacked() {
        assert!(parse(["gzip,gzip,gzip,gzip"].into_iter()).is_ok());
        assert!(parse(["gzip,gzip,gzip,gzip,gzip"].into_iter()).is_err());
    }
}
