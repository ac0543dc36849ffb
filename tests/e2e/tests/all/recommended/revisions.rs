//! Old revisions of a page, and the pages attached to each: histories, lines with their authors.

use super::text::{lot, paragraphs, teaser, things};
use super::town::SmallSite;

/// The abbreviated name of a revision in version control.
fn revision(number: u64) -> String {
    format!("{:07x}a1", lot("revision", number) >> 36)
}

/// A file browser with the revisions of each file, one of which differs by a sentence.
fn files(count: usize, revisions: u64) -> SmallSite {
    let links: String =
        things(count).iter().map(|file| format!("<li><a href=\"/files/head/{0}\">{0}</a></li>", file.slug)).collect();
    let mut town = SmallSite::open(&format!("<ul>{links}</ul>"));
    for file in things(count) {
        let at = |name: &str| format!("/files/{name}/{}", file.slug);
        let links: String = (0..revisions).map(|n| format!("<a href=\"{0}\">{0}</a> ", at(&revision(n)))).collect();
        let text = paragraphs(&file.title, 3);
        town.page(&at("head"), &file.title, &format!("{text}<p>{links}</p>"));
        for n in 0..revisions {
            let old = if n == 1 { format!("<p>{}</p>", teaser(&file.slug)) } else { String::new() };
            town.junk(&at(&revision(n)), &file.title, &format!("{text}{old}<p>{links}</p>"));
        }
    }
    town
}

#[test]
fn old_revisions_of_files_are_left_out() {
    files(6, 4).crawl_exactly();
}

/// Files in their current state, and at a tag whose name does not look like a revision; `old` gives the text of one at
/// the tag.
fn tagged(old: impl Fn(&str) -> String) -> (SmallSite, Vec<String>) {
    let at = |name: &str, slug: &str| format!("/files/{name}/{slug}");
    let link = |url: &str| format!("<a href=\"{url}\">{url}</a> ");
    let home: String = things(6).iter().map(|file| link(&at("HEAD", &file.slug))).collect();
    let (mut town, mut tags) = (SmallSite::open(&home), Vec::new());
    for file in things(6) {
        let tag = at("refs/tags/spring", &file.slug);
        town.page(
            &at("HEAD", &file.slug),
            &file.title,
            &format!("{}<p>{}</p>", paragraphs(&file.title, 3), link(&tag)),
        );
        town.junk(&tag, &file.title, &old(&file.title));
        tags.push(tag);
    }
    (town, tags)
}

#[test]
fn files_at_a_tag_are_left_out() {
    tagged(|title| format!("<p>As of {title}, long ago</p>{}", paragraphs(title, 3))).0.crawl_exactly();
}

#[test]
fn files_at_a_tag_with_another_text_stay() {
    let (mut town, tags) = tagged(|title| paragraphs(&format!("{title} in spring"), 3));
    tags.iter().for_each(|path| town.belongs(path));
    town.crawl_exactly();
}

/// Many files with revisions, and two more pages of one revision: its folder, and a page with this text.
fn with_a_folder(of_its_own: &str) -> SmallSite {
    let mut town = files(16, 4);
    let (folder, notes) = (format!("/files/{}/", revision(0)), format!("/files/{}/notes", revision(0)));
    let listing = "<ul><li>bin</li><li>doc</li><li>src</li></ul>";
    town.junk(&folder, "Files as they were", &format!("{listing}<p><a href=\"{notes}\">Notes</a></p>"));
    town.junk(&notes, "Notes as they were", of_its_own);
    let link = format!("<main><p><a href=\"{folder}\">Folder</a></p>");
    let old = format!("/{}/", revision(0));
    town.rewrite(move |request, html| match request.target.contains(&old) {
        true => html.replace("<main>", &link),
        false => html.to_owned(),
    });
    town
}

#[test]
fn the_last_pages_of_many_revisions_are_excluded_too() {
    with_a_folder("<p>None yet.</p>").crawl_exactly();
}

#[test]
fn a_page_of_a_revision_with_a_paragraph_of_its_own_stays() {
    let mut town = with_a_folder(&paragraphs("the first release", 2));
    town.belongs(&format!("/files/{}/notes", revision(0)));
    town.crawl_exactly();
}

