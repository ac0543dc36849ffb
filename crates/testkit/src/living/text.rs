//! The text of a page, and the kinds of edits.

use super::dice::Dice;
use super::prose;

/// Minimum number of paragraphs of a page, below which none is removed.
const FEWEST: usize = 9;

/// A true change of a page's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edit {
    /// Replaces a paragraph in the middle.
    Rewrite,
    /// Adds a paragraph at the end.
    Append,
    /// Removes a paragraph.
    Remove,
    /// Replaces the first paragraph.
    First,
    /// Replaces the last paragraph, which precedes the counter if there is one.
    Last,
    /// Changes one figure in the text or in the table.
    Figure,
    /// Replaces the heading.
    Heading,
    /// Adds a list item.
    Point,
    /// Changes one cell of the table from yes to no, or back: words that occur on many pages.
    Flip,
}

/// The edits that are applied in turn, without [`Edit::Flip`], which is counted separately.
pub(super) const EDITS: [Edit; 8] =
    [Edit::Rewrite, Edit::First, Edit::Append, Edit::Figure, Edit::Remove, Edit::Heading, Edit::Point, Edit::Last];

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableRow {
    pub(super) name: String,
    pub(super) figure: usize,
    pub(super) answers: Vec<bool>,
}

/// The content of a page, without boilerplate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) paragraphs: Vec<String>,
    pub(super) figure: usize,
    pub(super) heading: String,
    pub(super) points: Vec<String>,
    pub(super) rows: Vec<TableRow>,
}

impl Text {
    /// Generates a new text.
    pub(super) fn written(dice: &mut Dice, paragraphs: usize, rows: usize) -> Text {
        Text {
            paragraphs: (0..paragraphs).map(|_| prose::paragraph(dice)).collect(),
            figure: 10_000 + dice.below(90_000),
            heading: prose::phrase(dice, 4),
            points: (0..3).map(|_| prose::phrase(dice, 6)).collect(),
            rows: (0..rows).map(|_| row(dice)).collect(),
        }
    }

    /// Applies an edit, whose result has never occurred before.
    pub(super) fn apply(&mut self, edit: Edit, dice: &mut Dice) {
        let middle = 2 + dice.below(self.paragraphs.len().saturating_sub(3).max(1));
        match edit {
            Edit::Remove if self.paragraphs.len() > FEWEST => drop(self.paragraphs.remove(middle)),
            Edit::Rewrite | Edit::Remove => self.rewrite(middle, dice),
            Edit::First => self.rewrite(0, dice),
            Edit::Last => self.rewrite(self.paragraphs.len().saturating_sub(1), dice),
            Edit::Append => self.paragraphs.push(prose::paragraph(dice)),
            Edit::Heading => self.heading = prose::phrase(dice, 5),
            Edit::Point => self.points.push(prose::phrase(dice, 6)),
            Edit::Figure => self.refigure(dice),
            Edit::Flip => self.flip(dice),
        }
    }

    fn rewrite(&mut self, index: usize, dice: &mut Dice) {
        if let Some(paragraph) = self.paragraphs.get_mut(index) {
            *paragraph = prose::paragraph(dice);
        }
    }

    fn refigure(&mut self, dice: &mut Dice) {
        let row = dice.below(self.rows.len().max(1));
        let figure = match self.rows.get_mut(row) {
            Some(row) if dice.chance(50) => &mut row.figure,
            _ => &mut self.figure,
        };
        // The step is never a multiple of the range, so the figure is never the same.
        *figure = 10_000 + (*figure - 10_000 + 1 + dice.below(89_999)) % 90_000;
    }

    fn flip(&mut self, dice: &mut Dice) {
        let row = dice.below(self.rows.len().max(1));
        if let Some(row) = self.rows.get_mut(row) {
            let cell = dice.below(row.answers.len().max(1));
            row.answers.iter_mut().skip(cell).take(1).for_each(|answer| *answer = !*answer);
        }
    }
}

fn row(dice: &mut Dice) -> TableRow {
    TableRow {
        name: prose::phrase(dice, 2),
        figure: 10_000 + dice.below(90_000),
        answers: (0..4).map(|_| dice.chance(50)).collect(),
    }
}
