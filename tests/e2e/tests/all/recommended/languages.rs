//! Languages in a parameter.

use super::text::{paragraphs, paragraphs_in, teasers, things};
use super::town::{SmallSite, assert_left_out, shell};
use super::words::{FRENCH, GERMAN};

/// Links to a page in other languages.
fn switch(path: &str) -> String {
    format!("<p><a href=\"{path}?lang=de\">Deutsch</a> <a href=\"{path}?lang=fr\">Français</a></p>")
}

#[test]
fn translations_stay() {
    let entries: Vec<_> = things(8).into_iter().map(|thing| (format!("/sights/{}", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (path, title) in &entries {
        town.page(path, title, &format!("{}{}", switch(path), paragraphs(title, 3)));
        for (code, language, word) in [("de", &GERMAN, "Sehenswert"), ("fr", &FRENCH, "À voir")] {
            let text = format!("{}{}", switch(path), paragraphs_in(language, title, 3));
            town.page(&format!("{path}?lang={code}"), &format!("{word}: {title}"), &text);
        }
    }
    let _ = town.crawl_exactly();
}

#[test]
fn languages_without_a_translation_are_excluded() {
    let entries: Vec<_> =
        things(10).into_iter().map(|thing| (format!("/sights/{}", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (path, title) in &entries {
        let main = format!("{}{}", switch(path), paragraphs(title, 3));
        town.page(path, title, &main);
        // Only an attribute shows the chosen language.
        for code in ["de", "fr"] {
            let html = shell(title, &main).replace("lang=\"en\"", &format!("lang=\"{code}\""));
            town.site.page(&format!("{path}?lang={code}"), html);
        }
    }
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "lang=", &["parameter-variant", "duplicate"]);
}

/// A page may also have a URL that selects its own language; one of the two URLs is listed.
#[test]
fn the_own_language_of_a_page_is_listed_once_and_its_translation_stays() {
    let entries: Vec<_> =
        things(10).into_iter().map(|thing| (format!("/sights/{}", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (path, title) in &entries {
        let switch = format!("<p><a href=\"{path}?lang=en\">English</a> <a href=\"{path}?lang=de\">Deutsch</a></p>");
        let english = format!("{switch}{}", paragraphs(title, 3));
        town.junk(path, title, &english);
        town.junk(&format!("{path}?lang=en"), title, &english);
        let german = format!("{switch}{}", paragraphs_in(&GERMAN, title, 3));
        town.page(&format!("{path}?lang=de"), &format!("Sehenswert: {title}"), &german);
    }
    let crawled = town.crawl();
    town.assert_complete(&crawled);
    let listed = crawled.listed();
    for (path, _) in &entries {
        let both = [town.site.url(path), town.site.url(&format!("{path}?lang=en"))];
        assert_eq!(both.iter().filter(|url| listed.contains(*url)).count(), 1, "{both:?}");
    }
}
