//! The charts of the report, as SVG that stretches with the page while its texts keep their size.

mod bars;
mod frame;
mod funnel;
mod history;
mod squarify;
mod treemap;

use crate::figures::Figures;
use frame::Frame;

/// Returns every chart that has data.
pub(crate) fn all(figures: &Figures) -> String {
    let bars = |id, title, unit, list| bars::figure(&bars::Histogram { id, title, unit, bars: list });
    [
        funnel::figure(&figures.funnel),
        funnel::own_sitemap(&figures.funnel),
        bars("statuses", "Statuses", "responses", &figures.statuses),
        bars("depths", "Depth", "pages by clicks from the start", &figures.depths),
        bars("times", "Response times", "responses", &figures.times),
        history::figure(&figures.history),
        treemap::figure(&figures.folders),
    ]
    .concat()
}

#[cfg(test)]
mod tests;
