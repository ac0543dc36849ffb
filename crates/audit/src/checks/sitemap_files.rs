//! Sitemap files that break the protocol.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_model::UNFINISHED;
use mapwright_sitemap::CheckRule;

pub(super) static CHECKER: Checker = Checker::site(find, &[&SITEMAP_TOO_MANY, &SITEMAP_TOO_BIG, &SITEMAP_MALFORMED]);

static SITEMAP_TOO_MANY: Check = Check {
    code: "sitemap-too-many",
    title: "Too many entries in a sitemap",
    topic: Topic::Sitemaps,
    severity: Severity::Error,
    reason: "A sitemap file has more than 50,000 entries, the protocol's limit.",
    fix: "Split it into several files, gathered by an index.",
    needs: RequiredCoverage::File,
    attributes: Attributes::NONE,
};

static SITEMAP_TOO_BIG: Check = Check {
    code: "sitemap-too-big",
    title: "Sitemap too large",
    topic: Topic::Sitemaps,
    severity: Severity::Error,
    reason: "A sitemap file has more than 52,428,800 bytes, the protocol's limit.",
    fix: "Split it into several files, gathered by an index.",
    needs: RequiredCoverage::File,
    attributes: Attributes::NONE,
};

static SITEMAP_MALFORMED: Check = Check {
    code: "sitemap-malformed",
    title: "Malformed sitemap",
    topic: Topic::Sitemaps,
    severity: Severity::Error,
    reason: "A sitemap file is not well-formed or not valid.",
    fix: "Correct what the evidence names; `mapwright sitemap check` judges a file.",
    needs: RequiredCoverage::File,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let published = site.published();
    for (url, file) in published.read().filter_map(|url| site.files.get_key_value(&url)) {
        let has = |rule: CheckRule| file.faults.iter().find(|(code, ..)| code == rule.code());
        if let Some((_, _, what, _)) = has(CheckRule::TooMany) {
            found.push(Finding::of(&SITEMAP_TOO_MANY, *url).says(format!("{}.", sentence(what))));
        }
        if let Some((_, _, what, _)) = has(CheckRule::TooLarge) {
            found.push(Finding::of(&SITEMAP_TOO_BIG, *url).says(format!("{}.", sentence(what))));
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
            found.push(Finding::of(&SITEMAP_MALFORMED, *url).says(format!("{}.", sentence(&others.join("; ")))));
        }
    }
}

/// Returns true if a rule is about the form of the file: size, place and correctness of entries are findings of their
/// own, and a limit of the reader is not a rule of the protocol.
fn is_form(code: &str) -> bool {
    let elsewhere = [
        CheckRule::TooMany,
        CheckRule::TooLarge,
        CheckRule::LocHost,
        CheckRule::LocDirectory,
        CheckRule::LastmodFuture,
        CheckRule::LocDuplicate,
        CheckRule::ReaderLimit,
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
    use crate::site::builder::builder;

    #[test]
    fn faults_of_size_and_form_are_reported_on_the_file() {
        let site = builder()
            .fault("/many.xml", CheckRule::TooMany, "50,001 entries", 9, 1)
            .fault("/big.xml", CheckRule::TooLarge, "52,430,000 bytes", 9, 1)
            .fault("/cut.xml", CheckRule::NotWellFormed, "the tag is not closed", 7, 1)
            .fault("/cut.xml", CheckRule::Lastmod, "`yesterday` is no date", 3, 4)
            .sitemap("/fine.xml", &["/"])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("sitemap-too-many"), ["/many.xml"]);
        assert_eq!(found.of("sitemap-too-big"), ["/big.xml"]);
        assert_eq!(found.of("sitemap-malformed"), ["/cut.xml"]);
        let message = found.message("sitemap-malformed");
        let expected = "Line 7: the tag is not closed; line 3 (and 3 more like it): `yesterday` is no date.";
        assert_eq!(message, expected);
    }

    #[test]
    fn place_correctness_and_repetition_of_entries_are_no_faults_of_form() {
        let rules = [CheckRule::LocHost, CheckRule::LocDirectory, CheckRule::LastmodFuture, CheckRule::LocDuplicate];
        let site =
            rules.into_iter().fold(builder(), |builder, rule| builder.fault("/sitemap.xml", rule, "x", 1, 1)).site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn a_limit_of_the_reader_is_no_fault_of_the_file() {
        let site = builder().fault("/sitemap.xml", CheckRule::ReaderLimit, "too many faults", 1, 1).site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn a_file_at_the_usual_place_must_be_a_sitemap_only_if_robots_txt_names_it() {
        let found = |robots: &str, body: &str, rule: CheckRule| {
            let builder =
                builder().robots(robots).sitemap_body("/sitemap.xml", body).fault("/sitemap.xml", rule, "x", 1, 1);
            builder.site().run_check(find).of("sitemap-malformed").len()
        };
        for (body, rule) in [("<html>", CheckRule::Root), ("{}", CheckRule::TextLine), ("", CheckRule::NoEntries)] {
            assert_eq!(found("", body, rule), 0, "{body}");
            assert_eq!(found("Sitemap: /sitemap.xml", body, rule), 1, "{body}");
        }
        assert_eq!(found("", "<urlset>", CheckRule::Namespace), 1, "a sitemap that is malformed");
    }

    #[test]
    fn a_redirect_from_the_usual_place_is_a_guess_as_well() {
        let builder = builder().robots("").sitemap_redirect("/sitemap.xml", "/home").sitemap_body("/home", "<html>");
        assert!(builder.fault("/home", CheckRule::Root, "html", 1, 1).site().run_check(find).is_nothing());
    }

    #[test]
    fn feeds_and_files_that_do_not_answer_are_not_checked() {
        let site = builder()
            .feed("/feed.xml", &[])
            .fault("/feed.xml", CheckRule::Root, "rss", 1, 1)
            .fault("/lost.xml", CheckRule::Root, "html", 1, 1)
            .lost("/lost.xml")
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
