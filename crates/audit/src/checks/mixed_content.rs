//! Files over http that pages over https load (W3C Mixed Content).

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&MIXED_CONTENT]);

static MIXED_CONTENT: Check = Check {
    code: "mixed-content",
    title: "File over http on a page over https",
    topic: Topic::Responses,
    severity: Severity::Warning,
    reason: "Pages over https load a file or a frame over http; browsers block it, or try https instead.",
    fix: "Write https into the URL, or serve the file from the site itself.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    found.extend(site.mixed_content().into_iter().map(|url| Finding::of(&MIXED_CONTENT, url)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn files_over_http_are_reported_where_a_page_over_https_loads_them() {
        let site = builder()
            .start("https://example.com/")
            .page(
                "https://example.com/",
                "<script src=http://other.example/a.js></script><img src=http://example.com/b.png>\
                 <img src=//other.example/c.png><iframe src=http://other.example/d></iframe>\
                 <a href=http://other.example/e>link</a><a href=http://example.com/plain>link</a>",
            )
            .page("http://example.com/plain", "<img src=/f.png>")
            .site();
        let found = site.run_check(find);
        let expected = ["http://other.example/a.js", "http://other.example/d", "/b.png"];
        let mut reported = found.of("mixed-content");
        reported.sort();
        let mut expected = expected.map(str::to_owned);
        expected.sort();
        assert_eq!(reported, expected);
    }
}
