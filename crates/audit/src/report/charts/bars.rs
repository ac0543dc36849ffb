//! A histogram with one line a bar, which fits small screens as well as large ones.

use super::Frame;
use crate::figures::Bar;
use mapwright_text::{escaped, grouped, share, shortened, visible};

const STEP: usize = 26;
/// The most bars that are drawn; further ones are merged into one.
const MAX_BARS: usize = 16;
/// The most characters of a label.
const MAX_CHARS: usize = 16;
/// The right end of the longest bar, in percent; its count follows.
const END: f64 = 78.0;

/// The data of a histogram.
pub(super) struct Histogram<'h> {
    pub(super) id: &'h str,
    pub(super) title: &'h str,
    pub(super) unit: &'h str,
    pub(super) bars: &'h [Bar],
}

/// Returns the histogram; empty without counts.
pub(super) fn figure(histogram: &Histogram<'_>) -> String {
    let bars = gathered(histogram.bars);
    let Some(most) = bars.iter().map(|bar| bar.count).max() else { return String::new() };
    let shapes: String = bars.iter().enumerate().map(|(place, bar)| line(place, bar, most, start(&bars))).collect();
    let descriptions: Vec<String> =
        bars.iter().map(|bar| format!("{}: {}", visible(&bar.label), grouped(bar.count))).collect();
    let frame = Frame {
        id: histogram.id,
        title: histogram.title,
        unit: histogram.unit,
        height: bars.len() * STEP,
        description: format!("{}.", descriptions.join("; ")),
    };
    frame.around("", &shapes, "")
}

/// Returns the bars to draw, without the empty ones after the last that is not empty.
fn gathered(bars: &[Bar]) -> Vec<Bar> {
    let last = bars.iter().rposition(|bar| bar.count > 0).map_or(0, |place| place + 1);
    let bars = bars.get(..last).unwrap_or(bars);
    let (shown, rest) = bars.split_at(if bars.len() > MAX_BARS { MAX_BARS - 1 } else { bars.len() });
    let mut shown = shown.to_vec();
    if !rest.is_empty() {
        shown.push(Bar { label: "others".to_owned(), count: rest.iter().map(|bar| bar.count).sum() });
    }
    shown
}

/// Returns the left end of bars, in percent, which leaves room for the longest label.
fn start(bars: &[Bar]) -> f64 {
    match bars.iter().map(|bar| bar.label.chars().count()).max() {
        None | Some(..=3) => 12.0,
        Some(..=8) => 21.0,
        Some(..=13) => 36.0,
        _ => 44.0,
    }
}

fn line(place: usize, bar: &Bar, most: u64, start: f64) -> String {
    let (text, top) = (place * STEP + 17, place * STEP + 5);
    let width = if bar.count == 0 { 0.0 } else { (share(bar.count, most) * (END - start)).max(0.4) };
    let (label, count, end) = (escaped(&shortened(&bar.label, MAX_CHARS)), grouped(bar.count), start + width);
    let class = class(&bar.label);
    format!(
        "<text class=\"soft\" x=\"{start}%\" dx=\"-8\" y=\"{text}\" text-anchor=\"end\">{label}</text>\
         <rect class=\"{class}\" x=\"{start}%\" y=\"{top}\" width=\"{width:.2}%\" height=\"16\" rx=\"2\"/>\
         <text x=\"{end:.2}%\" dx=\"7\" y=\"{text}\">{count}</text>\n"
    )
}

/// Returns the colour class of a bar: by the status for responses, else one colour.
fn class(label: &str) -> &'static str {
    let is_status = label.len() == 3 && label.bytes().all(|byte| byte.is_ascii_digit());
    match label.as_bytes().first() {
        Some(b'2') if is_status => "bar-good",
        Some(b'3') if is_status => "bar-notice",
        Some(b'4' | b'5') if is_status => "bar-error",
        _ if label == "no answer" => "bar-error",
        _ if label == "not requested" => "bar-notice",
        _ => "bar-rest",
    }
}
