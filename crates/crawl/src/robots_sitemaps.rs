//! The `Sitemap:` lines that robots.txt files lack.

use crate::report::RobotsLine;
use mapwright_publish::robots_names;
use mapwright_store::{Record, StoreError};
use mapwright_web::origin_of;
use std::collections::HashMap;
use url::Url;

/// Returns the `Sitemap:` lines that make these sitemaps known, for each of the `hosts` that they list (sitemaps.org,
/// "Sitemaps & Cross Submits"), without the lines that the robots.txt of the host has already. The robots.txt of a host
/// that only appears through `--rewrite-host` was not requested.
///
/// # Errors
/// If the record cannot be read.
pub(crate) fn robots_lines(record: &Record, hosts: &[String], sitemaps: &[Url]) -> Result<Vec<RobotsLine>, StoreError> {
    let mut had = NamedSitemaps::new(hosts, sitemaps);
    record.each_robots_text(|at, text| had.take(at, text))?;
    Ok(had.lacking())
}

/// The `Sitemap:` lines that the hosts have. There may be a host for each URL, and a robots.txt for each host, so each
/// text is read once and not stored.
struct NamedSitemaps<'p> {
    hosts: &'p [String],
    sitemaps: &'p [Url],
    /// By host, whether its robots.txt names each of the sitemaps; `None` if that file was not requested.
    named: HashMap<&'p str, Option<Vec<bool>>>,
}

impl<'p> NamedSitemaps<'p> {
    fn new(hosts: &'p [String], sitemaps: &'p [Url]) -> Self {
        Self { hosts, sitemaps, named: hosts.iter().map(|host| (host.as_str(), None)).collect() }
    }

    /// Reads a robots.txt that was requested, and its text, if there is any.
    fn take(&mut self, at: &str, text: Option<&str>) {
        let Some(named) = self.named.get_mut(origin_of(at)) else { return };
        let named = named.get_or_insert_with(|| vec![false; self.sitemaps.len()]);
        for (named, sitemap) in named.iter_mut().zip(self.sitemaps) {
            *named |= text.is_some_and(|text| robots_names(text.as_bytes(), sitemap));
        }
    }

    fn lacking(&self) -> Vec<RobotsLine> {
        let of_host = |host: &'p String| {
            let named = self.named.get(host.as_str()).and_then(Option::as_deref);
            let has = move |at: usize| named.and_then(|named| named.get(at)).is_some_and(|named| *named);
            let lacking = self.sitemaps.iter().enumerate().filter(move |(at, _)| !has(*at));
            lacking.map(move |(_, url)| RobotsLine {
                host: host.clone(),
                line: format!("Sitemap: {url}"),
                requested: named.is_some(),
            })
        };
        self.hosts.iter().flat_map(of_host).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sitemaps() -> Vec<Url> {
        ["https://a.example/sitemap.xml", "https://a.example/sitemap-index-2.xml"]
            .map(|url| url.parse().unwrap())
            .into()
    }

    #[test]
    fn lines_that_a_host_has_already_are_left_out() {
        let hosts = ["https://a.example", "https://b.example"].map(str::to_owned);
        let sitemaps = sitemaps();
        let mut had = NamedSitemaps::new(&hosts, &sitemaps);
        had.take("https://a.example/robots.txt", Some("Sitemap: HTTPS://A.example/sitemap.xml\n"));
        had.take("https://other.example/robots.txt", None);
        let reported: Vec<_> = had.lacking().into_iter().map(|line| (line.host, line.line, line.requested)).collect();
        let line =
            |host: &str, at: usize, requested| (host.to_owned(), format!("Sitemap: {}", sitemaps[at]), requested);
        let expected = [
            line("https://a.example", 1, true),
            line("https://b.example", 0, false),
            line("https://b.example", 1, false),
        ];
        assert_eq!(reported, expected);
    }

    #[test]
    fn a_host_for_each_page_costs_one_look_at_each_robots_file() {
        let hosts: Vec<String> = (0..200_000).map(|n| format!("https://h{n}.example")).collect();
        let sitemaps = sitemaps();
        let mut had = NamedSitemaps::new(&hosts, &sitemaps[..1]);
        hosts.iter().for_each(|host| had.take(&format!("{host}/robots.txt"), None));
        let lines = had.lacking();
        assert!(lines.len() == hosts.len() && lines.iter().all(|line| line.requested));
    }
}
