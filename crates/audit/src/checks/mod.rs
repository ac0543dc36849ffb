//! The registry of checks: pure functions over the site, one file each. A check is added by its file and its lines here.

mod blocked_linked;
mod broken_fragment;
mod canonical_all_home;
mod canonical_by_script;
mod canonical_form;
mod canonical_target;
mod date_archive;
mod dead_end;
mod deep;
mod descriptions;
mod directives;
mod directives_by_script;
mod dup_near;
mod dup_same;
mod dup_title;
mod entries;
mod external_broken;
mod filter_traps;
mod firewall;
mod first_heading;
mod hreflang_other_page;
mod hreflang_own_set;
mod image_alt;
mod isolated;
mod json_ld;
mod language_choice;
mod languages;
mod lastmod;
mod link_text;
mod links_by_script;
mod local_links;
mod lower_case;
mod manifest;
mod media_type;
mod meta_refresh;
mod mixed_content;
mod mixed_scheme;
mod needs_js;
mod no_answer;
mod nofollow_only;
mod noindex;
mod open_graph;
mod oversize;
mod page_language;
mod page_requests;
mod parameters;
mod password_over_http;
mod redirect_by_script;
mod redirect_form;
mod redirect_link;
mod redirect_temporary;
mod redirect_way;
mod rendering;
mod resource_blocked;
mod resource_redirect;
mod resource_size;
mod resource_type;
mod robots_file;
mod security_headers;
mod single_inlink;
mod sitemap_files;
mod sitemap_omits;
mod sitemap_place;
mod sitemap_several;
mod sitemap_undated;
mod sitemap_unnamed;
mod sitemap_unreachable;
mod slow;
mod soft_404;
mod start_excluded;
mod status;
mod texts_by_script;
mod thin_text;
mod titles;
mod trap_repeats;
mod trapped_pattern;
mod traps;
mod url_form;
mod viewport;
mod what_if;

pub(crate) use soft_404::soft_redirect;

use crate::check::{Check, RestsOn};
use crate::check_thresholds::CheckThresholds;
use crate::checker::{CheckInput, Checker};
use crate::finding::Finding;
use crate::left_out::is_void;
use crate::site::Site;
use mapwright_web::Robots;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Every checker. Within a topic, reports show the checks in this order.
static CHECKERS: &[&Checker] = &[
    &needs_js::CHECKER,
    &firewall::CHECKER,
    &start_excluded::CHECKER,
    &noindex::CHECKER,
    &canonical_all_home::CHECKER,
    &mixed_scheme::CHECKER,
    &robots_file::CHECKER,
    &security_headers::CHECKER,
    &isolated::CHECKER,
    &nofollow_only::CHECKER,
    &single_inlink::CHECKER,
    &dead_end::CHECKER,
    &deep::CHECKER,
    &blocked_linked::CHECKER,
    &status::CHECKER,
    &no_answer::CHECKER,
    &external_broken::CHECKER,
    &resource_type::CHECKER,
    &resource_size::CHECKER,
    &manifest::CHECKER,
    &mixed_content::CHECKER,
    &local_links::CHECKER,
    &soft_404::CHECKER,
    &slow::CHECKER,
    &oversize::CHECKER,
    &media_type::CHECKER,
    &broken_fragment::CHECKER,
    &redirect_link::CHECKER,
    &resource_redirect::CHECKER,
    &redirect_way::CHECKER,
    &redirect_temporary::CHECKER,
    &redirect_form::CHECKER,
    &meta_refresh::CHECKER,
    &directives::CHECKER,
    &resource_blocked::CHECKER,
    &canonical_form::CHECKER,
    &canonical_target::CHECKER,
    &titles::CHECKER,
    &descriptions::CHECKER,
    &first_heading::CHECKER,
    &page_language::CHECKER,
    &viewport::CHECKER,
    &image_alt::CHECKER,
    &link_text::CHECKER,
    &open_graph::CHECKER,
    &json_ld::CHECKER,
    &thin_text::CHECKER,
    &url_form::CHECKER,
    &password_over_http::CHECKER,
    &directives_by_script::CHECKER,
    &canonical_by_script::CHECKER,
    &redirect_by_script::CHECKER,
    &page_requests::CHECKER,
    &rendering::CHECKER,
    &links_by_script::CHECKER,
    &texts_by_script::CHECKER,
    &entries::CHECKER,
    &sitemap_several::CHECKER,
    &sitemap_omits::CHECKER,
    &sitemap_files::CHECKER,
    &sitemap_unreachable::CHECKER,
    &sitemap_place::CHECKER,
    &sitemap_unnamed::CHECKER,
    &lastmod::CHECKER,
    &sitemap_undated::CHECKER,
    &hreflang_other_page::CHECKER,
    &hreflang_own_set::CHECKER,
    &dup_same::CHECKER,
    &dup_near::CHECKER,
    &dup_title::CHECKER,
    &parameters::CHECKER,
    &trap_repeats::CHECKER,
    &traps::CHECKER,
    &what_if::CHECKER,
];

/// Every check, in the order of reports.
static CHECKS: LazyLock<Vec<&'static Check>> = LazyLock::new(|| {
    let mut checks: Vec<&Check> = CHECKERS.iter().flat_map(|checker| checker.checks).copied().collect();
    checks.sort_by_key(|check| check.topic);
    checks
});

