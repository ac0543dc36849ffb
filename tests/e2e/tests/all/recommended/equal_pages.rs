//! Equal and nearly equal pages.

use super::text::{paragraphs, teasers, things};
use super::town::{SmallSite, assert_left_out};
use mapwright_e2e::Crawl;

/// The text of the page that has two URLs.
fn hills() -> String {
    paragraphs("Walking in the hills", 3)
}

/// A site with twelve walks, one of them under two URLs: every page links `popular`, and the home page also links
/// `rare`, before it or after it.
fn duplicates(rare_first: bool) -> SmallSite {
    let (popular, rare) = ("/walks/z-walking-in-the-hills-around-town", "/walks/hills");
    let entries: Vec<_> = things(12).into_iter().map(|thing| (format!("/walks/{}", thing.slug), thing.title)).collect();
    let order = if rare_first { [rare, popular] } else { [popular, rare] };
    let mut town = SmallSite::open(&format!("{}{}", teasers(&order.map(|path| (path, "Walk"))), teasers(&entries)));
    for (path, title) in &entries {
        town.page(path, title, &format!("{}<p><a href=\"{popular}\">The hills</a></p>", paragraphs(title, 3)));
    }
    town.page(popular, "Walking in the hills", &hills());
    town.junk(rare, "Walking in the hills", &hills());
    town
}

#[test]
fn of_equal_pages_the_most_linked_one_stays() {
    for rare_first in [true, false] {
        let town = duplicates(rare_first);
        let crawled = town.crawl_exactly();
        crawled.assert_excluded(&town.site.url("/walks/hills"), "duplicate");
    }
}

/// A site on which a page has two URLs: `popular`, which all articles link but which is two clicks away, and `rare`,
/// which only the home page links.
fn found_last(popular: &str, rare: &str) -> SmallSite {
    let entries: Vec<_> = things(10).into_iter().map(|thing| (format!("/news/{}", thing.slug), thing.title)).collect();
    let others: Vec<_> =
        things(22).into_iter().skip(10).map(|thing| (format!("/walks/{}", thing.slug), thing.title)).collect();
    let entrances = format!("<p><a href=\"{rare}\">Walk</a> <a href=\"/all-news\">All news</a></p>");
    let mut town = SmallSite::open(&format!("{entrances}{}", teasers(&others)));
    town.page("/all-news", "All news", &teasers(&entries));
    for (path, title) in &entries {
        town.page(path, title, &format!("{}<p><a href=\"{popular}\">Walks</a></p>", paragraphs(title, 3)));
    }
    for (path, title) in &others {
        town.article(path, title);
    }
    town.page(popular, "Walking in the hills", &hills());
    town.junk(rare, "Walking in the hills", &hills());
    town
}

#[test]
fn the_most_linked_equal_page_stays_even_if_it_is_found_last() {
    let town = found_last("/walks/z-walking-in-the-hills-around-town", "/walks/hills");
    let crawled = town.crawl_exactly();
    crawled.assert_excluded(&town.site.url("/walks/hills"), "duplicate");
}

#[test]
fn equal_pages_of_different_folders_stay() {
    let mut town = found_last("/walks/z-walking-in-the-hills-around-town", "/tips/hills");
    town.page("/tips/hills", "Walking in the hills", &hills());
    let _ = town.crawl_exactly();
}

/// The pages of members with an empty profile are all equal.
#[test]
fn of_many_equal_pages_with_one_url_pattern_at_most_one_stays() {
    let members: Vec<_> =
        things(24).into_iter().zip(1..).map(|(thing, id)| (format!("/members/{id}"), thing.title)).collect();
    let mut town = SmallSite::open(&teasers(&members));
    let (shown, hidden) = members.split_at(12);
    for (path, title) in shown {
        town.article(path, title);
    }
    for (path, _) in hidden {
        town.junk(path, "A member", "<p>This member has chosen not to show a profile to the public.</p>");
    }
    let crawled = town.crawl();
    town.assert_complete(&crawled);
    let listed = crawled.listed();
    let equal: Vec<_> = hidden.iter().map(|(path, _)| town.site.url(path)).filter(|url| listed.contains(url)).collect();
    assert!(equal.len() <= 1, "{equal:#?}");
}

#[test]
fn products_that_differ_in_one_word_stay() {
    let colours = ["red", "blue", "green", "black", "white", "yellow", "purple", "orange", "brown", "grey"];
    let entries = colours.map(|colour| (format!("/shirts/shirt-{colour}"), format!("Cotton shirt, {colour}")));
    let mut town = SmallSite::open(&teasers(&entries));
    for ((path, title), colour) in entries.iter().zip(colours) {
        let text = format!("<p>Colour: {colour}. Price: 24.90.</p>{}", paragraphs("a cotton shirt", 3));
        town.page(path, title, &text);
    }
    let _ = town.crawl_exactly();
}

/// The pages have the same title and heading.
#[test]
fn products_that_differ_in_one_word_of_their_text_stay() {
    let sizes = ["six", "eight", "ten", "twelve", "fourteen", "sixteen", "eighteen", "twenty"];
    for form in ["/product?id=", "/product/"] {
        let entries: Vec<_> = sizes.iter().zip(40..).map(|(size, id)| (format!("{form}{id}"), size)).collect();
        let mut town = SmallSite::open(&teasers(&entries));
        for (path, size) in &entries {
            let text =
                format!("<p>Screws of {size} millimetres, in boxes of one hundred.</p>{}", paragraphs("screws", 2));
            town.page(path, "Screws", &text);
        }
        let _ = town.crawl_exactly();
    }
}

