//! URL parameters in a run: how many URLs have each, and which of these waste requests.

use super::{Node, NodeStatus, Site, UrlNo, UrlParameter};
use crate::parameter_advice::{advice, filter_advice, is_harmless, narrows};
use mapwright_model::Unfetched;
use mapwright_store::ParameterRow;
use mapwright_traps::{has_parameters, parameters, path_pattern};
use mapwright_verdict::Reason;
use mapwright_web::{PageUrl, origin_of};
use std::collections::HashMap;

/// The fewest variants with which a parameter wastes requests.
const MIN_UNDECLARED: usize = 2;

/// The URLs of a run that have one parameter.
#[derive(Default)]
struct Met {
    urls: u64,
    /// Linked variants that were requested, and declare nothing.
    undeclared: Vec<UrlNo>,
    /// Linked variants that were requested, and name another page, say noindex or redirect.
    declared: usize,
    /// Linked variants that were not requested.
    unrequested: Vec<UrlNo>,
    /// URLs that were not requested because they are part of a crawl trap.
    trapped: Vec<UrlNo>,
}

impl Met {
    /// Returns the variants that waste requests. Those that were not requested count like the majority of those that
    /// were.
    fn wasted(mut self) -> Vec<UrlNo> {
        if self.undeclared.len() >= self.declared {
            self.undeclared.extend(self.unrequested);
        }
        if self.undeclared.len() < MIN_UNDECLARED { Vec::new() } else { self.undeclared }
    }
}

/// Returns the parameters that URLs of the run have and whose roles are certain; those that waste requests come first.
pub(super) fn gather(site: &Site, rows: &[ParameterRow]) -> Vec<UrlParameter> {
    let mut met = meet(site, rows);
    let gathered = rows.iter().zip(&mut met).zip(advice(rows)).filter_map(|((row, met), advice)| {
        let met = std::mem::take(met);
        let role = row.role.clone().filter(|_| met.urls > 0)?;
        let (origin, urls) = (origin_of(&row.pattern), met.urls);
        let (wasted, advice) = match row.role.as_deref() {
            role if is_harmless(role) => (met.wasted(), advice),
            // A filter wastes requests where its combinations are a crawl trap.
            role if narrows(role) => (met.trapped, filter_advice(row)),
            _ => (Vec::new(), advice),
        };
        Some(UrlParameter {
            host: origin.split_once("://").map_or(origin, |(_, host)| host).to_owned(),
            pattern: row.pattern.strip_prefix(origin).unwrap_or_default().to_owned(),
            parameter: row.parameter.clone(),
            role,
            urls,
            example: example(site, row, &wasted),
            advice: if wasted.is_empty() { Vec::new() } else { advice },
            wasted,
        })
    });
    let mut gathered: Vec<UrlParameter> = gathered.collect();
    gathered.sort_by_key(|parameter| std::cmp::Reverse(parameter.wasted.len()));
    gathered
}

/// Returns a URL with the parameter. If all variants were left out, the record has no example, and one of them is
/// taken.
fn example(site: &Site, row: &ParameterRow, wasted: &[UrlNo]) -> String {
    let left_out = wasted.first().filter(|_| row.example.is_empty());
    left_out.map_or(row.example.as_str(), |url| site.text(*url)).to_owned()
}

/// Returns, for each parameter, the URLs of this run that have it.
fn meet(site: &Site, rows: &[ParameterRow]) -> Vec<Met> {
    let mut met: Vec<Met> = rows.iter().map(|_| Met::default()).collect();
    let places: HashMap<(&str, &str), usize> =
        rows.iter().enumerate().map(|(at, row)| ((row.pattern.as_str(), row.parameter.as_str()), at)).collect();
    for (url, node) in site.nodes().filter(|(_, node)| !places.is_empty() && (is_met(node) || is_trapped(node))) {
        let Some(text) = PageUrl::recorded(site.text(url)).filter(has_parameters) else { continue };
        let pattern = path_pattern(&text);
        let kind = kind(site, url, node, &text);
        for parameter in parameters(&text) {
            let label = parameter.label();
            let place = places.get(&(pattern.as_str(), label.as_str()));
            if let Some(met) = place.and_then(|at| met.get_mut(*at)) {
                met.add(url, node, kind);
            }
        }
    }
    met
}

/// The classes of URLs with a parameter.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// It is linked and repeats a page without declaring it; or it was not requested because it does.
    Variant,
    /// It declares that it is a variant.
    Declared,
    /// It is a page of its own, or no link leads to it.
    Other,
}

impl Met {
    fn add(&mut self, url: UrlNo, node: &Node, kind: Kind) {
        self.urls += u64::from(node.fetch_status != NodeStatus::Redirect);
        match kind {
            _ if is_trapped(node) => self.trapped.push(url),
            Kind::Variant if node.is_page() => self.undeclared.push(url),
            Kind::Variant => self.unrequested.push(url),
            Kind::Declared => self.declared += 1,
            Kind::Other => {}
        }
    }
}

const LEFT_OUT: NodeStatus = NodeStatus::Refused(Unfetched::ParameterVariant);

fn is_met(node: &Node) -> bool {
    matches!(node.fetch_status, NodeStatus::Page | NodeStatus::Redirect | LEFT_OUT)
}

fn is_trapped(node: &Node) -> bool {
    matches!(node.fetch_status, NodeStatus::Refused(why) if why.is_of_trap())
}

fn kind(site: &Site, url: UrlNo, node: &Node, text: &PageUrl) -> Kind {
    let repeats = matches!(node.reason, Some(Reason::ParameterVariant | Reason::Duplicate));
    match node.fetch_status {
        _ if site.inlinks(url).followed == 0 || is_disallowed(site, text) => Kind::Other,
        LEFT_OUT => Kind::Variant,
        _ if !node.is_own_canonical(url) => Kind::Declared,
        _ if repeats => Kind::Variant,
        _ => Kind::Other,
    }
}

/// Returns true if robots.txt disallows a URL that was left out before robots.txt was checked.
fn is_disallowed(site: &Site, url: &PageUrl) -> bool {
    site.robots_of(url.as_str()).is_some_and(|file| !file.rules.rule_for(&site.agent, url).allowed)
}
