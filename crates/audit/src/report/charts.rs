//! The charts of the report, as SVG that stretches with the page while its texts keep their size.

mod bars;
mod funnel;
mod history;
mod squarify;
mod treemap;

use crate::figures::Figures;
use mapwright_text::escaped;

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

/// A chart: its name, its height, and its description for screen readers.
struct Frame<'f> {
    id: &'f str,
    title: &'f str,
    /// The thing that is counted, which follows the title.
    unit: &'f str,
    height: usize,
    description: String,
}

impl Frame<'_> {
    /// Returns the chart around its shapes, followed by `after`.
    fn around(&self, class: &str, shapes: &str, after: &str) -> String {
        let Self { id, title, unit, height, description } = self;
        let description = escaped(description);
        format!(
            "<figure class=\"{class}\">\n<figcaption>{title} <span>{unit}</span></figcaption>\n\
             <svg role=\"img\" aria-labelledby=\"{id}-title {id}-description\" class=\"{id}\" height=\"{height}\">\
             <title id=\"{id}-title\">{title}</title><desc id=\"{id}-description\">{description}</desc>\n{shapes}</svg>\n{after}</figure>\n"
        )
    }
}

#[cfg(test)]
mod tests;
