use super::{MAX_BYTES, write};
use crate::checks;
use crate::rendered_finding::{RenderedFinding, Subject};
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
    let every = checks::all().iter().flat_map(|check| (0..9).map(move |n| (*check, n)));
    let items: Vec<RenderedFinding> = every
        .map(|(check, n)| RenderedFinding {
            message: long.clone(),
            ..item(check.code, Subject::Url(format!("https://site.test/{long}{n}")))
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
    for check in checks::all() {
        // Code stands between backticks, where nothing is markup.
        let fix: String = check.fix.split('`').step_by(2).collect();
        assert!(!check.reason.contains(sign) && !fix.contains(sign), "{}", check.code);
        assert!(!check.reason.contains(['`', '&']), "{}", check.code);
    }
}

#[test]
fn a_target_that_the_message_names_is_not_printed_twice() {
    let of = |message: &str| {
        let target = Some("https://site.test/end".to_owned());
        let message = message.to_owned();
        text(&Sample::of(vec![RenderedFinding {
            target,
            message,
            ..item("redirect-chain", Subject::Url("https://site.test/a".to_owned()))
        }]))
    };
    let arrow = "→ `https://site.test/end`";
    assert!(!of("It takes 2 hops to https://site.test/end.").contains(arrow));
    assert!(of("It takes 2 hops to https://site.test/endless.").contains(arrow), "another URL");
}

#[test]
fn an_audit_without_findings_says_so() {
    let mut sample = Sample::of(Vec::new());
    sample.tallies.clear();
    assert!(text(&sample).contains("**0 errors**, **0 warnings**, **0 notices**"));
}
