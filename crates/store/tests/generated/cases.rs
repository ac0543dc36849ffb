//! Regression tests of faults found on generated sites, each on the smallest site that shows it.

use crate::crawl::Blank;
use crate::model::{Effect, Entry, Param, Route, Site, Style, Teaser, Without};
use crate::promises::check;

/// A site whose home page links a list, which links a page with the parameter `param` and some other pages.
fn site(param: &str, values: &[&str], effect: Effect) -> Site {
    let route = |path: &str, items: &[usize], to: &[usize]| Route {
        path: path.to_owned(),
        name: format!("At {path}"),
        items: items.to_vec(),
        entries: to.iter().map(|route| Entry { route: *route, query: Vec::new() }).collect(),
    };
    let (name, values) = (param.to_owned(), values.iter().map(|value| (*value).to_owned()).collect());
    let others: Vec<usize> = (3..15).collect();
    let mut routes = vec![route("/", &[0], &[1]), route("/list", &[], &[&[2], others.as_slice()].concat())];
    routes.push(route("/node/5", &[1], &[]));
    routes.extend(others.iter().map(|other| route(&format!("/other/{other}"), &[100 + other], &[])));
    Site {
        style: Style {
            one_title: true,
            headings: false,
            facets_in_content: false,
            soft_missing: false,
            nav: vec![1],
            teaser: Teaser::Nothing,
            combined: false,
        },
        routes,
        params: vec![Param { name, on: vec![2], values, effect, is_facet: true }],
    }
}

#[test]
fn pages_under_numbers_are_no_evidence_for_each_other() {
    let effect = Effect::Irregular { on: vec![(2, vec![2, 3])], adds: true };
    check(&site("offset", &["1", "2", "3"], effect), &Blank::new());
}

#[test]
fn the_page_that_stays_for_the_first_of_a_series_is_not_left_out() {
    let records = (0..5).map(|record| vec![10 + record]).collect();
    let effect = Effect::Selects { records, without: Without::First };
    check(&site("o", &["1", "2", "3", "4", "5"], effect), &Blank::new());
}

#[test]
fn pages_do_not_belong_to_a_list_that_is_not_linked() {
    let mut site = site("offset", &["1", "2"], Effect::Irregular { on: vec![(2, vec![2, 3])], adds: false });
    site.params[0].is_facet = false;
    site.routes[1].entries[0].query = vec![(0, 1)];
    check(&site, &Blank::new());
}