/// Notes in a table, each with old revisions. Each day has a page that shows its one note, and the text of `besides`.
fn days(besides: impl Fn(&str) -> String) -> (SmallSite, Vec<String>) {
    let mut town = SmallSite::open("<p><a href=\"/town/notes\">Notes</a></p>");
    let (mut list, mut days) = (String::new(), Vec::new());
    for (n, note) in things(40).into_iter().enumerate() {
        let (path, day) =
            (format!("/town/notes/{}", note.slug), format!("/town/notes?day=2025-0{}-1{}", n % 9 + 1, n / 9));
        let at = |n: u64| format!("/town/notes/{}/{}", revision(n), note.slug);
        let text = paragraphs(&note.title, 1);
        let revisions: String = (0..4).map(|n| format!("<a href=\"{0}\">{0}</a> ", at(n))).collect();
        town.page(&path, &note.title, &format!("{text}<p>{revisions}</p>"));
        (0..4).for_each(|n| town.junk(&at(n), &note.title, &format!("{text}<p>{revisions}</p>")));
        let row = format!("<p><a href=\"{path}\">{}</a></p>{text}", note.title);
        town.junk(&day, &format!("1 note of {}", note.title), &format!("{}{row}", besides(&note.title)));
        list.push_str(&format!("<li><a href=\"{path}\">{0}</a> <a href=\"{day}\">its day</a></li>", note.title));
        days.push(day);
    }
    town.page("/town/notes", "Notes of the town", &format!("<ul>{list}</ul>"));
    (town, days)
}

#[test]
fn a_list_of_one_row_is_excluded_in_a_section_that_is_mostly_excluded() {
    days(|_| String::new()).0.crawl_exactly();
}

#[test]
fn a_day_with_a_word_of_its_own_on_its_row_stays() {
    let (mut town, days) = days(|title| paragraphs(&format!("what was said of {title}"), 1));
    days.iter().for_each(|day| town.belongs(day));
    town.crawl_exactly();
}

#[test]
fn pages_named_like_revisions_that_have_content_of_their_own_stay() {
    let all = things(12);
    let path = |n: usize| format!("/notes/{}", revision(n as u64));
    let links: String =
        all.iter().enumerate().map(|(n, _)| format!("<li><a href=\"{0}\">{0}</a></li>", path(n))).collect();
    let mut town = SmallSite::open("<p><a href=\"/notes\">Notes</a></p>");
    town.page("/notes", "Notes of the town", &format!("<ul>{links}</ul>"));
    for (n, note) in all.iter().enumerate() {
        town.page(&path(n), "Notes of the town", &paragraphs(&note.title, 2));
    }
    town.crawl_exactly();
}

/// Articles, each with a page `word` below it that has this main part.
fn attached(word: &str, main: impl Fn(&str) -> String) -> (SmallSite, Vec<String>) {
    let all = things(6);
    let links: String = all
        .iter()
        .map(|article| format!("<li><a href=\"/wiki/{0}\">{1}</a></li>", article.slug, article.title))
        .collect();
    let mut town = SmallSite::open(&format!("<ul>{links}</ul>"));
    let mut paths = Vec::new();
    for article in all {
        let (path, below) = (format!("/wiki/{}", article.slug), format!("/wiki/{}/{word}", article.slug));
        let text = paragraphs(&article.title, 3);
        town.page(&path, &article.title, &format!("{text}<p><a href=\"{below}\">{word}</a></p>"));
        town.junk(&below, &format!("{word} of {}", article.title), &main(&article.title));
        paths.push(below);
    }
    (town, paths)
}

/// A wiki in which each article has two revisions, the old one with noindex, and a `word` page below each.
fn with_old_revisions(word: &str, main: impl Fn(&str, u64) -> String) -> (SmallSite, Vec<String>) {
    let all = things(6);
    let links: String =
        all.iter().map(|page| format!("<li><a href=\"/wiki/{0}\">{1}</a></li>", page.slug, page.title)).collect();
    let mut town = SmallSite::open(&format!("<ul>{links}</ul>"));
    let mut below = Vec::new();
    for article in all {
        let path = format!("/wiki/{}", article.slug);
        let at = |n: u64| format!("<a href=\"{path}/{n}\">{n}</a> <a href=\"{path}/{n}/{word}\">{word}</a> ");
        let text = paragraphs(&article.title, 3);
        town.page(&path, &article.title, &format!("{text}<p>{}{}</p>", at(1), at(2)));
        let old = format!("{}<p>{}</p>", paragraphs(&article.title, 2), at(1));
        town.junk(&format!("{path}/1"), &format!("An old revision of {}", article.title), &old);
        town.junk(&format!("{path}/2"), &article.title, &format!("{text}<p>{}{}</p>", at(1), at(2)));
        for n in 1..3 {
            let title = format!("{word} of {n} of {}", article.title);
            town.junk(&format!("{path}/{n}/{word}"), &title, &main(&article.title, n));
            below.push(format!("{path}/{n}/{word}"));
        }
    }
    town.rewrite(|request, html| match request.target.ends_with("/1") {
        true => html.replace("<head>", "<head><meta name=\"robots\" content=\"noindex\">"),
        false => html.to_owned(),
    });
    (town, below)
}

