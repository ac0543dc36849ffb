//! Parameters with random effects.

use crate::draw::Draw;
use crate::model::{Beyond, Effect, Param, Route, Without};

/// Names that servers give to parameters of any effect.
const NAMES: [&str; 28] = [
    "sid", "s", "ref", "from", "token", "sort", "order", "dir", "c", "o", "view", "page", "p", "start", "offset",
    "lang", "id", "t", "cat", "filter", "tab", "mode", "x", "q1", "foo", "color", "do", "show",
];

/// The numbers of the next `count` texts.
pub(crate) fn texts(given_out: &mut usize, count: usize) -> Vec<usize> {
    *given_out += count;
    (*given_out - count..*given_out).collect()
}

/// A parameter of a name that is not `taken`.
pub(crate) fn param(
    draw: &mut Draw,
    routes: &[Route],
    lists: &[usize],
    taken: &[String],
    given_out: &mut usize,
) -> Param {
    let contents: Vec<usize> = (1..routes.len()).filter(|route| !lists.contains(route)).collect();
    let (effect, on) = match draw.range(0, 9) {
        0 | 1 => selects(draw, &contents, given_out),
        2 => (Effect::Nothing, everywhere(draw, routes, lists, &contents)),
        3 => (Effect::Session { generations: draw.range(1, 2) }, everywhere(draw, routes, lists, &contents)),
        4 => (Effect::Sorts, draw.some(lists, 1, lists.len())),
        5 | 6 => (paginates(draw), draw.some(lists, 1, lists.len())),
        7 => (Effect::Narrows { renames: draw.percent(40) }, draw.some(lists, 1, lists.len())),
        8 => (Effect::Translates { texts: draw.percent(50) }, everywhere(draw, routes, lists, &contents)),
        _ => irregular(draw, lists, &contents, given_out),
    };
    let values = values(draw, &effect);
    let is_facet = match effect {
        Effect::Nothing | Effect::Irregular { .. } => draw.percent(40),
        Effect::Session { .. } => false,
        Effect::Selects { without, .. } => without == Without::Own || without == Without::First,
        _ => true,
    };
    let name = loop {
        let name = *draw.one(&NAMES);
        if taken.iter().all(|taken| taken != name) {
            break name.to_owned();
        }
    };
    Param { name, on, values, effect, is_facet }
}

/// All pages, all pages of content, all lists, or some.
fn everywhere(draw: &mut Draw, routes: &[Route], lists: &[usize], contents: &[usize]) -> Vec<usize> {
    let all: Vec<usize> = (0..routes.len()).collect();
    match draw.range(0, 3) {
        0 => all,
        1 => contents.to_vec(),
        2 => lists.to_vec(),
        _ => draw.some(&all, 1, 6),
    }
}

fn selects(draw: &mut Draw, contents: &[usize], given_out: &mut usize) -> (Effect, Vec<usize>) {
    let records = (0..draw.range(2, 8)).map(|_| texts(given_out, draw.range(1, 3))).collect();
    let without = *draw.one(&[Without::Missing, Without::First, Without::Index, Without::Index, Without::Own]);
    (Effect::Selects { records, without }, vec![*draw.one(contents)])
}

fn paginates(draw: &mut Draw) -> Effect {
    Effect::Paginates { size: draw.range(1, 4), beyond: *draw.one(&[Beyond::Missing, Beyond::Empty, Beyond::Last]) }
}

/// A parameter that has an effect on some pages only, with one value. At most one other page takes it without effect,
/// because a crawl that finds several such pages assumes no effect and does not request the others. The value is not a
/// number, because a page that adds text under a number counts as a page of comments.
fn irregular(draw: &mut Draw, lists: &[usize], contents: &[usize], given_out: &mut usize) -> (Effect, Vec<usize>) {
    let affected = draw.some(contents, 1, 4);
    let mut on = affected.clone();
    if draw.percent(50) {
        on.push(*draw.one(lists));
    }
    let other = affected.into_iter().map(|route| (route, texts(given_out, draw.range(1, 2)))).collect();
    (Effect::Irregular { on: other, adds: draw.percent(50) }, on)
}

fn values(draw: &mut Draw, effect: &Effect) -> Vec<String> {
    let count = match effect {
        Effect::Selects { records, .. } => records.len(),
        Effect::Paginates { .. } => draw.range(1, 4),
        Effect::Session { .. } | Effect::Irregular { .. } => 1,
        _ => draw.range(1, 3),
    };
    match effect {
        Effect::Paginates { size, .. } if draw.percent(30) => {
            (1..=count).map(|page| (page * size).to_string()).collect()
        }
        Effect::Paginates { .. } => (2..count + 2).map(|page| page.to_string()).collect(),
        Effect::Translates { .. } => ["de", "fr", "pt"][..count].iter().map(|value| (*value).to_owned()).collect(),
        Effect::Irregular { .. } => vec!["full".to_owned()],
        _ if draw.percent(50) => (1..=count).map(|value| value.to_string()).collect(),
        _ => (0..count)
            .map(|value| ["red", "blue", "green", "list", "asc", "new", "top", "old"][value].to_owned())
            .collect(),
    }
}
