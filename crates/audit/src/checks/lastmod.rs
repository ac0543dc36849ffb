//! Dates of sitemap entries that are wrong: in the future, always now, older than an observed change.

use crate::check::{Attributes, Check, RequiredCoverage, SeenLevel, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{ListedEntry, RequestDates, Site};
use jiff::{SignedDuration, Timestamp};
use mapwright_web::date::WebDate;

pub(super) static CHECKER: Checker = Checker::site(find, &[&LASTMOD_FUTURE, &LASTMOD_NOW, &LASTMOD_STALE]);

static LASTMOD_FUTURE: Check = Check {
    code: "lastmod-future",
    title: "lastmod in the future",
    topic: Topic::Sitemaps,
    severity: Severity::Warning,
    reason: "An entry's lastmod lies in the future.",
    fix: "Write when the page last changed, or leave it out.",
    needs: RequiredCoverage::Listed(SeenLevel::Known),
    attributes: Attributes::NONE,
};

static LASTMOD_NOW: Check = Check {
    code: "lastmod-now",
    title: "lastmod is the time of the request",
    topic: Topic::Sitemaps,
    severity: Severity::Warning,
    reason: "The lastmods are the time of the request, so that search engines ignore them.",
    fix: "Write when each page last changed, or leave it out.",
    needs: RequiredCoverage::File,
    attributes: Attributes::NONE,
};

static LASTMOD_STALE: Check = Check {
    code: "lastmod-stale",
    title: "Outdated lastmod",
    topic: Topic::Sitemaps,
    severity: Severity::Notice,
    reason: "An entry's lastmod is older than a change that an earlier run saw.",
    fix: "Update lastmod with the page.",
    needs: RequiredCoverage::Listed(SeenLevel::Known),
    attributes: Attributes::NONE,
};

/// The most by which a day begins earlier in another time zone.
const ZONES: SignedDuration = SignedDuration::from_hours(24);
/// The most by which clocks may differ; a clock without summer time is off by as much.
const CLOCKS: SignedDuration = SignedDuration::from_hours(1);
/// Times closer than this count as equal.
const EQUAL: SignedDuration = SignedDuration::from_secs(60);

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for entry in &site.entries {
        let Some(file) = site.files.get(&entry.file).filter(|file| !file.is_feed) else { continue };
        let Some(date) = entry.lastmod.as_deref().and_then(WebDate::parse_w3c) else { continue };
        found.extend(fault(site, entry, &date, file.at));
    }
    for (file, dates) in RequestDates::of(site) {
        let RequestDates { all, at_once, about } = dates;
        let message = if dates.are_of_request() {
            format!("{at_once} of {all} dates in {} are the time of the request.", site.text(file))
        } else if dates.may_be_of_request() && site.redated_sitemaps.contains(&file) {
            let name = site.text(file);
            format!("{about} of {all} dates in {name} are of the minute of the request; an earlier run saw others.")
        } else {
            continue;
        };
        found.push(Finding::of(&LASTMOD_NOW, file).in_sitemaps(&[file]).says(message));
    }
}

/// Returns true if the date has a time.
fn is_instant(entry: &ListedEntry) -> bool {
    entry.lastmod.as_deref().is_some_and(|text| text.contains('T'))
}

