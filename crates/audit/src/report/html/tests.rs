use super::{PAGE, SCRIPT, STYLE, write};
use crate::report::sample::{HOSTILE, Sample};
use crate::report::samples::Samples;

fn text(sample: &Sample) -> String {
    let mut out = Vec::new();
    write(&sample.report(), &Samples::of(&sample.items, 10).unwrap(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Returns the page without the parts that are the same in all of them.
fn own(sample: &Sample) -> String {
    text(sample).replace(STYLE, "[style]").replace(SCRIPT, "[script]").replace(env!("CARGO_PKG_VERSION"), "[version]")
}

#[test]
fn the_page_in_full() {
    let page = own(&Sample::plain());
    let policy = super::policy::policy(SCRIPT, STYLE);
    insta::assert_snapshot!(page.replace(&policy, "[policy]"));
}

#[test]
fn every_place_is_filled() {
    let empty: Vec<&str> = PAGE
        .split("{{")
        .skip(1)
        .map(|part| part.split_once("}}").unwrap().0)
        .filter(|name| {
            let sample = Sample::plain();
            let samples = Samples::of(&sample.items, 1).unwrap();
            !name.ends_with("data") && super::part(name, &sample.report(), &samples).is_empty()
        })
        .collect();
    assert_eq!(empty, Vec::<&str>::new());
}

#[test]
fn nothing_is_loaded_from_anywhere() {
    let page = own(&Sample::plain());
    for tag in
        ["<link", "<img", "<iframe", "<object", "<embed", "<base", " src=", " style=", "javascript:", "@import", "url("]
    {
        assert!(!page.contains(tag) && !STYLE.contains(tag), "{tag}");
    }
    assert!(!SCRIPT.contains("innerHTML") && !SCRIPT.contains("</"));
    assert!(!SCRIPT.contains("fetch(") && !SCRIPT.contains("import"));
}

#[test]
fn hostile_texts_become_no_markup() {
    let page = own(&Sample::hostile());
    let scripts = page.matches("<script").count();
    assert_eq!(scripts, own(&Sample::plain()).matches("<script").count());
    assert_eq!(scripts, page.matches("</script>").count());
    for raw in HOSTILE.iter().filter(|text| text.contains('<')) {
        assert!(!page.contains(raw), "{raw}");
    }
    assert!(!page.contains("<!--"));
    assert!(!page.contains(|c| c != '\n' && mapwright_text::is_unsafe(c)));
}

#[test]
fn an_audit_without_findings_says_so() {
    let mut sample = Sample::of(Vec::new());
    sample.tallies.clear();
    assert!(text(&sample).contains("Nothing was found."));
}
