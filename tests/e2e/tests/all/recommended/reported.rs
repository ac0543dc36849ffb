//! The output of `mapwright params` and `mapwright explain` about parameters.

use mapwright_e2e::{Command, Crawled, Workspace};
use mapwright_testkit::Response;
use serde_json::Value;

use super::orders::sorted_shop;
use super::parameters::value;
use super::text::{paragraphs, teasers, things};
use super::town::{SmallSite, shell};

/// A site whose articles are selected by `id` and linked with `via`, which has no effect.
fn library() -> SmallSite {
    let things = things(14);
    let entries = things.iter().zip(100..).map(|(thing, id)| (format!("/read?id={id}&amp;via=home"), &thing.title));
    let mut town = SmallSite::open(&teasers(&entries.collect::<Vec<_>>()));
    for (id, _) in (100..).zip(&things) {
        town.belongs(&format!("/read?id={id}"));
    }
    town.site.handler("/read", move |request| {
        let id = value(request, "id").and_then(|id| id.parse::<usize>().ok());
        let Some(thing) = id.and_then(|id| things.get(id.checked_sub(100)?)) else { return Response::new(404) };
        Response::html(shell(&thing.title, &paragraphs(&thing.title, 3)))
    });
    town
}

fn query(crawled: &Crawled, words: &[&str]) -> String {
    let command = Command::new(words).arg("--state").arg(crawled.state()).within(&crawled.workspace);
    command.run().exited(0).stdout
}

/// The JSON output of `params` for this parameter.
#[track_caller]
fn parameter(crawled: &Crawled, name: &str) -> Value {
    let reported: Value = serde_json::from_str(&query(crawled, &["params", "--format", "json"])).unwrap();
    let all = reported.as_array().unwrap_or_else(|| panic!("no list: {reported:#}"));
    let found = all.iter().find(|parameter| parameter["parameter"] == name);
    found.unwrap_or_else(|| panic!("no {name:?} in {reported:#}")).clone()
}

#[test]
fn params_print_each_parameter_with_role_evidence_urls_an_example_and_advice() {
    let reported = query(&library().crawl(), &["params"]);
    let (id, via) =
        reported.split_once("\nvia ").unwrap_or_else(|| panic!("no parameter via behind id in:\n{reported}"));
    for word in ["id ", "specifies", "URLs)", "different", "/read?id=1"] {
        assert!(id.contains(word), "{word:?} is not in:\n{id}");
    }
    for word in ["no-effect", "URLs)", "equal", "&via=home", "robots.txt", "--drop-param via"] {
        assert!(via.contains(word), "{word:?} is not in:\n{via}");
    }
}

#[test]
fn params_print_the_same_as_json() {
    let crawled = library().crawl();
    let (id, via) = (parameter(&crawled, "id"), parameter(&crawled, "via"));
    assert_eq!((id["role"].as_str(), via["role"].as_str()), (Some("specifies"), Some("no-effect")));
    assert_eq!(via["evidence"]["differs"].as_u64(), Some(0));
    assert!(via["urls"].as_u64() > Some(2) && id["urls"].as_u64() >= Some(14), "{id:#}{via:#}");
    assert!(via["evidence"]["equal"].as_u64() > Some(1), "{via:#}");
    assert!(via["example"].as_str().is_some_and(|url| url.contains("via=home")), "{via:#}");
    assert!(via["advice"].to_string().contains("--drop-param via"), "{via:#}");
    // For a parameter that selects pages, there is no advice.
    assert_eq!(id["advice"], Value::Array(Vec::new()));
}

#[test]
fn params_report_sort_orders() {
    let crawled = sorted_shop().crawl();
    let sort = parameter(&crawled, "sort");
    assert_eq!((sort["role"].as_str(), sort["urls"].as_u64()), (Some("sorts"), Some(3)));
}

/// The advised rule of robots.txt matches only the parameter, and no other whose name has the same ending.
#[test]
fn the_advised_rule_matches_no_other_parameter() {
    let mut town = sorted_shop();
    town.page("/history", "A short history", "<p><a href=\"/goods/?resort=sea\">By the sea</a></p>");
    town.article("/goods/?resort=sea", "Goods for the sea side");
    let crawled = town.crawl();
    let advice = parameter(&crawled, "sort")["advice"].to_string();
    let rules = advice.split('"').flat_map(|line| line.split("Disallow: ").skip(1)).map(str::trim);
    let robots = format!("User-agent: *\n{}", rules.map(|rule| format!("Disallow: {rule}\n")).collect::<String>());
    assert!(robots.contains("sort="), "{advice}");
    let workspace = Workspace::new();
    let file = workspace.file("robots.txt", &robots);
    let verdict = |path: &str| {
        let done = workspace.run(&["robots", "check", "--agent", "Googlebot", "--robots", &file, &town.site.url(path)]);
        done.exited(0).stdout
    };
    for (path, expected) in
        [("/goods/?sort=price", "disallow"), ("/goods/?a=1&sort=name", "disallow"), ("/goods/?resort=sea", "allow")]
    {
        assert!(verdict(path).starts_with(expected), "{robots}{}", verdict(path));
    }
}

#[test]
fn params_find_the_record_by_the_start_url() {
    let town = sorted_shop();
    let (workspace, start) = (Workspace::new(), town.site.url("/"));
    let out = workspace.out().display().to_string();
    let _ = workspace.run(&["crawl", &start, "--list", "recommended", "--out", &out]).exited(0);
    let reported = workspace.run(&["params", &start]).exited(0);
    assert!(reported.stdout.contains("sorts"), "{}", reported.said());
}

#[test]
fn explain_shows_the_reason_and_the_evidence_of_a_variant() {
    let town = sorted_shop();
    let crawled = town.crawl();
    let (url, clean) = (town.site.url("/goods/?sort=price"), town.site.url("/goods/"));
    let reported = query(&crawled, &["explain", &url]);
    for word in ["parameter-variant", "order", &clean, "--list indexable"] {
        assert!(reported.contains(word), "{word:?} is not in:\n{reported}");
    }
    let json: Value = serde_json::from_str(&query(&crawled, &["explain", &url, "--format", "json"])).unwrap();
    let verdict = &json["verdict"];
    assert_eq!((verdict["listed"].as_bool(), verdict["reason"].as_str()), (Some(false), Some("parameter-variant")));
    assert_eq!(verdict["evidence"].as_str(), Some(clean.as_str()));
}