/// A forum shows a thread under its number, and also under the number of any of its posts.
#[test]
fn threads_by_the_numbers_of_their_posts_are_excluded() {
    let threads: Vec<_> = things(12).into_iter().zip(1..).collect();
    let entries: Vec<_> = threads.iter().map(|(thing, id)| (format!("/topic?t={id}"), &thing.title)).collect();
    let posts: Vec<_> = threads.iter().map(|(thing, id)| (format!("/topic?p={id}7"), &thing.title)).collect();
    let mut town = SmallSite::open("<p><a href=\"/topics\">All topics</a> <a href=\"/latest\">Latest posts</a></p>");
    town.page("/topics", "All topics", &teasers(&entries));
    town.page("/latest", "Latest posts", &format!("{}{}", paragraphs("latest", 2), teasers(&posts)));
    for (thing, id) in &threads {
        let back = format!("<p><a href=\"/topic?t={id}\">This topic</a></p>");
        town.page(&format!("/topic?t={id}"), &thing.title, &format!("{}{back}", paragraphs(&thing.title, 3)));
        let html = town.html(&format!("/topic?t={id}")).to_owned();
        town.site.page(&format!("/topic?p={id}7"), html);
    }
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "/topic?p=", &["parameter-variant", "duplicate"]);
}

/// A wiki whose articles have a URL with a parameter and one without: articles link with `linked`, the home page with
/// `entrance`.
fn in_two_forms(sentences: u64, linked: impl Fn(&str) -> String, entrance: impl Fn(&str) -> String) -> SmallSite {
    let all = things(8);
    let entries: Vec<_> = all.iter().map(|thing| (entrance(thing.slug.as_str()), thing.title.as_str())).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (n, thing) in all.iter().enumerate() {
        let others = all.iter().cycle().skip(n + 1).take(3);
        let links: String =
            others.map(|other| format!("<a href=\"{}\">{}</a> ", linked(&other.slug), other.title)).collect();
        let text = if sentences == 0 {
            format!("<p>About a {}.</p>", thing.title)
        } else {
            paragraphs(&thing.title, sentences)
        };
        town.page(&linked(&thing.slug), &thing.title, &format!("{text}<p>{links}</p>"));
        town.junk(&entrance(&thing.slug), &thing.title, &format!("{text}<p>{links}</p>"));
    }
    town
}

#[test]
fn of_two_url_patterns_of_the_same_pages_the_more_linked_one_stays() {
    let (path, parameter) = (|name: &str| format!("/wiki/{name}"), |name: &str| format!("/index?title={name}"));
    for sentences in [0, 4] {
        let _ = in_two_forms(sentences, path, parameter).crawl_exactly();
        let _ = in_two_forms(sentences, parameter, path).crawl_exactly();
    }
}

#[test]
fn short_pages_that_are_equal_by_chance_stay_in_both_forms() {
    let name = |form: &str, name: &str| format!("{form}{}", name.len() * 31 + usize::from(name.as_bytes()[0]));
    let mut town = in_two_forms(0, |thing| format!("/wiki/{thing}"), |thing| name("/offers?number=", thing));
    for thing in things(8) {
        town.belongs(&name("/offers?number=", &thing.slug));
    }
    let _ = town.crawl_exactly();
}

#[test]
fn a_thread_under_the_address_of_each_of_its_messages_is_listed_once() {
    let mut town = SmallSite::open("<p><a href=\"/list/\">All threads</a></p>");
    let all = things(6);
    let entries: Vec<_> =
        all.iter().map(|thing| (format!("/list/{}/all/", thing.slug), thing.title.as_str())).collect();
    town.page("/list/", "All threads of the list", &teasers(&entries));
    for thing in &all {
        let answers: Vec<String> = (1..4).map(|n| format!("/list/{}.{n}/all/", thing.slug)).collect();
        let links: String = answers.iter().map(|path| format!("<a href=\"{path}\">Answer</a> ")).collect();
        let thread = format!("<a href=\"/list/{}/all/\">Thread</a>", thing.slug);
        let main = format!("{}<p>{thread} {links}</p>", paragraphs(&thing.title, 4));
        town.page(&format!("/list/{}/all/", thing.slug), &thing.title, &main);
        answers.iter().for_each(|path| town.junk(path, &thing.title, &main));
    }
    let _ = town.crawl_exactly();
}

#[test]
fn the_start_page_stays_though_its_other_form_is_linked_more() {
    let path = |name: &str| format!("/wiki/{name}");
    let town = in_two_forms(4, path, |name| format!("/index?title={name}"));
    let start = format!("/index?title={}", things(1)[0].slug);
    let crawled = Crawl::from(&[town.site.url(&start)]).args(["--list", "recommended"]).run().exited(0);
    assert!(crawled.listed().contains(&town.site.url(&start)), "{:?}", crawled.listed());
}

#[test]
fn the_summary_counts_repeats_among_the_pages_not_recommended() {
    let crawled = duplicates(true).plan().text().run().exited(0);
    let said = format!("{}\n{}", crawled.stdout(), crawled.stderr());
    assert!(said.contains("1 URL left out by judgement; --list indexable lists"), "{said}");
}
