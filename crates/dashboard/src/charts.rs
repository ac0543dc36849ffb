//! Charts over runs, as SVG that scales with the page; each has a table as its text alternative.

use mapwright_text::{counted_in_groups, grouped};
use std::fmt::Write;

const HEIGHT: f64 = 110.0;
const TOP: f64 = 24.0;

/// A column chart over runs. All its texts are our own: words, dates, numbers.
pub(crate) struct Chart {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// The counted unit, shown after the title.
    pub(crate) unit: &'static str,
    /// The parts of a column from the bottom up: class and name.
    pub(crate) parts: &'static [(&'static str, &'static str)],
    /// Columns, the oldest first.
    pub(crate) columns: Vec<Column>,
}

/// The column of one run.
pub(crate) struct Column {
    pub(crate) run: i64,
    pub(crate) day: String,
    /// A value for each part.
    pub(crate) values: Vec<u64>,
}

impl Column {
    fn total(&self) -> u64 {
        self.values.iter().fold(0, |sum, value| sum.saturating_add(*value))
    }
}

impl Chart {
    /// Renders the chart as markup; empty where there are no columns.
    pub(crate) fn markup(&self) -> String {
        let (Some(oldest), Some(newest)) = (self.columns.first(), self.columns.last()) else { return String::new() };
        let Self { id, title, unit, .. } = self;
        let most = self.columns.iter().map(Column::total).max().unwrap_or(0).max(1);
        let base = TOP + HEIGHT;
        let (label, height) = (base + 18.0, base + 24.0);
        format!(
            "<figure>\n<figcaption>{title} <span>{unit}</span></figcaption>\n\
             <svg role=\"img\" aria-labelledby=\"{id}-title {id}-description\" height=\"{height}\">\
             <title id=\"{id}-title\">{title}</title><desc id=\"{id}-description\">{}</desc>\n\
             <text class=\"soft\" x=\"0\" y=\"14\">{}</text>\
             <line class=\"axis\" x1=\"0\" y1=\"{TOP}\" x2=\"100%\" y2=\"{TOP}\"/>\
             <line class=\"axis\" x1=\"0\" y1=\"{base}\" x2=\"100%\" y2=\"{base}\"/>\n{}\
             <text class=\"soft\" x=\"0\" y=\"{label}\">{}</text>\
             <text class=\"soft\" x=\"100%\" y=\"{label}\" text-anchor=\"end\">{}</text></svg>\n{}{}</figure>\n",
            self.described(),
            grouped(most),
            self.shapes(most),
            oldest.day,
            newest.day,
            self.legend(),
            self.table(),
        )
    }

    /// The description for screen readers; the table has the values.
    fn described(&self) -> String {
        let totals = || self.columns.iter().map(Column::total);
        let newest = totals().next_back().unwrap_or(0);
        let (least, most) = (totals().min().unwrap_or(0), totals().max().unwrap_or(0));
        let runs = self.columns.len();
        format!(
            "{}, from {} to {}; {} in the newest. The table below has all.",
            counted_in_groups(runs as u64, "run"),
            grouped(least),
            grouped(most),
            grouped(newest)
        )
    }

    fn shapes(&self, most: u64) -> String {
        let step = 100.0 / f64::from(u32::try_from(self.columns.len()).unwrap_or(u32::MAX));
        let width = (step * 0.72).min(8.0);
        let mut shapes = String::new();
        for (column, place) in self.columns.iter().zip(0_u32..) {
            let x = f64::from(place) * step + (step - width) / 2.0;
            let mut y = TOP + HEIGHT;
            // Writing to a String cannot fail.
            let _ = write!(shapes, "<g><title>{}</title>", self.said(column));
            for ((class, _), value) in self.parts.iter().zip(&column.values) {
                let height = *value as f64 / most as f64 * HEIGHT;
                y -= height;
                let _ = write!(
                    shapes,
                    "<rect class=\"{class}\" x=\"{x:.2}%\" y=\"{y:.2}\" width=\"{width:.2}%\" height=\"{height:.2}\"/>"
                );
            }
            shapes.push_str("</g>\n");
        }
        shapes
    }

    fn said(&self, column: &Column) -> String {
        let parts = self.parts.iter().zip(&column.values);
        let counts: Vec<String> = parts.map(|((_, name), value)| format!("{} {name}", grouped(*value))).collect();
        format!("{}, run {}: {}", column.day, column.run, counts.join(", "))
    }

    fn legend(&self) -> String {
        if self.parts.len() < 2 {
            return String::new();
        }
        let one = |(class, name): &(&str, &str)| {
            format!(
                "<li><svg aria-hidden=\"true\"><rect class=\"{class}\" width=\"12\" height=\"12\"/></svg>{name}</li>"
            )
        };
        format!("<ul class=\"legend\">{}</ul>\n", self.parts.iter().map(one).collect::<String>())
    }

    /// Renders the table, the newest first like the list of runs.
    fn table(&self) -> String {
        let heads: String =
            self.parts.iter().map(|(_, name)| format!("<th scope=\"col\" class=\"number\">{name}</th>")).collect();
        let row = |column: &Column| {
            let cells: String =
                column.values.iter().map(|value| format!("<td class=\"number\">{}</td>", grouped(*value))).collect();
            format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", column.day)
        };
        let rows: String = self.columns.iter().rev().map(row).collect();
        format!(
            "<details><summary>{} as a table</summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{} as a table\">\
             <table><thead><tr><th scope=\"col\">Run</th>{heads}</tr></thead>\n<tbody>{rows}</tbody></table></div></details>\n",
            self.title, self.title
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Chart, Column};

    fn chart(columns: Vec<Column>) -> String {
        let parts = &[("bar-error", "errors"), ("bar-warning", "warnings")];
        Chart { id: "findings", title: "Findings", unit: "", parts, columns }.markup()
    }

    #[test]
    fn columns_are_as_high_as_their_share_and_the_table_has_the_numbers() {
        let column = |run, values: &[u64]| Column { run, day: format!("2026-01-0{run}"), values: values.to_vec() };
        let markup = chart(vec![column(1, &[1_000, 1_000]), column(2, &[500, 0])]);
        assert!(markup.contains("height=\"55.00\"") && markup.contains("height=\"27.50\""), "{markup}");
        assert!(markup.contains("<td class=\"number\">1,000</td>") && markup.contains("run 2: 500 errors, 0 warnings"));
        assert_eq!(markup.matches("<rect").count(), 6, "four shapes, two of the legend");
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert_eq!(chart(Vec::new()), "");
        assert!(chart(vec![Column { run: 1, day: String::new(), values: vec![0, 0] }]).contains("height=\"0.00\""));
    }
}
