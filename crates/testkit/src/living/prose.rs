//! Generated text: words of a few syllables, and phrases and paragraphs of them.

use super::dice::Dice;

const SYLLABLES: [&str; 40] = [
    "ba", "be", "bo", "da", "de", "di", "do", "fa", "fe", "fo", "ga", "go", "ha", "he", "ho", "ka", "ke", "ko", "la",
    "le", "li", "lo", "ma", "me", "mi", "mo", "na", "ne", "no", "pa", "pe", "ra", "re", "ro", "sa", "se", "so", "ta",
    "te", "to",
];
const ENDINGS: [&str; 8] = ["n", "r", "l", "s", "rk", "nd", "m", "st"];

/// A word of two or three syllables.
pub(crate) fn word(dice: &mut Dice) -> String {
    let count = 1 + dice.below(2);
    let word: String = (0..=count).map(|_| *dice.pick(&SYLLABLES)).collect();
    word + *dice.pick(&ENDINGS)
}

/// A few words with an initial capital: a title, a heading, a list item.
pub(crate) fn phrase(dice: &mut Dice, words: usize) -> String {
    let words: Vec<String> = (0..words).map(|_| word(dice)).collect();
    capitalized(&words.join(" "))
}

/// Four to seven sentences, some with a number.
pub(crate) fn paragraph(dice: &mut Dice) -> String {
    let sentences: Vec<String> = (0..4 + dice.below(4)).map(|_| sentence(dice)).collect();
    sentences.join(" ")
}

fn sentence(dice: &mut Dice) -> String {
    let mut words: Vec<String> = (0..8 + dice.below(7)).map(|_| word(dice)).collect();
    if dice.chance(20) {
        words.push(format!("{}", 12 + dice.below(9_000)));
    }
    format!("{}.", capitalized(&words.join(" ")))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}", first.to_ascii_uppercase(), letters.as_str()))
}
