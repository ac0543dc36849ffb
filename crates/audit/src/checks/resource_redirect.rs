//! Files of the site that redirect: each page load costs a request more.

use crate::check::{Attributes, Check, Identity, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{ChainEnd, NodeStatus, Site};

pub(super) static CHECKER: Checker = Checker::site(find, &[&RESOURCE_REDIRECT]);

static RESOURCE_REDIRECT: Check = Check {
    code: "resource-redirect",
    title: "File that redirects",
    topic: Topic::Redirects,
    severity: Severity::Notice,
    reason: "Pages load an image, a style sheet or another file by a URL that redirects; each visit costs a request more.",
    fix: "Write the final URL into the pages.",
    needs: RequiredCoverage::External,
    attributes: Attributes { identity: Identity::Subject, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let redirects = |resource: &crate::site::OwnResource<'_>| {
        resource.node.is_some_and(|node| node.fetch_status == NodeStatus::Redirect)
    };
    for resource in site.own_resources().filter(redirects) {
        let chain = site.external_chain(resource.url);
        let Some(last) = chain.last().filter(|_| chain.end == ChainEnd::There) else { continue };
        // Where the end fails, the file is broken.
        if !site.external.get(&last).is_some_and(crate::site::Node::fails) {
            let message = format!("It redirects to {}.", site.text(last));
            found.push(Finding::of(&RESOURCE_REDIRECT, resource.url).to(last).says(message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{builder, url};

    #[test]
    fn files_that_redirect_are_reported_unless_they_are_broken() {
        let site = builder()
            .page("/", "<img src=/old.png><img src=/lost.png><img src=/new.png>")
            .external_redirect(&url("/old.png"), "/new.png")
            .external_file(&url("/new.png"), "image/png")
            .external_redirect(&url("/lost.png"), "/gone.png")
            .external(&url("/gone.png"), 404)
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("resource-redirect"), ["/old.png"]);
        assert_eq!(found.message("resource-redirect"), "It redirects to http://example.com/new.png.");
    }
}
