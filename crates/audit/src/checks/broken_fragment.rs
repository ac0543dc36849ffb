//! Links to elements that are missing on their target.

use crate::check::{Attributes, Check, Identity, RequiredCoverage, RestsOn, Topic};
use crate::checker::Checker;
use crate::finding::{Finding, SAMPLE};
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&BROKEN_FRAGMENT]);

static BROKEN_FRAGMENT: Check = Check {
    code: "broken-fragment",
    title: "Link to a missing element",
    topic: Topic::Responses,
    severity: Severity::Notice,
    reason: "Links name an element of the page that is not there.",
    fix: "Correct the links' #fragment, or give the element that id.",
    needs: RequiredCoverage::Answer,
    attributes: Attributes {
        rest_may_refute: true,
        rests_on: RestsOn::Links,
        identity: Identity::Elements,
        ..Attributes::NONE
    },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, missing) in &site.missing_fragments {
        let listed: Vec<String> = missing.names().take(SAMPLE).map(|name| format!("#{name}")).collect();
        let more = match missing.names().len().saturating_sub(SAMPLE) {
            0 => String::new(),
            more if missing.are_more() => format!(" and more than {more} others"),
            more => format!(" and {more} more"),
        };
        let message = format!("Links name {}{more}, and the page has no such element.", listed.join(", "));
        found.push(Finding::of(&BROKEN_FRAGMENT, *url).says(message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;
    use crate::site::fragments::MAX_MISSING;

    #[test]
    fn a_fragment_without_an_element_is_reported_on_its_target_page() {
        let links = "<a href='/long#here'>1</a><a href='/long#named'>2</a><a href='/long#gone'>3</a>";
        let site = builder().page("/", links).page("/long", "<h2 id=here>a</h2><a name=named>b</a>").site();
        let found = site.run_check(find);
        assert_eq!(found.of("broken-fragment"), ["/long"]);
        assert_eq!(found.message("broken-fragment"), "Links name #gone, and the page has no such element.");
    }

    #[test]
    fn top_text_directives_routes_and_percent_encoded_names_are_not_broken() {
        let written = ["#", "#top", "#TOP", "#:~:text=word", "#here:~:text=word", "#%C3%BCber"];
        let fragments = written.into_iter().chain(["#/route", "#!state", "#tab=2", "#?page=3&by=name", "#t=10,20"]);
        let links: String = fragments.map(|fragment| format!("<a href='/long{fragment}'>x</a>")).collect();
        let site = builder().page("/", &links).page("/long", "<h2 id=here>a</h2><p id='über'>b").site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn an_id_is_found_as_the_fragment_is_written_before_it_is_decoded() {
        let links = "<a href='/long#a%20b'>1</a><a href='/long#c%20d'>2</a><a href='/long#%C3%BC'>3</a>";
        let site = builder().page("/", links).page("/long", "<p id='a%20b'>1<p id='c d'>2").site();
        assert_eq!(
            site.run_check(find).message("broken-fragment"),
            "Links name #%C3%BC, and the page has no such element."
        );
    }

    #[test]
    fn a_page_may_lack_an_element_that_it_links_to_itself() {
        let site = builder().page("/", "<a href='#there'>down</a><a href='#here'>up</a><p id=here>").site();
        assert_eq!(site.run_check(find).of("broken-fragment"), ["/"]);
    }

    #[test]
    fn a_file_or_an_error_has_no_missing_elements() {
        let site = builder().links("/", &["/gone#x", "/file#x"]).file("/file").site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn a_fragment_is_looked_for_on_the_page_that_a_redirect_leads_to() {
        let links = "<a href='/old#here'>1</a><a href='/old#gone'>2</a><a href='/out#gone'>3</a>";
        let moved = builder().page("/", links).redirect("/old", "/older").redirect("/older", "/new");
        let site = moved.page("/new", "<h2 id=here>a</h2>").redirect("/out", "http://b.example/").site();
        let found = site.run_check(find);
        assert_eq!(found.of("broken-fragment"), ["/new"]);
        assert_eq!(found.message("broken-fragment"), "Links name #gone, and the page has no such element.");
    }

    #[test]
    fn an_element_may_lie_beyond_the_bytes_that_are_read() {
        let site = builder().links("/", &["/long#late"]).links("/long", &[]).bytes("/long", 9_999, true).site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn ten_of_many_names_are_reported_and_the_others_counted() {
        let links: String = (10..22).map(|n| format!("<a href='/long#n{n}'>x</a>")).collect();
        let site = builder().page("/", &links).links("/long", &[]).site();
        let message = site.run_check(find).message("broken-fragment");
        assert!(message.starts_with("Links name #n10, #n11,") && message.contains("#n19 and 2 more, and"), "{message}");
    }

    /// Endless links to missing elements, on pages with as many elements as are read.
    #[test]
    fn the_number_of_stored_names_is_bounded() {
        let ids: String = (0..9_999).map(|n| format!("<p id=i{n}>")).collect();
        let links: String = (0..49_999).map(|n| format!("<a href='#x{n:05}'>x</a>")).collect();
        let html = format!("{ids}{links}");
        let site = builder().page("/", &html).many(0..9, |builder, n| builder.page(&format!("/{n}"), &html)).site();
        let found = site.run_check(find);
        assert_eq!(found.of("broken-fragment").len(), 10);
        assert!(found.message("broken-fragment").contains("#x00009 and more than 90 others, and"));
        assert!(site.missing_fragments.values().all(|missing| missing.names().len() == MAX_MISSING));
        let finding = Finding::of(&BROKEN_FRAGMENT, site.starts[0]);
        assert_eq!(crate::identity::parts(&site, &finding).len(), MAX_MISSING);
    }
}
