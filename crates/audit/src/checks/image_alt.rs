//! Images that say nothing to those who do not see them.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_text::counted;

pub(super) static CHECKER: Checker = Checker::site(find, &[&IMAGE_ALT]);

static IMAGE_ALT: Check = Check {
    code: "image-alt",
    title: "Images without a text",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "Images have no alt attribute; screen readers and image search learn nothing of them.",
    fix: "Say in alt what the image shows; write alt=\"\" where it only decorates.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, content) in site.own_pages().filter(|(_, _, content)| content.markup.images_without_alt > 0) {
        let count = u64::from(content.markup.images_without_alt);
        let message = format!(
            "{} no alt attribute.",
            if count == 1 { "One image has".to_owned() } else { format!("{} have", counted(count, "image")) }
        );
        found.push(Finding::of(&IMAGE_ALT, url).says(message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn images_without_alt_are_counted_and_decoration_is_fine() {
        let site = builder()
            .page("/one", "<title>a</title><img src=/a.png>")
            .page("/two", "<title>b</title><img src=/a.png><img src=/b.png alt='A chair'><img src=/c.png>")
            .page("/decorated", "<title>c</title><img src=/a.png alt=''><img src=/b.png alt>")
            .page("/tracked", "<title>d</title><noscript><img src=//other.example/pixel></noscript>")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("image-alt"), ["/one", "/two"]);
    }
}
