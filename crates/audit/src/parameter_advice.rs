//! Advice that keeps crawlers from the variants that a URL parameter makes.

use mapwright_store::ParameterRow;
use mapwright_traps::{Parameter, ParameterPosition, ParameterRole};
use mapwright_web::{PageUrl, Robots, origin_of};
use std::collections::HashMap;

/// Returns true if pages that differ only in a parameter of this role are one page.
#[must_use]
pub fn is_harmless(role: Option<&str>) -> bool {
    role.is_some_and(|role| role == ParameterRole::NoEffect.as_str() || role == ParameterRole::Sorts.as_str())
}

/// Returns, for each parameter of a site, the lines that keep crawlers from its variants; none if it decides which page
/// is shown.
///
/// A line that would also block pages which a parameter of the same name decides on is left out.
#[must_use]
pub fn advice(rows: &[ParameterRow]) -> Vec<Vec<String>> {
    let mut deciding: HashMap<(&str, &str), Vec<&ParameterRow>> = HashMap::new();
    let certain = rows.iter().filter(|row| row.role.is_some() && !is_harmless(row.role.as_deref()));
    certain.for_each(|row| deciding.entry(key(row)).or_default().push(row));
    let others = |row| deciding.get(&key(row)).map(Vec::as_slice).unwrap_or_default();
    rows.iter().map(|row| if is_harmless(row.role.as_deref()) { lines(row, others(row)) } else { Vec::new() }).collect()
}

/// Returns true if a parameter of this role shows fewer items of a list.
pub(crate) fn narrows(role: Option<&str>) -> bool {
    role == Some(ParameterRole::Narrows.as_str())
}

/// Returns the lines that keep crawlers from combinations of a filter with other parameters, or with itself.
pub(crate) fn filter_advice(row: &ParameterRow) -> Vec<String> {
    let parameter = Parameter::from_label(&row.parameter);
    let mut lines = Vec::new();
    if parameter.place == ParameterPosition::Query {
        let (path, name, mark) = (path(row), &parameter.name, mark(row));
        lines.push(format!("robots.txt: Disallow: {path}?{name}=*{mark}"));
        lines.push(format!("robots.txt: Disallow: {path}?*{mark}{name}="));
    }
    let or = if lines.is_empty() { "" } else { "or " };
    lines.push(format!("{or}take combinations out of plain links"));
    lines
}

/// The site and the name of a parameter.
fn key(row: &ParameterRow) -> (&str, &str) {
    (origin_of(&row.pattern), &row.parameter)
}

/// `others`: the patterns in which a parameter of this name decides which page is shown.
fn lines(row: &ParameterRow, others: &[&ParameterRow]) -> Vec<String> {
    let parameter = Parameter::from_label(&row.parameter);
    if parameter.place == ParameterPosition::Segment {
        return vec!["link pages without the session in their path".to_owned()];
    }
    let robots = disallow(row, &parameter);
    let spares_others = !others.iter().any(|other| blocks(&robots, &other.example));
    let mut lines: Vec<String> =
        robots.iter().filter(|_| spares_others).map(|line| format!("robots.txt: {line}")).collect();
    let or = if lines.is_empty() { "" } else { "or " };
    if parameter.place == ParameterPosition::Matrix {
        lines.push(format!("{or}link pages without it"));
        return lines;
    }
    lines.push(format!("{or}give these pages a canonical without it"));
    if others.is_empty() {
        lines.push(format!("or crawl with --drop-param {}", parameter.name));
    }
    lines
}

/// Returns the robots.txt rules that disallow the URLs of a pattern with this parameter, but not those with a parameter
/// whose name only ends like this one.
fn disallow(row: &ParameterRow, parameter: &Parameter) -> Vec<String> {
    let name = &parameter.name;
    if parameter.place == ParameterPosition::Matrix {
        return vec![format!("Disallow: /*;{name}=")];
    }
    let (path, mark) = (path(row), mark(row));
    vec![format!("Disallow: {path}?{name}="), format!("Disallow: {path}?*{mark}{name}=")]
}

/// Returns the pattern of the paths of a parameter.
fn path(row: &ParameterRow) -> &str {
    row.pattern.strip_prefix(origin_of(&row.pattern)).unwrap_or_default()
}

