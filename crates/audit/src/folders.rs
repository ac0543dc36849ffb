//! Patterns of the URLs of a site's pages: the pages of one folder, or one page of each of many folders.

use mapwright_web::origin_of;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The fewest folders with a page of the same name that are a pattern.
const FEWEST_FOLDERS: u32 = 5;

/// The numbers of pages with one pattern, by the hash of the pattern.
#[derive(Debug, Default)]
pub(crate) struct Folders(HashMap<u64, u32>);

impl Folders {
    /// Counts the pages at these URLs.
    pub(crate) fn of<'u>(urls: impl Iterator<Item = &'u str>) -> Self {
        let mut folders = Self::default();
        for url in urls {
            let (origin, names) = split(url);
            let last = last_of(&names);
            for place in [last, folder_of(&names)].into_iter().flatten() {
                *folders.0.entry(hash(origin, &names, place)).or_default() += 1;
            }
        }
        folders
    }

    /// Returns the pattern of a URL: its last name is `*`, and so is each name before it that is a number. Where more
    /// folders have a page of that name than the folder has pages, the name of the folder is `*` instead.
    pub(crate) fn pattern(&self, url: &str) -> String {
        let (origin, names) = split(url);
        let last = last_of(&names);
        let count = |place: Option<usize>| {
            let count = place.and_then(|place| self.0.get(&hash(origin, &names, place)));
            count.copied().unwrap_or_default()
        };
        let folders = count(folder_of(&names));
        let general = if folders >= FEWEST_FOLDERS && folders > count(last) { folder_of(&names) } else { last };
        let names = names.iter().enumerate().map(|(at, name)| if is_general(name, at, general) { "*" } else { *name });
        format!("{origin}{}", names.collect::<Vec<_>>().join("/"))
    }
}

/// Returns the origin of a URL and the names of its path; the first one is empty.
fn split(url: &str) -> (&str, Vec<&str>) {
    let origin = origin_of(url);
    let path = url.get(origin.len()..).unwrap_or_default().split('?').next().unwrap_or_default();
    (origin, path.split('/').collect())
}

/// Returns the place of the last name.
fn last_of(names: &[&str]) -> Option<usize> {
    names.iter().rposition(|name| !name.is_empty())
}

/// Returns the place of the name of the last folder, unless the page has a number for a name.
fn folder_of(names: &[&str]) -> Option<usize> {
    let last = last_of(names).filter(|last| names.get(*last).is_some_and(|name| !is_number(name)));
    last.and_then(|last| last.checked_sub(1)).filter(|place| *place > 0)
}

fn is_general(name: &str, at: usize, general: Option<usize>) -> bool {
    general == Some(at) || is_number(name)
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

fn hash(origin: &str, names: &[&str], general: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    origin.hash(&mut hasher);
    for (at, name) in names.iter().enumerate() {
        if is_general(name, at, Some(general)) { None } else { Some(name) }.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern_among(urls: &[String], url: &str) -> String {
        let others = urls.iter().map(String::as_str).chain([url]);
        Folders::of(others).pattern(url)
    }

    #[test]
    fn a_pattern_is_the_folder_of_a_page() {
        let pattern = |url: &str| pattern_among(&[], url);
        assert_eq!(pattern("http://a.example/"), "http://a.example/");
        assert_eq!(pattern("http://a.example/blog/one?page=2"), "http://a.example/blog/*");
        assert_eq!(pattern("http://a.example/2024/05/one/"), "http://a.example/*/*/*/");
        assert_eq!(pattern("http://a.example/blog/2024/one"), "http://a.example/blog/*/*");
    }

    #[test]
    fn pages_of_one_name_in_many_folders_are_a_pattern() {
        let shop = |n: usize| [format!("http://a.example/shop/p{n}/"), format!("http://a.example/shop/p{n}/reviews/")];
        let urls: Vec<String> = (0..6).flat_map(shop).collect();
        assert_eq!(pattern_among(&urls, "http://a.example/shop/p7/reviews/"), "http://a.example/shop/*/reviews/");
        assert_eq!(pattern_among(&urls, "http://a.example/shop/p7/"), "http://a.example/shop/*/");
        let few: Vec<String> = (0..3).flat_map(shop).collect();
        assert_eq!(pattern_among(&few, "http://a.example/shop/p7/reviews/"), "http://a.example/shop/p7/*/");
    }

    #[test]
    fn the_posts_of_a_site_in_many_languages_are_the_pattern_of_a_folder() {
        let post = |language: &str, n: usize| format!("http://a.example/{language}/post-{n}");
        let languages = ["de", "en", "es", "fr", "it", "pl"];
        let urls: Vec<String> = languages.iter().flat_map(|one| (0..9).map(|n| post(one, n))).collect();
        assert_eq!(pattern_among(&urls, "http://a.example/de/post-3"), "http://a.example/de/*");
    }
}
