use super::all;
use crate::figures::{Bar, Figures, SiteFolder};
use crate::report::sample::Sample;
use quick_xml::Reader;
use quick_xml::events::Event;

/// Counts the elements of a name; panics if the text is not well-formed.
fn elements(text: &str, name: &str) -> usize {
    let mut reader = Reader::from_str(text);
    let mut count = 0;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => count += usize::from(tag.name().as_ref() == name),
            Event::Eof => return count,
            _ => {}
        }
    }
}

#[test]
fn charts_in_full() {
    insta::assert_snapshot!(all(&Sample::plain().figures));
}

#[test]
fn every_chart_has_a_description_for_screen_readers() {
    let text = all(&Sample::plain().figures);
    assert_eq!(elements(&text, "figure"), 7);
    assert_eq!(elements(&text, "desc"), 7);
}

#[test]
fn hostile_labels_are_no_markup() {
    let text = all(&Sample::hostile().figures);
    assert_eq!(elements(&text, "script"), 0);
    assert!(!text.contains('\u{202e}'));
}

#[test]
fn without_data_there_are_only_the_funnel_and_a_note_on_the_history() {
    assert_eq!(elements(&all(&Figures::default()), "svg"), 1);
}

#[test]
fn pictures_are_bounded() {
    let leaf = |path: String| SiteFolder { path, urls: 10, errors: 1, warnings: 1, folders: Vec::new() };
    let inner = |n: usize| SiteFolder {
        urls: 20_000,
        folders: (0..500).map(|m| leaf(format!("https://site.test/{n}/{m}/"))).collect(),
        ..leaf(format!("https://site.test/{n}/"))
    };
    let host =
        SiteFolder { urls: 2_000_000, folders: (0..100).map(inner).collect(), ..leaf("https://site.test/".into()) };
    let statuses = (0..300).map(|n| Bar { label: n.to_string(), count: n }).collect();
    let text = all(&Figures { folders: vec![host], statuses, ..Figures::default() });
    assert!(text.len() < 100_000, "{}", text.len());
    assert!(text.contains(">others</text>"));
}

#[test]
fn empty_bars_after_the_last_full_one_are_left_out() {
    let bar = |(label, count): (&str, u64)| Bar { label: label.to_owned(), count };
    let depths = [("0", 1), ("1", 0), ("2", 7), ("3", 0), ("not reachable by links", 0)].map(bar).to_vec();
    let text = all(&Figures { depths, ..Figures::default() });
    assert!(text.contains(">1</text>") && text.contains(">2</text>"), "{text}");
    assert!(!text.contains(">3</text>") && !text.contains("not reachable"), "{text}");
}

#[test]
fn folders_are_named_by_their_paths_and_other_hosts_by_host_and_path() {
    let folder = |path: &str, urls: u64, folders: Vec<SiteFolder>| SiteFolder {
        path: path.to_owned(),
        urls,
        errors: 0,
        warnings: 0,
        folders,
    };
    let shop = folder("http://127.0.0.1:8080/shop/", 500, Vec::new());
    let hosts = vec![folder("http://127.0.0.1:8080/", 700, vec![shop]), folder("http://cdn.test/", 300, Vec::new())];
    let text = all(&Figures { folders: hosts, ..Figures::default() });
    assert!(text.contains(">/shop/</text>") && text.contains(">cdn.test/</text>"), "{text}");
}

#[test]
fn a_map_of_one_tile_is_low() {
    let folder = |name: &str, urls: u64, folders: Vec<SiteFolder>| SiteFolder {
        path: format!("https://site.test/{name}"),
        urls,
        errors: 0,
        warnings: 0,
        folders,
    };
    let map =
        |folders: Vec<SiteFolder>| all(&Figures { folders: vec![folder("", 1_000, folders)], ..Figures::default() });
    assert!(map(vec![folder("all/", 999, Vec::new())]).contains("class=\"map\" height=\"60\""));
    assert!(map(vec![folder("half/", 500, Vec::new())]).contains("class=\"map\" height=\"190\""));
}
