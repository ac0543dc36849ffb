//! Old revisions of a page, and what is attached to it page after page: histories, lines with their authors.

use crate::text::{lot, paragraphs, teaser, things};
use crate::town::Town;

/// The name of a revision, as version control abbreviates it.
fn revision(number: u64) -> String {
    format!("{:07x}a1", lot("revision", number) >> 36)
}

/// A browser of files, each with revisions, of which one differs by a sentence, as they stand in a folder of files.
fn files(count: usize, revisions: u64) -> Town {
    let links: String =
        things(count).iter().map(|file| format!("<li><a href=\"/files/head/{0}\">{0}</a></li>", file.slug)).collect();
    let mut town = Town::open(&format!("<ul>{links}</ul>"));
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

#[test]
fn pages_named_like_revisions_that_have_content_of_their_own_stay() {
    let all = things(12);
    let path = |n: usize| format!("/notes/{}", revision(n as u64));
    let links: String =
        all.iter().enumerate().map(|(n, _)| format!("<li><a href=\"{0}\">{0}</a></li>", path(n))).collect();
    let mut town = Town::open("<p><a href=\"/notes\">Notes</a></p>");
    town.page("/notes", "Notes of the town", &format!("<ul>{links}</ul>"));
    for (n, note) in all.iter().enumerate() {
        town.page(&path(n), "Notes of the town", &paragraphs(&note.title, 2));
    }
    town.crawl_exactly();
}

/// Articles, each with a page `word` below it that shows this.
fn attached(word: &str, main: impl Fn(&str) -> String) -> (Town, Vec<String>) {
    let all = things(6);
    let links: String = all
        .iter()
        .map(|article| format!("<li><a href=\"/wiki/{0}\">{1}</a></li>", article.slug, article.title))
        .collect();
    let mut town = Town::open(&format!("<ul>{links}</ul>"));
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

/// A table of who changed a page, and when.
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
fn histories_that_tell_a_story_stay() {
    let (mut town, paths) = attached("history", |title| paragraphs(&format!("how {title} came to be"), 2));
    paths.iter().for_each(|path| town.belongs(path));
    town.crawl_exactly();
}

#[test]
fn a_single_page_of_such_a_name_stays() {
    let mut town = Town::open("<p><a href=\"/shop\">Shop</a></p>");
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
    let mut town = Town::open(&format!("<ul>{links}</ul>"));
    for (n, thing) in all.iter().enumerate() {
        for kind in kinds {
            let title = format!("{} as a {kind}", thing.title);
            town.page(&path(kind, n), &title, &paragraphs(&title, 2));
        }
    }
    town.crawl_exactly();
}
