//! The funnel from all discovered URLs to those that search engines may list.

use super::Frame;
use crate::figures::Funnel;
use mapwright_text::{grouped, percent, share};

const STEP: usize = 56;

/// Returns the funnel: each step is as wide as its share of the first.
pub(super) fn figure(funnel: &Funnel) -> String {
    let steps = [
        ("Discovered", funnel.discovered),
        ("Fetched", funnel.fetched),
        ("Indexable", funnel.indexable),
        ("Listed", funnel.listed),
    ];
    let above = [funnel.discovered, funnel.discovered, funnel.fetched, funnel.indexable];
    let descriptions: Vec<String> =
        steps.iter().zip(above).map(|((name, count), above)| described(name, *count, above)).collect();
    let shapes: String = steps
        .iter()
        .zip(above)
        .enumerate()
        .map(|(place, ((name, count), above))| {
            step(place, name, &label(*count, above, place), share(*count, funnel.discovered))
        })
        .collect();
    let frame = Frame {
        id: "funnel",
        title: "From discovered to in the sitemap",
        unit: "URLs",
        height: steps.len() * STEP,
        description: format!("{}.", descriptions.join("; ")),
    };
    frame.around("", &shapes, "")
}

/// Returns the share of indexable pages in the site's own sitemap; empty without indexable pages.
pub(super) fn own_sitemap(funnel: &Funnel) -> String {
    if funnel.indexable == 0 {
        return String::new();
    }
    let (name, count, of) = ("In the site's own sitemap", funnel.in_sitemap, funnel.indexable);
    let frame = Frame {
        id: "own-sitemap",
        title: name,
        unit: "indexable pages",
        height: STEP,
        description: format!("{}, {} of the indexable pages.", grouped(count), percent(count, of)),
    };
    frame.around("", &step(0, name, &label(count, of, 1), share(count, of)), "")
}

fn described(name: &str, count: u64, above: u64) -> String {
    format!("{name}: {}, {} of the step before", grouped(count), percent(count, above))
}

fn label(count: u64, above: u64, place: usize) -> String {
    if place == 0 { grouped(count) } else { format!("{} · {}", grouped(count), percent(count, above)) }
}

fn step(place: usize, name: &str, label: &str, share: f64) -> String {
    let (text, bar, width) = (place * STEP + 14, place * STEP + 21, share * 100.0);
    let start = (100.0 - width) / 2.0;
    format!(
        "<text x=\"0\" y=\"{text}\">{name}</text><text x=\"100%\" y=\"{text}\" text-anchor=\"end\">{label}</text>\
         <rect class=\"track\" x=\"0\" y=\"{bar}\" width=\"100%\" height=\"20\" rx=\"3\"/>\
         <rect class=\"bar-rest\" x=\"{start:.2}%\" y=\"{bar}\" width=\"{width:.2}%\" height=\"20\" rx=\"3\"/>\n"
    )
}
