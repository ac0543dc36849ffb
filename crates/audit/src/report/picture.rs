//! The pictures of the report, drawn as SVG that stretches with the page while its texts keep their size.

mod bars;
mod funnel;
mod history;
mod squarify;
mod treemap;

use super::markup::escaped;
use crate::figures::Figures;

/// Every picture that there is something to draw for.
pub(crate) fn all(figures: &Figures) -> String {
    let bars = |id, title, told, list| bars::figure(&bars::Histogram { id, title, told, bars: list });
    [
        funnel::figure(&figures.funnel),
        funnel::own_sitemap(&figures.funnel),
        bars("statuses", "Statuses", "answers", &figures.statuses),
        bars("depths", "Depth", "pages by clicks from the start", &figures.depths),
        bars("times", "Response times", "answers", &figures.times),
        history::figure(&figures.history),
        treemap::figure(&figures.folders),
    ]
    .concat()
}

/// A picture: its name, how high it is, and what readers who do not see it are told.
struct Frame<'f> {
    id: &'f str,
    title: &'f str,
    /// What is counted, said behind the title.
    told: &'f str,
    height: usize,
    description: String,
}

impl Frame<'_> {
    /// The picture around its shapes, with what follows it.
    fn around(&self, class: &str, shapes: &str, after: &str) -> String {
        let Self { id, title, told, height, description } = self;
        let description = escaped(description);
        format!(
            "<figure class=\"{class}\">\n<figcaption>{title} <span>{told}</span></figcaption>\n\
             <svg role=\"img\" aria-labelledby=\"{id}-title {id}-told\" class=\"{id}\" height=\"{height}\">\
             <title id=\"{id}-title\">{title}</title><desc id=\"{id}-told\">{description}</desc>\n{shapes}</svg>\n{after}</figure>\n"
        )
    }
}

#[cfg(test)]
mod tests;
