//! The user's list of further URLs (`--url-list`).

use crate::error::CrawlError;
use crate::starts;
use mapwright_web::{PageUrl, UrlIdentity};

/// Bytes of a list, at most.
pub(crate) const MAX_BYTES: u64 = 1 << 30;

/// Reads a list: one URL a line. Blank lines and lines that begin with `#` are ignored.
pub(crate) fn read(text: &str, name: &str, identity: &UrlIdentity) -> Result<Vec<PageUrl>, CrawlError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| match starts::read(line, identity) {
            Ok(start) => Ok(start.url),
            Err(error) => Err(CrawlError { place: format!("{name}, line {number}: {}", error.place), ..error }),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_line_of_a_list_is_named_by_its_number() {
        let error = read("http://a.example/\n\n# x\nftp://b.example/\n", "list.txt", &UrlIdentity::default());
        assert!(error.unwrap_err().to_string().starts_with("list.txt, line 4: "));
    }
}
