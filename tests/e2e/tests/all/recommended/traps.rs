//! Crawl traps, and long sections that only look endless.

use mapwright_e2e::Crawled;
use mapwright_testkit::Response;

use super::parameters::value;
use super::text::{paragraphs, teasers, things};
use super::town::{SmallSite, shell};

/// The maximum number of listed pages of a trap.
const A_FEW: usize = 5;

/// A site with articles whose home page also links `entrance`.
fn with_articles(entrance: &str) -> SmallSite {
    let entries: Vec<_> = things(14).into_iter().map(|thing| (format!("/news/{}", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open(&format!("<p><a href=\"{entrance}\">More</a></p>{}", teasers(&entries)));
    for (path, title) in &entries {
        town.article(path, title);
    }
    town
}

/// Asserts that all expected URLs are listed, and at most a few others with this part.
#[track_caller]
fn assert_ends(town: &SmallSite, crawled: &Crawled, part: &str) {
    town.assert_complete(crawled);
    let trap: Vec<_> = crawled.listed().into_iter().filter(|url| url.contains(part)).collect();
    assert!(trap.len() <= A_FEW, "{} listed, {trap:#?}", trap.len());
    let reasons = ["crawl-trap", "endless-pattern", "soft-404", "parameter-variant", "duplicate", "http-error"];
    let others: Vec<_> = crawled.excluded().into_iter().filter(|(url, _)| url.contains(part)).collect();
    assert!(!others.is_empty(), "nothing with {part:?} is left out");
    let strange: Vec<_> = others.iter().filter(|(_, gone)| !reasons.contains(&gone.reason.as_str())).collect();
    assert!(strange.is_empty(), "{strange:#?}");
}

/// The date of a day number, counted from the first day of 1900, in a calendar of years with twelve months of 28 days.
fn date(day: i64, separator: &str) -> String {
    let (year, rest) = (1900 + day.div_euclid(336), day.rem_euclid(336));
    format!("{year}{separator}{:02}{separator}{:02}", rest / 28 + 1, rest % 28 + 1)
}

fn day(date: &str, separator: char) -> Option<i64> {
    let numbers: Vec<i64> = date.split(separator).map_while(|number| number.parse().ok()).collect();
    let [year, month, day] = numbers[..] else { return None };
    Some((year - 1900) * 336 + (month - 1) * 28 + day - 1)
}

/// The page of a day without text, with links to the days before and after.
fn empty_day(day: i64, url: impl Fn(i64) -> String) -> String {
    let main = format!(
        "<p>There are no events on this day.</p><p><a href=\"{}\">Previous day</a> <a href=\"{}\">Next day</a></p>",
        url(day - 1),
        url(day + 1)
    );
    shell(&format!("Events on {}", date(day, "-")), &main)
}

#[test]
fn a_calendar_of_empty_days_by_folders_ends() {
    let town = with_articles("/calendar/2024/05/12");
    town.site.handler("/calendar/*", |request| {
        let day = request.path().strip_prefix("/calendar/").and_then(|date| day(date, '/'));
        let Some(day) = day else { return Response::new(404) };
        Response::html(empty_day(day, |day| format!("/calendar/{}", date(day, "/"))))
    });
    assert_ends(&town, &town.crawl(), "/calendar/");
}

#[test]
fn a_calendar_of_empty_days_by_a_parameter_ends() {
    let town = with_articles("/calendar?date=2024-05-12");
    town.site.handler("/calendar", |request| {
        let day = value(request, "date").and_then(|date| day(date, '-'));
        let Some(day) = day else { return Response::new(404) };
        Response::html(empty_day(day, |day| format!("/calendar?date={}", date(day, "-"))))
    });
    assert_ends(&town, &town.crawl(), "/calendar?");
}

/// A diary of this number of days with text, of which the site only links the first.
fn diary(url: impl Fn(i64) -> String, days: i64) -> SmallSite {
    let first = 41_700;
    let mut town = with_articles(&url(first));
    for day in first..first + days {
        let before = if day > first { format!("<a href=\"{}\">Previous day</a>", url(day - 1)) } else { String::new() };
        let after =
            if day < first + days - 1 { format!("<a href=\"{}\">Next day</a>", url(day + 1)) } else { String::new() };
        let title = format!("Diary of {}", date(day, "-"));
        town.page(&url(day), &title, &format!("{}<p>{before} {after}</p>", paragraphs(&title, 2)));
    }
    town
}

#[test]
fn an_archive_of_300_days_with_text_by_folders_stays() {
    let _ = diary(|day| format!("/diary/{}", date(day, "/")), 300).crawl_exactly();
}

#[test]
fn an_archive_of_300_days_with_text_by_a_parameter_stays() {
    let _ = diary(|day| format!("/diary?date={}", date(day, "-")), 300).crawl_exactly();
}

#[test]
fn a_path_that_grows_ends() {
    let town = with_articles("/gallery/");
    let main = format!("{}<p><a href=\"next/\">Next picture</a></p>", paragraphs("gallery", 1));
    town.site.handler("/gallery/*", move |_| Response::html(shell("Gallery", &main)));
    assert_ends(&town, &town.crawl(), "/gallery/next/");
}

#[test]
fn paths_that_grow_by_every_link_of_a_page_end() {
    let town = with_articles("/shop/");
    let names = ["help", "terms", "basket"];
    let main = format!("{}{}", paragraphs("shop", 1), teasers(&names.map(|name| (format!("{name}/"), name))));
    town.site.handler("/shop/*", move |request| {
        let name = request.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        Response::html(shell(name, &format!("{}{main}", paragraphs(name, 1))))
    });
    let crawled = town.crawl();
    for name in names {
        assert!(crawled.listed().iter().filter(|url| url.contains(&format!("/{name}/"))).count() <= 2 * A_FEW);
    }
    town.assert_complete(&crawled);
}

#[test]
fn deep_folders_with_text_stay() {
    let mut town = with_articles("/manual/");
    let mut path = "/manual/".to_owned();
    for thing in things(30).iter().skip(15).take(9) {
        town.page(
            &path,
            &format!("Manual: {}", thing.title),
            &format!("{}<p><a href=\"{}/\">Continue</a></p>", paragraphs(&path, 3), thing.slug),
        );
        path = format!("{path}{}/", thing.slug);
    }
    town.article(&path, "Manual: the end");
    let _ = town.crawl_exactly();
}

/// The calendar of a month, as a table of its days.
fn month(months: i64) -> String {
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
    let days: String = (1..=28 + months % 4).map(|day| format!("<td>{day}</td>")).collect();
    let link = |months: i64, name: &str| {
        format!(
            "<a href=\"/events?year={}&amp;month={}\">{name}</a> ",
            months.div_euclid(12),
            months.rem_euclid(12) + 1
        )
    };
    let links = format!("{}{}", link(months - 1, "Previous month"), link(months + 1, "Next month"));
    shell(&format!("Events in {month}/{year}"), &format!("<p>{links}</p><table><tr>{days}</tr></table>"))
}

#[test]
fn a_calendar_of_empty_months_ends() {
    let town = with_articles("/events?year=2024&amp;month=5");
    town.site.handler("/events", |request| {
        let number = |name: &str| value(request, name).and_then(|text| text.parse::<i64>().ok());
        let (Some(year), Some(months)) = (number("year"), number("month")) else { return Response::new(404) };
        Response::html(month(year * 12 + months - 1))
    });
    assert_ends(&town, &town.crawl(), "/events?");
}

/// Only the days of an endless calendar link some events.
#[test]
fn events_that_only_an_endless_calendar_leads_to_are_listed() {
    let mut town = with_articles("/calendar/2024/05/12");
    let start = day("2024/05/12", '/').expect("a day");
    let events: Vec<_> = things(40).into_iter().skip(30).zip((start..).step_by(2)).collect();
    for (thing, _) in &events {
        town.article(&format!("/event/{}", thing.slug), &thing.title);
    }
    town.site.handler("/calendar/*", move |request| {
        let day = request.path().strip_prefix("/calendar/").and_then(|date| day(date, '/'));
        let Some(day) = day else { return Response::new(404) };
        let html = empty_day(day, |day| format!("/calendar/{}", date(day, "/")));
        let Some((thing, _)) = events.iter().find(|(_, on)| *on == day) else { return Response::html(html) };
        let event = teasers(&[(format!("/event/{}", thing.slug), &thing.title)]);
        Response::html(html.replace("<p>There are no events on this day.</p>", &event))
    });
    let crawled = town.crawl();
    town.assert_complete(&crawled);
    let listed = crawled.listed().into_iter().filter(|url| url.contains("/calendar/")).count();
    assert!(listed <= 10 + A_FEW, "{listed} days listed");
}

/// Each link adds a pair to the query of its page.
#[test]
fn a_query_that_grows_ends() {
    let town = with_articles("/map?layer=roads");
    town.site.handler("/map", |request| {
        let query = request.query().unwrap_or("layer=roads").replace('&', "&amp;");
        let links = ["rivers", "hills"].map(|layer| format!("<a href=\"/map?{query}&amp;layer={layer}\">{layer}</a> "));
        Response::html(shell("Map", &format!("{}<p>{}</p>", paragraphs("map", 1), links.concat())))
    });
    assert_ends(&town, &town.crawl(), "/map?");
}

/// A diary of forty days whose calendar is endless in both directions.
#[test]
fn days_with_text_within_an_endless_calendar_stay() {
    let start = day("2024/05/12", '/').expect("a day");
    let mut town = with_articles("/calendar/2024/05/12");
    let url = |day: i64| format!("/calendar/{}", date(day, "/"));
    town.site.handler("/calendar/*", move |request| {
        let day = request.path().strip_prefix("/calendar/").and_then(|date| day(date, '/'));
        day.map_or_else(|| Response::new(404), |day| Response::html(empty_day(day, url)))
    });
    for day in start..start + 40 {
        let title = format!("Events on {}", date(day, "-"));
        let links = format!("<a href=\"{}\">Previous day</a> <a href=\"{}\">Next day</a>", url(day - 1), url(day + 1));
        town.page(&url(day), &title, &format!("{}<p>{links}</p>", paragraphs(&title, 2)));
    }
    let crawled = town.crawl();
    town.assert_complete(&crawled);
    let listed = crawled.listed().into_iter().filter(|url| url.contains("/calendar/")).count();
    assert!(listed <= 40 + A_FEW, "{listed} days listed");
}

/// The pages of years link all days; the calendar's navigation links those of the first year.
#[test]
fn empty_days_are_left_out_though_an_overview_links_them() {
    let town = with_articles("/calendar");
    let url = |day: i64| format!("/day?on={}", date(day, "-"));
    let first = day("2024-01-01", '-').unwrap();
    let days: String =
        (first..first + 336).map(|day| format!("<a href=\"{}\">{}</a> ", url(day), day % 28 + 1)).collect();
    town.site.page("/calendar", shell("Calendar of the year", &days));
    town.site.handler("/day", move |request| {
        let on = value(request, "on").and_then(|on| day(on, '-')).unwrap_or_default();
        Response::html(empty_day(on, url))
    });
    let crawled = town.crawl();
    assert_ends(&town, &crawled, "/day?on=");
    let requested = town.site.hits("/day");
    assert!(requested < 336 + 150, "{requested}");
}

/// A table with facets, each view of which is also offered as JSON.
#[test]
fn views_of_the_same_rows_are_sampled_and_so_are_their_json_versions() {
    let town = with_articles("/table");
    town.site.handler("/table", |request| {
        let (own, separator) = request.query().map_or((String::new(), '?'), |query| (format!("?{query}"), '&'));
        let facets = (0..40).filter(|facet| !own.contains(&format!("f{facet}=1")));
        let links: String =
            facets.map(|facet| format!("<a href=\"/table{own}{separator}f{facet}=1\">Only {facet}</a> ")).collect();
        let rows = teasers(&[("/news/copper-kettle", "Copper kettle"), ("/news/walnut-stool", "Walnut stool")]);
        let variant = format!("<p><a href=\"/table.json{own}\">JSON</a></p>");
        Response::html(shell("All objects", &format!("{rows}{links}{variant}")))
    });
    town.site.handler("/table.json", |_| Response::text("[]").content_type("application/json"));
    let crawled = town.crawl();
    assert_ends(&town, &crawled, "/table?");
    let (tables, duplicates) = (town.site.hits("/table"), town.site.hits("/table.json"));
    assert!(tables < 600 && duplicates < 200, "{tables} tables, {duplicates} twins");
}

/// Files of a listed kind are content, whatever page links them.
#[test]
fn files_of_a_kind_that_is_listed_are_all_requested() {
    let town = with_articles("/texts?part=0");
    town.site.handler("/texts", |request| {
        let part: usize = value(request, "part").and_then(|part| part.parse().ok()).unwrap_or_default();
        let links: String =
            (0..10).map(|n| format!("<a href=\"/text/{0}.txt\">Text {0}</a> ", part * 10 + n)).collect();
        let next = if part < 14 { format!("<a href=\"/texts?part={}\">More</a>", part + 1) } else { String::new() };
        Response::html(shell("All texts", &format!("<p>{links}{next}</p>")))
    });
    town.site.handler("/text/*", |request| {
        Response::text(paragraphs(request.path(), 2)).content_type("text/plain; charset=utf-8")
    });
    let crawled = town.plan().args(["--list-types", "html,text"]).run().exited(0);
    let texts = crawled.listed().iter().filter(|url| url.ends_with(".txt")).count();
    assert_eq!(texts, 150);
}
