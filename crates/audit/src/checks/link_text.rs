//! Links whose texts say nothing about their target.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{LinkTexts, Site};
use mapwright_text::counted;

pub(super) static CHECKER: Checker = Checker::site(find, &[&LINK_TEXT_EMPTY, &LINK_TEXT_VAGUE]);

static LINK_TEXT_EMPTY: Check = Check {
    code: "link-text-empty",
    title: "Links without a text",
    topic: Topic::Content,
    severity: Severity::Warning,
    reason: "Links have no text, and no image or label that names them; screen readers and search engines learn nothing of their target.",
    fix: "Write a text into the link, an alt text to its image, or an aria-label to the link.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, ..Attributes::OF_LISTED },
};

static LINK_TEXT_VAGUE: Check = Check {
    code: "link-text-vague",
    title: "Links that say \"click here\"",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "Links have a text that fits any target, such as \"click here\" or \"read more\".",
    fix: "Say in the text of the link what is there.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, ..Attributes::OF_LISTED },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, content) in site.own_pages() {
        let sets = content.sets.iter().filter_map(|set| site.link_texts.get(set));
        let texts = sets.copied().fold(LinkTexts::default(), LinkTexts::and);
        let example = |count: u32, target: u32| {
            let target = site.text(target);
            if count == 1 { format!(", the one to {target}") } else { format!(", such as the one to {target}") }
        };
        if texts.empty > 0 {
            let verb = if texts.empty == 1 { "has" } else { "have" };
            let links = counted(u64::from(texts.empty), "link");
            let example = example(texts.empty, texts.empty_target);
            found.push(Finding::of(&LINK_TEXT_EMPTY, url).says(format!("{links} {verb} no text{example}.")));
        }
        if texts.vague > 0 {
            let verb = if texts.vague == 1 { "has" } else { "have" };
            let links = counted(u64::from(texts.vague), "link");
            let example = example(texts.vague, texts.vague_target);
            let message = format!("{links} {verb} a text that fits any target{example}.");
            found.push(Finding::of(&LINK_TEXT_VAGUE, url).says(message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn links_without_a_text_are_counted() {
        let site = builder()
            .page("/", "<a href=/icon><img src=/i.png></a> <a href=/blank> </a> <a href=/blank><i></i></a>")
            .page(
                "/named",
                "<a href=/1><img src=/i.png alt=Chairs></a> <a href=/2 aria-label=Tables></a> <a name=x></a>",
            )
            .page("/titled", "<a href=/3 title=Sheds><i></i></a> <a href=/4><svg aria-label=Hoses></svg></a>")
            .page("/beside", "<a href=/5><img src=/i.png alt=''></a> <a href=/5>Garden chairs</a> <a href=/6#x></a>")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("link-text-empty"), ["/"]);
        let expected = "3 links have no text, such as the one to http://example.com/blank.";
        assert_eq!(found.message("link-text-empty"), expected);
    }

    #[test]
    fn links_that_say_nothing_are_counted() {
        let site = builder()
            .page("/", "<a href=/1>Click here</a>")
            .page("/said", "<a href=/2>Chairs</a> <a href=/3>Read more about tables</a>")
            .page("/beside", "<h2><a href=/4>Garden sheds</a></h2> ... <a href=/4>Read more</a>")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("link-text-vague"), ["/"]);
        let expected = "1 link has a text that fits any target, the one to http://example.com/1.";
        assert_eq!(found.message("link-text-vague"), expected);
    }
}
