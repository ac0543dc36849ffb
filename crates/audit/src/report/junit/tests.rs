use super::write;
use crate::checks;
use crate::report::sample::Sample;
use crate::report::samples::Samples;
use quick_xml::Reader;
use quick_xml::events::Event;

fn text(sample: &Sample) -> String {
    let mut out = Vec::new();
    write(&sample.report(), &Samples::of(&sample.items, 5).unwrap(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

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
fn what_was_found_in_full() {
    let text = text(&Sample::plain());
    let found: Vec<&str> = text.lines().filter(|line| !line.ends_with("\"/>")).collect();
    insta::assert_snapshot!(found.join("\n"));
}

#[test]
fn counts_agree() {
    let text = text(&Sample::plain());
    assert_eq!(elements(&text, "testcase"), checks::all().len());
    assert_eq!(elements(&text, "failure"), 4);
    assert!(text.contains(&format!("tests=\"{}\" failures=\"4\"", checks::all().len())));
}

#[test]
fn notices_and_accepted_findings_are_no_failures() {
    let mut sample = Sample::plain();
    sample.items.retain(|item| item.accepted || item.severity == crate::Severity::Notice);
    let text = text(&Sample::of(sample.items));
    assert_eq!(elements(&text, "failure"), 0);
    assert_eq!(elements(&text, "system-out"), 1);
}

#[test]
fn hostile_texts_leave_it_well_formed() {
    let text = text(&Sample::hostile());
    assert_eq!(elements(&text, "script"), 0);
    assert!(text.lines().all(|line| !line.contains(mapwright_text::is_unsafe)));
}
