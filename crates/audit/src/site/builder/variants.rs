//! URL parameters of a built site, and the variants that they make.

use super::SiteBuilder;
use super::answer::parse;
use crate::parameter_advice::is_harmless;
use crate::site::{Node, Site, UrlNo};
use mapwright_store::ParameterRow;
use mapwright_traps::{ComparisonCounts, Parameter, path_pattern, without};
use mapwright_verdict::Reason;

impl SiteBuilder {
    /// A URL parameter whose role was learnt; pages that differ from others by a harmless one alone are variants.
    pub(crate) fn parameter(mut self, pattern: &str, parameter: &str, role: &str) -> Self {
        let (pattern, role) = (format!("http://example.com{pattern}"), Some(role.to_owned()));
        let (parameter, evidence) = (parameter.to_owned(), ComparisonCounts::default());
        let example = format!("{pattern}?{parameter}=1");
        self.parameters.push(ParameterRow { pattern, parameter, role, evidence, urls: 1, example });
        self
    }
}

/// Marks the pages that are the same as another page without a harmless parameter, as the record's verdict does.
pub(super) fn leave_out(site: &mut Site, rows: &[ParameterRow]) {
    for row in rows.iter().filter(|row| is_harmless(row.role.as_deref())) {
        let parameter = Parameter::from_label(&row.parameter);
        let is_variant = |url: UrlNo, node: &Node| {
            let text = parse(site.text(url));
            let clean = without(&text, &parameter);
            let repeats = clean != text && site.urls.number(clean.as_str()).is_some_and(|url| site.node(url).is_page());
            node.is_own_canonical(url) && path_pattern(&text) == row.pattern && repeats
        };
        let variants: Vec<UrlNo> =
            site.nodes().filter(|(url, node)| is_variant(*url, node)).map(|(url, _)| url).collect();
        for url in variants {
            let node = &mut site.nodes[url as usize];
            (node.reason, node.listed) = (Some(Reason::ParameterVariant), false);
        }
    }
}
