use super::{MAX_BYTES, write};
use crate::code::Code;
use crate::item::{RenderedFinding, Subject};
use crate::report::sample::{Sample, item};
use crate::report::samples::Samples;

fn text(sample: &Sample) -> String {
    let mut out = Vec::new();
    write(&sample.report(), &Samples::of(&sample.items, 5).unwrap(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_summary_in_full() {
    insta::assert_snapshot!(text(&Sample::plain()));
}

#[test]
fn hostile_texts_in_full() {
    let text = text(&Sample::hostile());
    assert!(!text.contains(|c| c != '\n' && mapwright_text::is_unsafe(c)));
    insta::assert_snapshot!(text);
}

#[test]
fn sections_that_do_not_fit_are_counted() {
    let long = "x".repeat(5_000);
    let every = Code::ALL.iter().flat_map(|code| (0..9).map(|n| (*code, n)));
    let items: Vec<RenderedFinding> = every
        .map(|(code, n)| RenderedFinding {
            message: long.clone(),
            ..item(code, Subject::Url(format!("https://site.test/{long}{n}")))
        })
        .collect();
    let text = text(&Sample::of(items));
    assert!(text.len() <= MAX_BYTES, "{}", text.len());
    assert!(text.contains(" more checks are left out here"));
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
}

#[test]
fn the_texts_of_codes_need_no_escapes() {
    let sign = |c| matches!(c, '|' | '<' | '>' | '[' | '*' | '_' | '\\' | '\n' | '@');
    for code in Code::ALL {
        assert!(!code.reason().contains(sign) && !code.fix().contains(sign), "{}", code.as_str());
        assert!(!code.reason().contains(['`', '&']), "{}", code.as_str());
    }
}

#[test]
fn an_audit_without_findings_says_so() {
    let mut sample = Sample::of(Vec::new());
    sample.tallies.clear();
    assert!(text(&sample).contains("**0 errors**, **0 warnings**, **0 notices**"));
}
