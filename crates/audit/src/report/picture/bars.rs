//! A histogram with a line a bar, which small screens hold as well as large ones.

use super::Frame;
use crate::figures::Bar;
use crate::report::markup::escaped;
use crate::report::number::{grouped, share};
use crate::report::visible::{shortened, visible};

const STEP: usize = 26;
/// How many bars are drawn; those after are gathered in one.
const MOST: usize = 16;
/// How long a label may be.
const LONGEST: usize = 16;
/// Where bars end at most, in percent: a count stands behind them.
const END: f64 = 78.0;

/// What a histogram shows.
pub(super) struct Histogram<'h> {
    pub(super) id: &'h str,
    pub(super) title: &'h str,
    pub(super) told: &'h str,
    pub(super) bars: &'h [Bar],
}

/// The histogram; none where nothing was counted.
pub(super) fn figure(histogram: &Histogram<'_>) -> String {
    let bars = gathered(histogram.bars);
    let Some(most) = bars.iter().map(|bar| bar.count).max() else { return String::new() };
    let shapes: String = bars.iter().enumerate().map(|(place, bar)| line(place, bar, most, start(&bars))).collect();
    let told: Vec<String> = bars.iter().map(|bar| format!("{}: {}", visible(&bar.label), grouped(bar.count))).collect();
    let frame = Frame {
        id: histogram.id,
        title: histogram.title,
        told: histogram.told,
        height: bars.len() * STEP,
        description: format!("{}.", told.join("; ")),
    };
    frame.around("", &shapes, "")
}

/// The bars as they are drawn: empty ones after the last that is none tell nothing.
fn gathered(bars: &[Bar]) -> Vec<Bar> {
    let last = bars.iter().rposition(|bar| bar.count > 0).map_or(0, |place| place + 1);
    let bars = bars.get(..last).unwrap_or(bars);
    let (shown, rest) = bars.split_at(if bars.len() > MOST { MOST - 1 } else { bars.len() });
    let mut shown = shown.to_vec();
    if !rest.is_empty() {
        shown.push(Bar { label: "others".to_owned(), count: rest.iter().map(|bar| bar.count).sum() });
    }
    shown
}

/// Where bars begin, in percent: behind the longest label.
fn start(bars: &[Bar]) -> f64 {
    match bars.iter().map(|bar| bar.label.chars().count()).max() {
        None | Some(..=3) => 12.0,
        Some(..=8) => 21.0,
        _ => 28.0,
    }
}

fn line(place: usize, bar: &Bar, most: u64, start: f64) -> String {
    let (text, top) = (place * STEP + 17, place * STEP + 5);
    let width = if bar.count == 0 { 0.0 } else { (share(bar.count, most) * (END - start)).max(0.4) };
    let (label, count, end) = (escaped(&shortened(&bar.label, LONGEST)), grouped(bar.count), start + width);
    let class = class(&bar.label);
    format!(
        "<text class=\"soft\" x=\"{start}%\" dx=\"-8\" y=\"{text}\" text-anchor=\"end\">{label}</text>\
         <rect class=\"{class}\" x=\"{start}%\" y=\"{top}\" width=\"{width:.2}%\" height=\"16\" rx=\"2\"/>\
         <text x=\"{end:.2}%\" dx=\"7\" y=\"{text}\">{count}</text>\n"
    )
}

/// Answers are coloured by what their status means; all else has one colour.
fn class(label: &str) -> &'static str {
    let is_status = label.len() == 3 && label.bytes().all(|byte| byte.is_ascii_digit());
    match label.as_bytes().first() {
        Some(b'2') if is_status => "bar-good",
        Some(b'3') if is_status => "bar-notice",
        Some(b'4' | b'5') if is_status => "bar-error",
        _ if label == "no answer" => "bar-error",
        _ if label == "not fetched" => "bar-notice",
        _ => "bar-rest",
    }
}