/// Returns the character between the parameters of a query.
fn mark(row: &ParameterRow) -> char {
    let query = row.example.split_once('?').map_or("", |(_, query)| query);
    if query.contains(';') && !query.contains('&') { ';' } else { '&' }
}

/// Returns true if these rules disallow a URL.
fn blocks(rules: &[String], url: &str) -> bool {
    let robots = Robots::compile(format!("User-agent: *\n{}\n", rules.join("\n")).as_bytes());
    PageUrl::recorded(url).is_some_and(|url| !robots.rule_for("mapwright", &url).allowed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_traps::ComparisonCounts;

    fn row(path: &str, parameter: &str, role: Option<&str>, example: &str) -> ParameterRow {
        ParameterRow {
            pattern: format!("http://a.example{path}"),
            parameter: parameter.to_owned(),
            role: role.map(str::to_owned),
            evidence: ComparisonCounts::default(),
            urls: 2,
            example: format!("http://a.example{example}"),
        }
    }

    fn of(rows: &[ParameterRow]) -> Vec<String> {
        advice(rows).remove(0)
    }

    #[test]
    fn rules_disallow_the_parameter_wherever_it_stands_in_the_query_and_no_name_that_ends_like_it() {
        let row = row("/list", "o", Some("sorts"), "/list?o=1");
        let rules = disallow(&row, &Parameter::from_label("o"));
        assert_eq!(rules, ["Disallow: /list?o=", "Disallow: /list?*&o="]);
        for (path, blocked) in
            [("?o=1", true), ("?a=1&o=2", true), ("?foo=1", false), ("?a=1&foo=2", false), ("", false)]
        {
            assert_eq!(blocks(&rules, &format!("http://a.example/list{path}")), blocked, "{path}");
        }
    }

    #[test]
    fn each_place_of_a_parameter_has_its_own_advice() {
        let indexes = of(&[row("/dir/", "O", Some("sorts"), "/dir/?C=N;O=D")]);
        assert_eq!(indexes.get(1).map(String::as_str), Some("robots.txt: Disallow: /dir/?*;O="));
        let matrix = of(&[row("/a.do", ";jsessionid", Some("no-effect"), "/a.do;jsessionid=1")]);
        assert_eq!(matrix, ["robots.txt: Disallow: /*;jsessionid=", "or link pages without it"]);
        let segment = of(&[row("/orders/", "(segment)", Some("no-effect"), "/(S(a1))/orders/")]);
        assert_eq!(segment, ["link pages without the session in their path"]);
    }

    #[test]
    fn the_advice_on_a_filter_blocks_combinations_and_no_single_choice() {
        let lines = filter_advice(&row("/shop", "f", Some("narrows"), "/shop?f=1&g=2"));
        assert_eq!(lines.last().map(String::as_str), Some("or take combinations out of plain links"));
        let rules: Vec<String> =
            lines.iter().filter_map(|line| line.strip_prefix("robots.txt: ")).map(str::to_owned).collect();
        for (query, blocked) in
            [("?f=1", false), ("?g=1", false), ("?f=1&f=2", true), ("?f=1&g=2", true), ("?g=1&f=2", true)]
        {
            assert_eq!(blocks(&rules, &format!("http://a.example/shop{query}")), blocked, "{query}");
        }
    }

    #[test]
    fn a_parameter_that_decides_on_the_page_has_no_advice() {
        for role in [None, Some("specifies"), Some("narrows")] {
            assert!(of(&[row("/story", "id", role, "/story?id=1")]).is_empty(), "{role:?}");
        }
    }

    #[test]
    fn no_line_keeps_crawlers_from_pages_that_the_same_name_decides_on() {
        let harmless = row("/*", "ref", Some("no-effect"), "/a?ref=1");
        let below = row("/docs/*", "ref", Some("specifies"), "/docs/branch?ref=main");
        let found = of(&[harmless, below]);
        assert_eq!(found, ["give these pages a canonical without it"], "`/*` disallows what lies below, too");
        let beside = row("/branch", "ref", Some("specifies"), "/branch?ref=main");
        let found = of(&[row("/list", "ref", Some("no-effect"), "/list?ref=1"), beside]);
        assert_eq!(found.len(), 3, "no --drop-param, which holds for the entire site: {found:?}");
    }
}
