//! The content codings of a body (RFC 9110, section 8.4).

/// So many codings may be stacked; nobody means more than two.
const MAX_CODINGS: usize = 4;

/// The codings that are asked for, by preference.
pub(crate) const ACCEPT_ENCODING: &str = "gzip, br, zstd, deflate";

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// RFC 1952, several members one after the other included.
    Gzip,
    /// RFC 1950, or RFC 1951 bare, as some servers have it.
    Deflate,
    /// RFC 7932.
    Brotli,
    /// RFC 8878.
    Zstd,
}

/// What codings are called.
const NAMES: [(&str, Coding); 5] = [
    ("gzip", Coding::Gzip),
    ("br", Coding::Brotli),
    ("zstd", Coding::Zstd),
    ("deflate", Coding::Deflate),
    ("x-gzip", Coding::Gzip),
];

/// The codings in the order in which they were applied, from every `Content-Encoding` value.
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

/// `None` where the name stands for no coding at all.
fn coding(name: &str) -> Result<Option<Coding>, String> {
    if name.is_empty() || name.eq_ignore_ascii_case("identity") {
        return Ok(None);
    }
    match NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) {
        Some(&(_, coding)) => Ok(Some(coding)),
        None => {
            let shown: String = name.chars().take(40).filter(|character| !character.is_control()).collect();
            Err(format!("the content coding `{shown}` is unknown"))
        }
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
    fn an_unknown_coding_is_named() {
        assert_eq!(parse(["gzip, rot13"].into_iter()), Err("the content coding `rot13` is unknown".to_owned()));
    }

    #[test]
    fn no_more_than_four_are_stacked() {
        assert!(parse(["gzip,gzip,gzip,gzip"].into_iter()).is_ok());
        assert!(parse(["gzip,gzip,gzip,gzip,gzip"].into_iter()).is_err());
    }
}
