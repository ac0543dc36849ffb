//! Pages that redirect visitors by a refresh, in a tag or header.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&META_REFRESH]);

static META_REFRESH: Check = Check {
    code: "meta-refresh",
    title: "Refresh instead of a redirect",
    topic: Topic::Redirects,
    severity: Severity::Notice,
    reason: "The page sends visitors on by a refresh.",
    fix: "Answer with a redirect (301 or 308) instead.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, content) in site.pages() {
        let Some((target, seconds)) = content.refresh.as_deref() else { continue };
        let finding = Finding::of(&META_REFRESH, url);
        found.push(match target {
            Some(target) => {
                let message = format!("It leads to {} after {seconds} s.", site.text(*target));
                finding.to(*target).says(message)
            }
            None => finding,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_refresh_in_tag_or_header_is_reported_with_its_target() {
        let site = builder()
            .head("/tag", "<meta http-equiv=refresh content='0; url=/target'>")
            .head("/slow", "<meta http-equiv=refresh content='7; url=/target'>")
            .links("/header", &[])
            .header("/header", "refresh", "3; url=/target")
            .page("/text", "&lt;meta http-equiv=refresh content='0; url=/target'>")
            .redirect("/redirect", "/target")
            .links("/target", &[])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("meta-refresh"), ["/header", "/slow", "/tag"]);
        assert_eq!(found.target("meta-refresh"), "/target");
        assert_eq!(found.message("meta-refresh"), "It leads to http://example.com/target after 3 s.");
    }

    #[test]
    fn a_page_that_reloads_itself_leads_to_no_other() {
        let site = builder()
            .head("/ticker", "<meta http-equiv=refresh content='60'>")
            .head("/named", "<meta http-equiv=refresh content='60; url=/named'>")
            .head("/fragment", "<meta http-equiv=refresh content='60; url=/fragment#top'>")
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
