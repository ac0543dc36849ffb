//! Sitemap files that break the protocol.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;
use mapwright_engine::UNFINISHED;
use mapwright_sitemap::Rule;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let published = site.published();
    for (url, file) in published.read().filter_map(|url| site.files.get_key_value(&url)) {
        let has = |rule: Rule| file.faults.iter().find(|(code, ..)| code == rule.code());
        if let Some((_, _, what, _)) = has(Rule::TooMany) {
            found.push(Finding::of(Code::SitemapTooMany, *url).says(format!("{}.", sentence(what))));
        }
        if let Some((_, _, what, _)) = has(Rule::TooLarge) {
            found.push(Finding::of(Code::SitemapTooBig, *url).says(format!("{}.", sentence(what))));
        }
        let others: Vec<String> = file
            .faults
            .iter()
            .filter(|(code, ..)| is_form(code))
            .map(|(_, line, what, count)| match count {
                1 => format!("line {line}: {what}"),
                count => format!("line {line} (and {} more like it): {what}", count - 1),
            })
            .collect();
        if !others.is_empty() {
            found.push(Finding::of(Code::SitemapMalformed, *url).says(format!("{}.", sentence(&others.join("; ")))));
        }
    }
}

/// Whether a rule is about the form of the file: size, place and truth of its entries are findings of their own, and
/// what a reader bears is no rule for the file.
fn is_form(code: &str) -> bool {
    let elsewhere = [
        Rule::TooMany,
        Rule::TooLarge,
        Rule::LocHost,
        Rule::LocDirectory,
        Rule::LastmodFuture,
        Rule::LocDuplicate,
        Rule::ReaderLimit,
    ];
    code != UNFINISHED && elsewhere.iter().all(|rule| rule.code() != code)
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    #[test]
    fn size_and_form_are_told_of_the_file() {
        let site = made()
            .fault("/many.xml", Rule::TooMany, "50,001 entries", 9, 1)
            .fault("/big.xml", Rule::TooLarge, "52,430,000 bytes", 9, 1)
            .fault("/cut.xml", Rule::NotWellFormed, "the tag is not closed", 7, 1)
            .fault("/cut.xml", Rule::Lastmod, "`yesterday` is no date", 3, 4)
            .sitemap("/fine.xml", &["/"])
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::SitemapTooMany), ["/many.xml"]);
        assert_eq!(told.of(Code::SitemapTooBig), ["/big.xml"]);
        assert_eq!(told.of(Code::SitemapMalformed), ["/cut.xml"]);
        let message = told.message(Code::SitemapMalformed);
        let expected = "Line 7: the tag is not closed; line 3 (and 3 more like it): `yesterday` is no date.";
        assert_eq!(message, expected);
    }

    #[test]
    fn place_truth_and_repetition_of_entries_are_no_matter_of_form() {
        let rules = [Rule::LocHost, Rule::LocDirectory, Rule::LastmodFuture, Rule::LocDuplicate];
        let site = rules.into_iter().fold(made(), |made, rule| made.fault("/sitemap.xml", rule, "x", 1, 1)).site();
        assert!(site.told(find).is_nothing());
    }

    #[test]
    fn a_limit_of_the_reader_is_no_fault_of_the_file() {
        let site = made().fault("/sitemap.xml", Rule::ReaderLimit, "too many faults", 1, 1).site();
        assert!(site.told(find).is_nothing());
    }

    #[test]
    fn what_answers_at_the_usual_place_need_not_be_a_sitemap_unless_robots_txt_says_so() {
        let told = |robots: &str, body: &str, rule: Rule| {
            let made = made().robots(robots).sitemap_body("/sitemap.xml", body).fault("/sitemap.xml", rule, "x", 1, 1);
            made.site().told(find).of(Code::SitemapMalformed).len()
        };
        for (body, rule) in [("<html>", Rule::Root), ("{}", Rule::TextLine), ("", Rule::NoEntries)] {
            assert_eq!(told("", body, rule), 0, "{body}");
            assert_eq!(told("Sitemap: /sitemap.xml", body, rule), 1, "{body}");
        }
        assert_eq!(told("", "<urlset>", Rule::Namespace), 1, "a sitemap that is malformed");
    }

    #[test]
    fn a_redirect_from_the_usual_place_is_a_guess_as_well() {
        let made = made().robots("").sitemap_redirect("/sitemap.xml", "/home").sitemap_body("/home", "<html>");
        assert!(made.fault("/home", Rule::Root, "html", 1, 1).site().told(find).is_nothing());
    }

    #[test]
    fn feeds_and_files_that_do_not_answer_are_not_judged() {
        let site = made()
            .feed("/feed.xml", &[])
            .fault("/feed.xml", Rule::Root, "rss", 1, 1)
            .fault("/lost.xml", Rule::Root, "html", 1, 1)
            .lost("/lost.xml")
            .site();
        assert!(site.told(find).is_nothing());
    }
}
