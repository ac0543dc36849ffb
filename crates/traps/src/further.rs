//! Further pages of lists, recognised by their URLs.

use mapwright_web::PageUrl;

/// Names of the page number of a list, as many sites use them.
const NAMES: [&str; 12] =
    ["page", "paged", "p", "pg", "seite", "pagina", "cpage", "start", "startwith", "offset", "comment-page", "ofs"];

/// Reports whether a parameter, or a word before a number in a path, is a common name of a list's page number.
#[must_use]
pub fn names_pages(name: &str) -> bool {
    let bare = name.trim_start_matches(|char: char| !char.is_ascii_alphanumeric());
    NAMES.contains(&bare.to_ascii_lowercase().as_str())
}

/// Reports whether a URL is a further page of the list that `page` belongs to: they differ only in the page number.
pub(crate) fn is_further(url: &PageUrl, page: &PageUrl) -> bool {
    let list = list(url);
    list.is_some() && (list == self::list(page) || list.as_deref() == Some(bare(page).as_str()))
}

/// Returns the URL of the list of which a URL is a numbered page; `None` where it is none.
fn list(url: &PageUrl) -> Option<String> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_page = |pair: &&str| pair.split_once('=').is_some_and(|(name, value)| names_pages(name) && is_number(value));
    if let Some(query) = url.query()
        && query.split('&').any(|pair| is_page(&pair))
    {
        let others: Vec<&str> = query.split('&').filter(|pair| !is_page(pair)).collect();
        let rest = if others.is_empty() { String::new() } else { format!("?{}", others.join("&")) };
        return Some(bare(&url.with_path(&format!("{}{rest}", url.path()))));
    }
    let (before, number) = url.path().trim_end_matches('/').rsplit_once('/').filter(|(_, last)| is_number(last))?;
    let (list, _) = before.rsplit_once('/').filter(|(_, name)| names_pages(name) && !number.is_empty())?;
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    Some(bare(&url.with_path(&format!("{list}/{query}"))))
}

/// Returns the text of a URL without the slash at the end of its path.
fn bare(url: &PageUrl) -> String {
    let (path, query) = url.as_str().split_once('?').unwrap_or((url.as_str(), ""));
    format!("{}?{query}", path.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trap_detector::tests::url;

    #[test]
    fn the_next_page_of_a_list_differs_from_another_list() {
        let is = |one: &str, other: &str| {
            is_further(&url(&format!("http://a.example{one}")), &url(&format!("http://a.example{other}")))
        };
        for (further, page) in [
            ("/list?page=2", "/list"),
            ("/list/?page=2", "/list/"),
            ("/list?page=3", "/list?page=2"),
            ("/list?of=a&page=3", "/list?of=a"),
            ("/issues?@startwith=50", "/issues"),
            ("/news/page/2/", "/news/"),
            ("/news/page/3/", "/news/page/2/"),
        ] {
            assert!(is(further, page), "{further} {page}");
        }
        for (other, page) in [
            ("/list?page=2&sort=a", "/list?page=2"),
            ("/list?of=b&page=3", "/list?of=a"),
            ("/list?day=2", "/list"),
            ("/list?page=last", "/list"),
            ("/news/2", "/news"),
        ] {
            assert!(!is(other, page), "{other} {page}");
        }
    }
}
