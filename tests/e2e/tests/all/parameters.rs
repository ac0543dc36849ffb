//! URL parameters that waste requests, as `mapwright audit` reports them.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lints know test functions alone"
)]

use mapwright_e2e::{Command, Workspace, links};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response};
use serde_json::Value;
use std::fs;

const LISTS: [&str; 4] = ["lamps", "chairs", "tables", "shelves"];
const ORDERS: [&str; 3] = ["price", "name", "age"];

/// The declaration by which the variants of a page identify themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Declared {
    Nothing,
    Canonical,
    Noindex,
}

/// A word for the number `n`, because only words count as content.
fn word(n: usize) -> String {
    (0..4).map(|at| char::from(b'a' + u8::try_from((n * 7 + at * 5 + n / 3) % 26).unwrap_or(0))).collect()
}

/// The head of a variant of `path`.
fn head(title: &str, path: &str, declared: Declared) -> String {
    let tag = match declared {
        Declared::Nothing => String::new(),
        Declared::Canonical => format!("<link rel=canonical href='{path}'>"),
        Declared::Noindex => "<meta name=robots content=noindex>".to_owned(),
    };
    format!("<!doctype html><title>{title}</title>{tag}<body><h1>{title}</h1>")
}

/// A list of items, sorted if the query requests an order.
fn list(name: &str, query: Option<&str>, declared: Declared) -> String {
    let mut items: Vec<String> = (1..9).map(|n| format!("{} of {name}", word(n * 3 + name.len()))).collect();
    match query.and_then(|query| query.strip_prefix("sort=")) {
        Some("price") => items.reverse(),
        Some("name") => items.sort(),
        Some("age") => items.rotate_left(3),
        _ => {}
    }
    let items: String = items.iter().map(|item| format!("<p>{item}</p>")).collect();
    let path = format!("/list/{name}");
    let orders: Vec<String> = ORDERS.iter().map(|order| format!("{path}?sort={order}")).collect();
    let orders: Vec<&str> = orders.iter().map(String::as_str).collect();
    format!("{}{items}{}", head(name, &path, declared), links(&orders))
}

/// An article that does not depend on the query.
fn article(kind: &str, n: usize, declared: Declared) -> String {
    let words: Vec<String> = (0..30).map(|at| word(n * 31 + at + kind.len())).collect();
    format!(
        "{}<p>{}</p>",
        head(&format!("{kind} {}", word(n)), &format!("/{kind}/{}", word(n)), declared),
        words.join(" ")
    )
}

/// A site whose links have parameters for sort orders, sessions and the visitor's origin, and stories selected by a
/// number.
fn site(declared: Declared) -> FakeSite {
    let site = FakeSite::open();
    publish(&site, declared);
    site
}

