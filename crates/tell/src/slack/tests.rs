use super::{MOST_TEXT, body};
use crate::message::tests::{busy, hostile};
use crate::message::{Message, message};
use crate::night::{Listing, Night};

fn text(night: &Night) -> String {
    body(&message(night).unwrap())["text"].as_str().unwrap().to_owned()
}

/// What stands outside of the one block of code.
fn outside(text: &str) -> String {
    let parts: Vec<&str> = text.split("```").collect();
    assert_eq!(parts.len(), 3, "{text}");
    format!("{}{}", parts[0], parts[2])
}

#[test]
fn a_night_in_full() {
    insta::assert_snapshot!(text(&Night { gained: Listing::default(), ..busy() }));
}

#[test]
fn hostile_texts_stay_in_the_block_of_code() {
    let text = text(&hostile());
    assert_eq!(outside(&text), "*mapwright*\n");
    assert!(text.contains("&lt;!channel&gt; &lt;https://evil.example|click&gt; '''"), "{text}");
    assert!(!text.contains(['<', '>']), "{text}");
}

#[test]
fn the_link_is_one_link() {
    let link = "https://maps.example/?a=1&b=2|<!channel>".to_owned();
    let text = text(&Night { link: Some(link), ..busy() });
    assert_eq!(outside(&text), "*mapwright*\n\n<https://maps.example/?a=1&amp;b=2%7C%3C!channel%3E>");
}

#[test]
fn a_long_text_is_cut_between_escapes() {
    for length in 0..40 {
        let night = Night { lost: Listing::new(1, ["&".repeat(450)]), ..busy() };
        let message =
            Message { text: format!("{}{}", "a".repeat(length), "&".repeat(2_000)), ..message(&night).unwrap() };
        let text = body(&message)["text"].as_str().unwrap().to_owned();
        let size = text.chars().count();
        assert!((MOST_TEXT - 5..=MOST_TEXT).contains(&size), "{size}");
        assert!(text.contains("&amp;…\n```\n<https"), "{text}");
    }
}
