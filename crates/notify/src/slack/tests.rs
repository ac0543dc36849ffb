use super::{MAX_TEXT, body};
use crate::event::{PageSample, RunEvent};
use crate::message::tests::{busy, hostile};
use crate::message::{Message, message};

fn text(event: &RunEvent) -> String {
    body(&message(event).unwrap())["text"].as_str().unwrap().to_owned()
}

/// Returns the text outside the one code block.
fn outside(text: &str) -> String {
    let parts: Vec<&str> = text.split("```").collect();
    assert_eq!(parts.len(), 3, "{text}");
    format!("{}{}", parts[0], parts[2])
}

#[test]
fn a_run_in_full() {
    insta::assert_snapshot!(text(&RunEvent { added: PageSample::default(), ..busy() }));
}

#[test]
fn hostile_texts_stay_in_the_code_block() {
    let text = text(&hostile());
    assert_eq!(outside(&text), "*mapwright*\n");
    assert!(text.contains("&lt;!channel&gt; &lt;https://evil.example|click&gt; '''"), "{text}");
    assert!(!text.contains(['<', '>']), "{text}");
}

#[test]
fn the_link_is_one_link() {
    let link = "https://maps.example/?a=1&b=2|<!channel>".to_owned();
    let text = text(&RunEvent { link: Some(link), ..busy() });
    assert_eq!(outside(&text), "*mapwright*\n\n<https://maps.example/?a=1&amp;b=2%7C%3C!channel%3E>");
}

#[test]
fn a_long_text_is_cut_between_escapes() {
    for length in 0..40 {
        let event = RunEvent { removed: PageSample::new(1, ["&".repeat(450)]), ..busy() };
        let message =
            Message { text: format!("{}{}", "a".repeat(length), "&".repeat(2_000)), ..message(&event).unwrap() };
        let text = body(&message)["text"].as_str().unwrap().to_owned();
        let size = text.chars().count();
        assert!((MAX_TEXT - 5..=MAX_TEXT).contains(&size), "{size}");
        assert!(text.contains("&amp;…\n```\n<https"), "{text}");
    }
}