fn publish(site: &FakeSite, declared: Declared) {
    let variant = move |request: &ReceivedRequest| if request.query().is_some() { declared } else { Declared::Nothing };
    for name in LISTS {
        site.handler(&format!("/list/{name}"), move |request: &ReceivedRequest| {
            Response::html(list(name, request.query(), variant(request)))
        });
    }
    let mut home: Vec<String> = LISTS.iter().map(|name| format!("/list/{name}")).collect();
    for n in 0..6 {
        for kind in ["topic", "news"] {
            let path = format!("/{kind}/{}", word(n));
            site.handler(&path, move |request: &ReceivedRequest| Response::html(article(kind, n, variant(request))));
            home.push(path);
        }
        home.push(format!("/topic/{}?sid={:016x}", word(n), (n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        home.extend(["home", "menu"].map(|place| format!("/news/{}?origin={place}", word(n))));
        let story = article("story", n + 40, Declared::Nothing);
        site.answer(&format!("/story.php?id={n}"), Response::html(story));
        home.push(format!("/story.php?id={n}"));
    }
    let home: Vec<&str> = home.iter().map(String::as_str).collect();
    site.page("/", format!("{}{}", head("Home", "/", Declared::Nothing), links(&home)));
}

fn audit(workspace: &Workspace, site: &FakeSite) -> Value {
    let (out, state) = (workspace.out().display().to_string(), workspace.state().display().to_string());
    let command = Command::new(["audit", &site.url("/"), "--out", &out, "--state", &state, "--no-progress"]);
    let _ = command.env("MAPWRIGHT_LIST", "recommended").within(workspace).run().exited(0);
    let text = fs::read_to_string(workspace.out().join("report.json")).expect("a report");
    serde_json::from_str(&text).expect("a report of JSON")
}

const CODES: [&str; 3] = ["param-session", "param-sort", "param-no-effect"];

/// The code, pattern and state of each finding about parameters.
fn found(report: &Value, site: &FakeSite) -> Vec<[String; 3]> {
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().replace(&site.base(), "");
    let findings = report["findings"].as_array().expect("findings").iter();
    let of_parameters = findings.filter(|one| CODES.iter().any(|code| one["code"] == *code));
    of_parameters.map(|one| ["code", "pattern", "state"].map(|key| text(one, key))).collect()
}

fn all(state: &str) -> Vec<[String; 3]> {
    let found = [
        ["param-session", "/topic/*?sid=*", state],
        ["param-sort", "/list/*?sort=*", state],
        ["param-no-effect", "/news/*?origin=*", state],
    ];
    found.map(|one| one.map(str::to_owned)).into()
}

#[test]
fn sessions_orders_and_parameters_without_effect_are_reported_and_selecting_ones_are_not() {
    let (workspace, site) = (Workspace::new(), site(Declared::Nothing));
    let report = audit(&workspace, &site);
    assert_eq!(found(&report, &site), all("new"));
    let sort = report["findings"].as_array().unwrap().iter().find(|one| one["code"] == "param-sort").unwrap();
    let message = sort["message"].as_str().unwrap();
    for words in ["12 linked URLs", "robots.txt: Disallow: /list/*?sort=", "canonical", "--drop-param sort"] {
        assert!(message.contains(words), "{words}: {message}");
    }
    assert_eq!(sort["examples"].as_array().unwrap().len(), 10);
    let roles: Vec<String> =
        report["parameters"].as_array().unwrap().iter().map(|one| one["role"].to_string()).collect();
    assert_eq!(roles.len(), 4, "{roles:?}");
    assert!(roles.contains(&"\"specifies\"".to_owned()), "{roles:?}");
    for file in ["report.html", "report.md"] {
        assert!(fs::read_to_string(workspace.out().join(file)).unwrap().contains("URL parameters"), "{file}");
    }
}

#[test]
fn variants_that_declare_a_canonical_or_noindex_are_no_waste() {
    for declared in [Declared::Canonical, Declared::Noindex] {
        let site = site(declared);
        assert_eq!(found(&audit(&Workspace::new(), &site), &site), Vec::<[String; 3]>::new(), "{declared:?}");
    }
}

#[test]
fn roles_hold_in_the_next_audit_and_rules_of_robots_txt_end_the_waste() {
    let (workspace, site) = (Workspace::new(), site(Declared::Nothing));
    let _ = audit(&workspace, &site);
    let variants = || site.requests().iter().filter(|request| request.target.contains("?sort=")).count();
    let before = variants();
    assert_eq!(found(&audit(&workspace, &site), &site), all("persisting"));
    assert_eq!(variants() - before, 2, "the role is known: two of twelve report what they declare by now");
    site.robots("User-agent: *\nDisallow: /*?sort=\nDisallow: /*?sid=\nDisallow: /*?origin=\n");
    let report = audit(&workspace, &site);
    assert_eq!(found(&report, &site), Vec::<[String; 3]>::new());
    let fixed = report["fixed"].as_array().unwrap().iter().filter(|one| CODES.iter().any(|code| one["code"] == *code));
    assert_eq!(fixed.count(), 3);
}

#[test]
fn a_canonical_added_to_variants_ends_the_waste() {
    let (workspace, site) = (Workspace::new(), site(Declared::Nothing));
    assert_eq!(found(&audit(&workspace, &site), &site), all("new"));
    publish(&site, Declared::Canonical);
    assert_eq!(found(&audit(&workspace, &site), &site), Vec::<[String; 3]>::new());
}
