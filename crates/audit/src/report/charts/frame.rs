//! The frame of a chart: its caption and its description for screen readers.

use mapwright_text::escaped;

/// A chart: its name, its height, and its description for screen readers.
pub(super) struct Frame<'f> {
    pub(super) id: &'f str,
    pub(super) title: &'f str,
    /// The thing that is counted, which follows the title.
    pub(super) unit: &'f str,
    pub(super) height: usize,
    pub(super) description: String,
}

impl Frame<'_> {
    /// Returns the chart around its shapes, followed by `after`.
    pub(super) fn around(&self, class: &str, shapes: &str, after: &str) -> String {
        let Self { id, title, unit, height, description } = self;
        let description = escaped(description);
        format!(
            "<figure class=\"{class}\">\n<figcaption>{title} <span>{unit}</span></figcaption>\n\
             <svg role=\"img\" aria-labelledby=\"{id}-title {id}-description\" class=\"{id}\" height=\"{height}\">\
             <title id=\"{id}-title\">{title}</title><desc id=\"{id}-description\">{description}</desc>\n{shapes}</svg>\n{after}</figure>\n"
        )
    }
}