#[test]
fn pages_attached_to_noindex_revisions_are_excluded_too() {
    let lines = |title: &str, n: u64| {
        let lines: String =
            (0..3 + n).map(|line| format!("<td>{line}</td><td>{}</td>", teaser(&format!("{title}{line}")))).collect();
        let lines = if n == 1 { lines } else { paragraphs(title, 3) };
        format!("<p>Who wrote what</p>{lines}")
    };
    with_old_revisions("annotate", lines).0.crawl_exactly();
}

#[test]
fn a_page_below_a_noindex_page_stays_if_others_of_its_name_stay() {
    let (mut town, below) = with_old_revisions("annotate", |title, n| paragraphs(&format!("{title} at {n}"), 2));
    below.iter().for_each(|path| town.belongs(path));
    town.crawl_exactly();
}

/// A table with the author and time of each change of a page.
fn changes(title: &str) -> String {
    let row = |n: u64| {
        let author = ["Mabel", "Orla", "Piet"][(lot(title, n) % 3) as usize];
        format!("<tr><td>{n}</td><td>2026-0{}-1{n}</td><td>{author} {}</td></tr>", n % 8 + 1, lot(title, n) % 97)
    };
    format!("<table>{}</table>", (1..6).map(row).collect::<String>())
}

#[test]
fn histories_of_articles_are_left_out() {
    attached("history", changes).0.crawl_exactly();
}

#[test]
fn histories_with_a_text_of_their_own_stay() {
    let (mut town, paths) = attached("history", |title| paragraphs(&format!("how {title} came to be"), 2));
    paths.iter().for_each(|path| town.belongs(path));
    town.crawl_exactly();
}

#[test]
fn a_single_page_of_such_a_name_stays() {
    let mut town = SmallSite::open("<p><a href=\"/shop\">Shop</a></p>");
    town.page("/shop", "Shop of the town", "<p>What we sell.</p><p><a href=\"/shop/patch\">Patch</a></p>");
    town.page("/shop/patch", "Patch", "<p>A patch</p><p>5 pounds</p><p>In stock</p><p>For elbows</p>");
    town.crawl_exactly();
}

#[test]
fn prints_whose_numbers_look_like_revisions_stay() {
    let all = things(6);
    let path = |kind: &str, n: usize| format!("/{kind}/{}", revision(n as u64));
    let kinds = ["poster", "print"];
    let links: String = kinds
        .iter()
        .flat_map(|kind| (0..6).map(move |n| format!("<li><a href=\"{0}\">{0}</a></li>", path(kind, n))))
        .collect();
    let mut town = SmallSite::open(&format!("<ul>{links}</ul>"));
    for (n, thing) in all.iter().enumerate() {
        for kind in kinds {
            let title = format!("{} as a {kind}", thing.title);
            town.page(&path(kind, n), &title, &paragraphs(&title, 2));
        }
    }
    town.crawl_exactly();
}

#[test]
fn a_package_called_print_is_no_view_of_the_packages_beside_it() {
    let overview = |package: &str| format!("/manual/{package}/overview.html");
    let mut town = SmallSite::open("<p><a href=\"/manual/\">Manual</a></p>");
    let packages = ["colour", "font", "print"];
    let kinds = ["overview", "tree", "uses"];
    let all: String =
        packages.iter().map(|package| format!("<li><a href=\"{}\">{package}</a></li>", overview(package))).collect();
    town.page("/manual/", "Manual", &format!("<p>All packages of the manual.</p><ul>{all}</ul>"));
    for package in packages {
        let path = |kind: &str| format!("/manual/{package}/{kind}.html");
        let links: String = kinds.iter().map(|kind| format!("<a href=\"{}\">{kind}</a> ", path(kind))).collect();
        for kind in kinds {
            let row = |n: u64| format!("<li>{package}.<b>{}</b></li>", lot(&path(kind), n) % 9_973);
            let rows: String = (0..6).map(row).collect();
            let frame = "<p>Everything that belongs to a package, in the order in which it was written down.</p>\
                         <p>Further documentation is at the publisher's, with overviews, terms and examples.</p>";
            town.page(&path(kind), &format!("{kind} of {package}"), &format!("<p>{links}</p>{frame}<ul>{rows}</ul>"));
        }
    }
    town.crawl_exactly();
}
