//! The checks: pure functions over the site, one file each.

mod blocked_linked;
mod broken_fragment;
mod canonical_all_home;
mod canonical_form;
mod canonical_target;
mod dead_end;
mod deep;
mod directives;
mod dup_near;
mod dup_same;
mod dup_title;
mod entries;
mod external_broken;
mod firewall;
mod hreflang_set;
mod hreflang_target;
mod isolated;
mod language_choice;
mod languages;
mod lastmod;
mod lower_case;
mod media_type;
mod meta_refresh;
mod mixed_scheme;
mod needs_js;
mod no_answer;
mod nofollow_only;
mod noindex;
mod oversize;
mod parameters;
mod redirect_form;
mod redirect_link;
mod redirect_temporary;
mod redirect_way;
mod robots_file;
mod single_inlink;
mod sitemap_files;
mod sitemap_omits;
mod sitemap_place;
mod sitemap_several;
mod sitemap_unnamed;
mod sitemap_unreachable;
mod slow;
mod soft_404;
mod start_excluded;
mod status;
mod trap_repeats;
mod traps;
mod what_if;

use crate::code::{Code, Topic};
use crate::finding::Finding;
use crate::limits::CheckThresholds;
use crate::site::Site;
use mapwright_web::Robots;

/// Returns all findings of a site, in no particular order. `next_robots` is a robots.txt that is not deployed yet.
#[must_use]
pub fn all(site: &Site, limits: &CheckThresholds, next_robots: Option<&Robots>) -> Vec<Finding> {
    const PLAIN: &[fn(&Site, &mut Vec<Finding>)] = &[
        blocked_linked::find,
        broken_fragment::find,
        canonical_all_home::find,
        canonical_form::find,
        canonical_target::find,
        dead_end::find,
        directives::find,
        dup_same::find,
        dup_title::find,
        entries::find,
        external_broken::find,
        firewall::find,
        hreflang_set::find,
        hreflang_target::find,
        isolated::find,
        lastmod::find,
        media_type::find,
        meta_refresh::find,
        mixed_scheme::find,
        needs_js::find,
        no_answer::find,
        nofollow_only::find,
        noindex::find,
        parameters::find,
        redirect_form::find,
        redirect_link::find,
        redirect_temporary::find,
        redirect_way::find,
        robots_file::find,
        single_inlink::find,
        sitemap_files::find,
        sitemap_omits::find,
        sitemap_place::find,
        sitemap_several::find,
        sitemap_unnamed::find,
        sitemap_unreachable::find,
        soft_404::find,
        start_excluded::find,
        status::find,
        trap_repeats::find,
        traps::find,
    ];
    const MEASURED: &[fn(&Site, &CheckThresholds, &mut Vec<Finding>)] =
        &[deep::find, dup_near::find, oversize::find, slow::find];
    let mut found = Vec::new();
    PLAIN.iter().for_each(|find| find(site, &mut found));
    MEASURED.iter().for_each(|find| find(site, limits, &mut found));
    if let Some(robots) = next_robots {
        what_if::find(site, robots, &mut found);
    }
    found
}

/// Returns the findings that rest on duplicates.
#[must_use]
pub(crate) fn alike(site: &Site, limits: &CheckThresholds) -> Vec<Finding> {
    let mut found = Vec::new();
    [dup_same::find, dup_title::find].iter().for_each(|find| find(site, &mut found));
    dup_near::find(site, limits, &mut found);
    found
}

/// Returns true if a finding of this kind rests on a duplicate.
pub(crate) fn rests_on_likeness(code: Code) -> bool {
    use Code as C;
    code.topic() == Topic::Duplicates && !matches!(code, C::ParamSession | C::ParamSort | C::ParamNoEffect)
}

/// Returns the findings that rest on missing links. With one link more, such a finding is gone or another one.
#[must_use]
pub(crate) fn unlinked(site: &Site, limits: &CheckThresholds) -> Vec<Finding> {
    let mut found = Vec::new();
    [isolated::find, nofollow_only::find, single_inlink::find].iter().for_each(|find| find(site, &mut found));
    deep::find_with_recounted_clicks(site, limits, &mut found);
    found
}

/// Returns true if a finding of this kind rests on missing links.
pub(crate) fn rests_on_missing_links(code: Code) -> bool {
    use Code as C;
    matches!(
        code,
        C::Deep
            | C::Orphan
            | C::IsolatedCanonical
            | C::IsolatedIsolated
            | C::IsolatedNoindex
            | C::IsolatedRedirect
            | C::NofollowOnly
            | C::SingleInlink
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{SiteBuilder, builder, url};

    /// Pages that each link to all others, are their own canonical and have a text of their own, all in a sitemap.
    fn clean() -> SiteBuilder {
        let paths: Vec<String> = (0..12).map(|n| if n == 0 { "/".to_owned() } else { format!("/{n}") }).collect();
        let links: String = paths.iter().map(|path| format!("<a href={path}>to {path}</a>")).collect();
        let listed: Vec<&str> = paths.iter().map(String::as_str).collect();
        let builder =
            builder().robots("User-agent: *\nSitemap: http://example.com/sitemap.xml").sitemap("/sitemap.xml", &listed);
        paths.iter().fold(builder, |builder, path| {
            let canonical = format!("<link rel=canonical href='{}'>", url(path));
            builder.page(
                path,
                &format!("<title>Of {path}</title>{canonical}<main>All of {path}.</main><nav>{links}</nav>"),
            )
        })
    }

    fn found(builder: SiteBuilder) -> Vec<Finding> {
        all(&builder.site(), &CheckThresholds::default(), None)
    }

    #[test]
    fn nothing_is_wrong_with_a_clean_site() {
        assert_eq!(found(clean()), []);
    }

    #[test]
    fn a_robots_file_not_yet_deployed_is_checked_only_if_given() {
        let next = Robots::compile(b"User-agent: *\nDisallow: /11");
        let codes: Vec<_> =
            all(&clean().site(), &CheckThresholds::default(), Some(&next)).iter().map(|one| one.code).collect();
        assert_eq!(codes, [crate::Code::WhatifBlocks]);
    }
}
