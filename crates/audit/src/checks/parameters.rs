//! URL parameters that make further URLs of the same page, which the site itself links.

use super::dup_same::is_session;
use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::{Finding, SAMPLE};
use crate::parameter_advice::is_harmless;
use crate::severity::Severity;
use crate::site::{Site, UrlNo, UrlParameter};
use mapwright_traps::{Parameter, ParameterPosition, ParameterRole, is_random, without};
use mapwright_web::PageUrl;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

pub(super) static CHECKER: Checker = Checker::site(find, &[&PARAM_SESSION, &PARAM_SORT, &PARAM_NO_EFFECT]);

static PARAM_SESSION: Check = Check {
    code: "param-session",
    title: "Session in URLs",
    topic: Topic::Duplicates,
    severity: Severity::Warning,
    reason: "Links carry a session in a URL parameter: each session is a further URL of the same page.",
    fix: "Keep sessions in cookies, and link pages without the parameter. Until then disallow it in robots.txt, or give the pages a canonical without it; --drop-param keeps this crawl from it.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

static PARAM_SORT: Check = Check {
    code: "param-sort",
    title: "Sort parameter in URLs",
    topic: Topic::Duplicates,
    severity: Severity::Warning,
    reason: "Links carry a URL parameter that only sorts: each order is a further URL with the same items.",
    fix: "Disallow the parameter in robots.txt, or give the pages a canonical without it; --drop-param keeps this crawl from it.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

static PARAM_NO_EFFECT: Check = Check {
    code: "param-no-effect",
    title: "Parameter without effect in URLs",
    topic: Topic::Duplicates,
    severity: Severity::Warning,
    reason: "Links carry a URL parameter that has no effect: each value is a further URL of the same page.",
    fix: "Link pages without the parameter. Where it is needed, disallow it in robots.txt, or give the pages a canonical without it; --drop-param keeps this crawl from it.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    // The combinations of a filter are reported as a crawl trap.
    let is_wasteful = |parameter: &&UrlParameter| is_harmless(Some(&parameter.role)) && !parameter.wasted.is_empty();
    let mut wasteful = site.parameters.iter().filter(is_wasteful).peekable();
    if wasteful.peek().is_some() {
        let names = names_of_things(site);
        found.extend(wasteful.filter_map(|parameter| finding(site, parameter, &names)));
    }
}

/// Returns the random-looking values that occur under several parameter names: they identify things, such as revisions,
/// and are not sessions.
fn names_of_things(site: &Site) -> HashSet<&str> {
    let mut under: HashMap<&str, &str> = HashMap::new();
    let mut names = HashSet::new();
    for (url, _) in site.nodes() {
        let Some((_, query)) = site.text(url).split_once('?') else { continue };
        for (name, value) in query.split(['&', ';']).filter_map(|pair| pair.split_once('=')) {
            if is_random(value) && *under.entry(value).or_insert(name) != name {
                names.insert(value);
            }
        }
    }
    names
}

/// Returns the finding about a parameter whose variants waste requests.
fn finding(site: &Site, parameter: &UrlParameter, names: &HashSet<&str>) -> Option<Finding> {
    let variant = best(site, &parameter.wasted)?;
    let url = PageUrl::recorded(site.text(variant))?;
    let own = Parameter::from_label(&parameter.parameter);
    let clean = without(&url, &own);
    let check = check(site, parameter, &own, names);
    let message = format!(
        "{} linked URLs {}: {} repeats {}. To do: {}.",
        parameter.wasted.len(),
        effect(check, parameter),
        url.as_str(),
        clean.as_str(),
        parameter.advice.join("; "),
    );
    let pair = std::iter::once(variant).chain(site.urls.number(clean.as_str()));
    let further = parameter.wasted.iter().copied().filter(|other| *other != variant);
    let finding = Finding::pattern(check, &pattern(&url, parameter, &own)).says(message);
    Some(finding.shown_by(pair.chain(further)).entered_from(linking(site, parameter)))
}

/// Returns the variant that shows a parameter best: one that was requested, and has little else in its URL.
fn best(site: &Site, variants: &[UrlNo]) -> Option<UrlNo> {
    let key = |url: &UrlNo| (!site.node(*url).is_page(), site.text(*url).len(), *url);
    variants.iter().copied().min_by_key(key)
}

/// Returns the pages that link to the variants, those with the most links first.
fn linking(site: &Site, parameter: &UrlParameter) -> Vec<UrlNo> {
    let mut pages: BTreeMap<UrlNo, usize> = BTreeMap::new();
    parameter.wasted.iter().for_each(|url| *pages.entry(site.inlinks(*url).first).or_default() += 1);
    let mut pages: Vec<(UrlNo, usize)> = pages.into_iter().collect();
    pages.sort_by_key(|(_, count)| Reverse(*count));
    pages.into_iter().map(|(page, _)| page).take(SAMPLE).collect()
}

fn check(site: &Site, parameter: &UrlParameter, own: &Parameter, names: &HashSet<&str>) -> &'static Check {
    let is_session_id = |value: &str| is_random(value) && !names.contains(value);
    let drawn = |url: &UrlNo| value(site.text(*url), &own.name).is_some_and(is_session_id);
    match own.place {
        _ if parameter.role == ParameterRole::Sorts.as_str() => &PARAM_SORT,
        ParameterPosition::Segment => &PARAM_SESSION,
        _ if is_session(&own.name) => &PARAM_SESSION,
        _ if parameter.wasted.iter().all(drawn) && !selects_elsewhere(site, parameter) => &PARAM_SESSION,
        _ => &PARAM_NO_EFFECT,
    }
}

/// Returns true if a parameter of the same name decides the content under other paths of the host, so that its values
/// identify things.
fn selects_elsewhere(site: &Site, parameter: &UrlParameter) -> bool {
    let is_same = |other: &&UrlParameter| other.host == parameter.host && other.parameter == parameter.parameter;
    site.parameters.iter().filter(is_same).any(|other| other.role == ParameterRole::Specifies.as_str())
}

/// Returns the value of a parameter in a URL.
fn value<'u>(url: &'u str, name: &str) -> Option<&'u str> {
    let mut pairs = url.split(['?', '&', ';', '/']);
    pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// Returns the effect of a parameter, as part of the message.
fn effect(check: &Check, parameter: &UrlParameter) -> String {
    let name = &parameter.parameter;
    if name == "(segment)" {
        "differ only by a session in their path".to_owned()
    } else if check == &PARAM_SESSION {
        format!("differ only by a session in the parameter {name}")
    } else if check == &PARAM_SORT {
        format!("differ only by the parameter {name}, which sorts the items of the page")
    } else {
        format!("differ only by the parameter {name}, which has no effect on the page")
    }
}

/// Returns the URL pattern of a parameter, with `*` for the parts that vary.
fn pattern(url: &PageUrl, parameter: &UrlParameter, own: &Parameter) -> String {
    let (origin, path, name) = (url.origin(), &parameter.pattern, &own.name);
    match own.place {
        ParameterPosition::Query => format!("{origin}{path}?{name}=*"),
        ParameterPosition::Matrix => format!("{origin}{path};{name}=*"),
        ParameterPosition::Segment => format!("{origin}/*{path}"),
    }
}

#[cfg(test)]
mod tests;