/// The place of each code in the order of reports.
static RANKS: LazyLock<HashMap<&'static str, usize>> =
    LazyLock::new(|| all().iter().enumerate().map(|(rank, check)| (check.code, rank)).collect());

/// Returns every check, in the order of reports.
#[must_use]
pub fn all() -> &'static [&'static Check] {
    &CHECKS
}

/// Returns the check with this code.
#[must_use]
pub fn named(code: &str) -> Option<&'static Check> {
    RANKS.get(code).and_then(|rank| all().get(*rank)).copied()
}

/// Reads a code.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static Check, D::Error> {
    let code = Cow::<str>::deserialize(deserializer)?;
    named(&code).ok_or_else(|| D::Error::custom("no check has this code"))
}

/// Returns the check with this code, for tests: a test of another code would never fail.
#[cfg(test)]
pub(crate) fn check(code: &str) -> &'static Check {
    named(code).unwrap_or_else(|| panic!("there is no check {code}"))
}

/// Returns the place of a check in the order of reports, from 0.
pub(crate) fn rank(check: &Check) -> usize {
    RANKS.get(check.code).copied().unwrap_or(usize::MAX)
}

/// Returns all findings of a site, in the order of the registry. `next_robots` is a robots.txt that is not deployed yet.
#[must_use]
pub fn run(site: &Site, limits: &CheckThresholds, next_robots: Option<&Robots>) -> Vec<Finding> {
    let find = |checker: &&Checker| {
        let mut found = Vec::new();
        checker.find(CheckInput { site, limits, next_robots }, &mut found);
        found.retain(|one| !is_void(site, one));
        found
    };
    CHECKERS.par_iter().flat_map_iter(find).collect()
}

/// Returns the findings of the checkers whose findings rest on something `wanted`, where the links of the site are not
/// those of the record.
pub(crate) fn run_again(site: &Site, limits: &CheckThresholds, wanted: fn(RestsOn) -> bool) -> Vec<Finding> {
    let mut found = Vec::new();
    let is_wanted = |check: &&Check| wanted(check.attributes.rests_on);
    let checkers = CHECKERS.iter().filter(|checker| checker.checks.iter().any(is_wanted));
    checkers.for_each(|checker| checker.find_again(CheckInput { site, limits, next_robots: None }, &mut found));
    found.retain(|one| !is_void(site, one));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{SiteBuilder, builder, url};

    /// Pages that each link to all others, are their own canonical, have all elements of a page and a text of their own, and
    /// are listed in a sitemap.
    fn clean() -> SiteBuilder {
        let paths: Vec<String> = (0..12).map(|n| if n == 0 { "/".to_owned() } else { format!("/{n}") }).collect();
        let links: String = paths.iter().map(|path| format!("<a href={path}>to {path}</a>")).collect();
        let listed: Vec<&str> = paths.iter().map(String::as_str).collect();
        let dated: Vec<(&str, &str)> = listed.iter().map(|path| (*path, "2029-01-01")).collect();
        let builder =
            builder().robots("User-agent: *\nSitemap: http://example.com/sitemap.xml").dated("/sitemap.xml", &dated);
        paths.iter().fold(builder, |builder, path| {
            let canonical = format!("<link rel=canonical href='{}'>", url(path));
            let head = format!(
                "<title>The garden of {path}</title><meta name=description content='All of the garden of {path}.'>\
                 <meta name=viewport content='width=device-width'>{canonical}"
            );
            let text = format!("All that grows in the garden of {path}. ").repeat(6);
            let html = format!("<html lang=en>{head}<main><h1>Garden {path}</h1>{text}</main><nav>{links}</nav>");
            let builder = builder.page(path, &html);
            let builder = builder.header(path, "content-security-policy", "default-src 'self'; frame-ancestors 'none'");
            builder.header(path, "x-content-type-options", "nosniff").header(path, "referrer-policy", "no-referrer")
        })
    }

    fn found(builder: SiteBuilder) -> Vec<Finding> {
        run(&builder.site(), &CheckThresholds::default(), None)
    }

    #[test]
    fn nothing_is_wrong_with_a_clean_site() {
        assert_eq!(found(clean()), []);
    }

    #[test]
    fn a_robots_file_not_yet_deployed_is_checked_only_if_given() {
        let next = Robots::compile(b"User-agent: *\nDisallow: /11");
        let codes: Vec<_> =
            run(&clean().site(), &CheckThresholds::default(), Some(&next)).iter().map(|one| one.check.code).collect();
        assert_eq!(codes, ["whatif-blocks"]);
    }

    #[test]
    fn each_check_has_a_code_of_its_own_and_complete_texts() {
        assert_eq!(RANKS.len(), all().len());
        for check in all() {
            let is_code = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            assert!(check.code.bytes().all(is_code), "{}", check.code);
            assert!(!check.title.is_empty() && !check.title.ends_with('.'), "{}", check.code);
            assert!(check.reason.ends_with('.') && check.fix.ends_with('.'), "{}", check.code);
        }
    }

    #[test]
    fn a_check_is_found_by_its_code() {
        assert_eq!(named("slow").map(|check| check.code), Some("slow"));
        assert_eq!(named("Slow"), None);
        assert!(all().iter().enumerate().all(|(place, check)| rank(check) == place));
    }
}