fn fault(site: &Site, entry: &ListedEntry, date: &WebDate, requested: Timestamp) -> Option<Finding> {
    let written = entry.lastmod.as_deref().unwrap_or_default();
    let tolerance = if is_instant(entry) { CLOCKS } else { ZONES };
    if date.earliest().duration_since(requested) > tolerance {
        let message = format!("Its lastmod, {written}, lies in the future.");
        return Some(Finding::of(&LASTMOD_FUTURE, entry.url).in_sitemaps(&[entry.file]).says(message));
    }
    let seen = *site.changed_after.get(&entry.url)?;
    // Dates are written to the second, by clocks of their own.
    if date.latest().duration_since(seen) >= -EQUAL {
        return None;
    }
    let message = format!("Its lastmod is {written}, and its content was seen to change after {seen:.0}.");
    Some(Finding::of(&LASTMOD_STALE, entry.url).in_sitemaps(&[entry.file]).says(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    use crate::site::builder::SiteBuilder;

    fn found(builder: SiteBuilder, code: &str) -> Vec<String> {
        builder.site().run_check(find).of(code)
    }

    #[test]
    fn a_day_after_tomorrow_and_a_time_after_more_than_an_hour_are_in_the_future() {
        let dates = [
            ("/years", "2032-01-01"),
            ("/day", "2030-06-17"),
            ("/second", "2030-06-15T13:00:01Z"),
            ("/clock", "2030-06-15T13:00:00Z"),
            ("/zone", "2030-06-15T22:00:00+10:00"),
            ("/tomorrow", "2030-06-16"),
            ("/today", "2030-06-15"),
            ("/past", "2029-01-01T00:00:00+09:00"),
            ("/word", "next week"),
        ];
        let site = builder().dated("/sitemap.xml", &dates).site();
        let found = site.run_check(find);
        assert_eq!(found.of("lastmod-future"), ["/day", "/second", "/years"]);
        assert_eq!(found.message("lastmod-future"), "Its lastmod, 2032-01-01, lies in the future.");
        assert_eq!(found.sitemaps("lastmod-future"), "/sitemap.xml");
    }

    /// Returns the findings of a sitemap with `now` dates at `at`, and `old` dates of long ago.
    fn now(now: usize, old: usize, at: &str) -> Vec<String> {
        let builder = builder().many(0..now, |builder, n| builder.dated("/sitemap.xml", &[(&format!("/{n}"), at)]));
        let past = "2029-01-01T00:00:00Z";
        found(
            builder.many(0..old, |builder, n| builder.dated("/sitemap.xml", &[(&format!("/old{n}"), past)])),
            "lastmod-now",
        )
    }

    #[test]
    fn dates_equal_to_the_time_of_the_request_are_reported_on_the_file() {
        assert_eq!(now(5, 0, "2030-06-15T12:00:00Z"), ["/sitemap.xml"]);
        assert_eq!(now(4, 0, "2030-06-15T12:00:00Z"), [""; 0], "four are too few");
        assert_eq!(now(9, 1, "2030-06-15T12:00:00Z").len(), 1, "nine of ten");
        assert_eq!(now(8, 1, "2030-06-15T12:00:00Z"), [""; 0], "eight of nine are less");
    }

    #[test]
    fn now_is_the_moment_of_the_request_and_not_that_of_a_build_shortly_before() {
        assert_eq!(now(5, 0, "2030-06-15T13:59:58+02:00").len(), 1);
        assert_eq!(now(5, 0, "2030-06-15T12:00:02Z").len(), 1);
        assert_eq!(now(5, 0, "2030-06-15T12:00:03Z"), [""; 0]);
        assert_eq!(now(5, 0, "2030-06-15T11:59:19Z"), [""; 0], "it was written before");
        assert_eq!(now(5, 0, "2030-06-15"), [""; 0], "a day alone says nothing of the moment");
    }

    #[test]
    fn dates_of_the_minute_that_an_earlier_run_saw_otherwise_are_of_the_request() {
        let found = |at: &str| {
            let builder = builder().many(0..5, |builder, n| builder.dated("/sitemap.xml", &[(&format!("/{n}"), at)]));
            let mut site = builder.site();
            site.redated_sitemaps.insert(site.urls.number("http://example.com/sitemap.xml").unwrap());
            site.run_check(find).of("lastmod-now")
        };
        assert_eq!(found("2030-06-15T11:59:19Z"), ["/sitemap.xml"]);
        assert_eq!(found("2030-06-15T11:58:59Z"), [""; 0]);
    }

    #[test]
    fn a_date_older_than_an_observed_change_is_stale() {
        let builder = builder()
            .dated(
                "/sitemap.xml",
                &[("/stale", "2030-05-31"), ("/same-day", "2030-06-01"), ("/unchanged", "2020-01-01")],
            )
            .dated("/sitemap.xml", &[("/minute", "2030-06-01T07:59:00Z"), ("/before", "2030-06-01T07:58:59Z")])
            .changed_after("/stale", "2030-06-01T08:00:00Z")
            .changed_after("/same-day", "2030-06-01T08:00:00Z")
            .changed_after("/minute", "2030-06-01T08:00:00Z")
            .changed_after("/before", "2030-06-01T08:00:00Z");
        let site = builder.site();
        let found = site.run_check(find);
        assert_eq!(found.of("lastmod-stale"), ["/before", "/stale"]);
        let expected = "Its lastmod is 2030-05-31, and its content was seen to change after 2030-06-01T08:00:00Z.";
        assert_eq!(found.message("lastmod-stale"), expected);
    }

    #[test]
    fn dates_of_feeds_are_no_lastmods() {
        let entries: Vec<String> = (0..9).map(|n| format!("/{n}")).collect();
        let pairs: Vec<(&str, &str)> =
            entries.iter().map(|entry| (entry.as_str(), crate::site::builder::NOW)).collect();
        let site = builder().feed("/feed.xml", &pairs).feed("/feed.xml", &[("/later", "2040-01-01")]).site();
        assert!(site.run_check(find).is_nothing());
    }
}
