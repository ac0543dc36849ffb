//! The JSON outputs of the commands, compared with the keys in `docs/json.md`.
#![allow(
    clippy::panic,
    clippy::expect_used,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use mapwright_e2e::{Command, Workspace, links};
use mapwright_testkit::{FakeSite, Response};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Keys that this test does not print, because a crawl trap takes hundreds of pages.
const RARE: [&str; 2] = ["crawl_traps[].pattern", "crawl_traps[].refused"];

/// The form of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Object,
    Lines,
    Array,
}

/// A section of the document: the form of the output, and its keys.
struct Section {
    form: Form,
    keys: Vec<String>,
}

fn sections() -> BTreeMap<String, Section> {
    let text = include_str!("../../../../docs/json.md");
    let parse = |section: &str| {
        let (name, rest) = section.split_once('\n').expect("a title");
        let form = match rest.trim_start().split([' ', ',', '.']).take(2).collect::<Vec<_>>().as_slice() {
            ["An", "object"] => Form::Object,
            ["An", "array"] => Form::Array,
            ["Lines", _] => Form::Lines,
            other => panic!("{name}: {other:?} is no form"),
        };
        let cells = rest.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
        let keys = cells.flat_map(|cell| cell.split(", ")).map(|key| key.trim_matches('`').to_owned()).collect();
        (name.to_owned(), Section { form, keys })
    };
    text.split("\n## ").skip(1).map(parse).collect()
}

/// Returns true if a documented key is this one: `*` is any name, and at the end all that is below it, too.
fn is_documented(documented: &str, key: &str) -> bool {
    let (mut documented, mut key) = (documented.split('.').peekable(), key.split('.'));
    while let Some(part) = documented.next() {
        let Some(found) = key.next() else { return false };
        if part != "*" && part != found {
            return false;
        }
        if part == "*" && documented.peek().is_none() {
            return true;
        }
    }
    key.next().is_none()
}

/// Collects the paths of all keys below a value.
fn gather(value: &Value, path: &str, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            keys.insert(path.clone());
            gather(value, &path, keys);
        }),
        Value::Array(items) => items.iter().for_each(|item| gather(item, &format!("{path}[]"), keys)),
        _ => {}
    }
}

/// The keys that were printed, by the section that describes them.
struct Printed {
    sections: BTreeMap<String, Section>,
    keys: BTreeMap<String, BTreeSet<String>>,
}

impl Printed {
    #[track_caller]
    fn add(&mut self, name: &str, text: &str) {
        let section = self.sections.get(name).unwrap_or_else(|| panic!("no section {name}"));
        let parse = |text: &str| -> Value {
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: no JSON ({error}): {text}"))
        };
        let rows: Vec<Value> = match section.form {
            Form::Object => vec![parse(text)],
            Form::Lines => text.lines().map(parse).collect(),
            Form::Array => parse(text).as_array().unwrap_or_else(|| panic!("{name}: no array: {text}")).clone(),
        };
        assert!(!rows.is_empty() && rows.iter().all(Value::is_object), "{name}: {text}");
        for row in &rows {
            let mut keys = BTreeSet::new();
            gather(row, "", &mut keys);
            for key in keys {
                let owner = if name == "crawl" && key.starts_with("audit.") { "audit" } else { name };
                self.keys.entry(owner.to_owned()).or_default().insert(key);
            }
        }
    }

    /// Asserts that every key that was printed is documented, and the reverse.
    fn check(&self) {
        let mut faults = Vec::new();
        for (name, section) in &self.sections {
            let printed = self.keys.get(name).unwrap_or_else(|| panic!("nothing was printed of {name}"));
            let unknown = printed.iter().filter(|key| !section.keys.iter().any(|one| is_documented(one, key)));
            faults.extend(unknown.map(|key| format!("{name}: {key} is not documented")));
            let unseen = section
                .keys
                .iter()
                .filter(|one| !RARE.contains(&one.as_str()) && !printed.iter().any(|key| is_documented(one, key)));
            faults.extend(unseen.map(|key| format!("{name}: {key} is documented and never printed")));
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

/// A site with at least one of everything that the outputs describe.
fn eventful_site() -> FakeSite {
    let site = FakeSite::open();
    site.robots("User-agent: *\nDisallow: /shut\nSitemap: /sitemap.xml\n");
    site.sitemap("/sitemap.xml", &["/a", "/b"]);
    site.page("/", links(&["a", "b", "moved", "gone", "shut", "list?sort=up", "list?sort=down", "list", "deep"]));
    site.page("/a", "<title>A</title><meta name=robots content=nofollow><p>The first text of all</p>");
    site.page("/b", "<title>B</title><link rel=canonical href=/a><p>The second text</p>");
    site.page("/list*", "<title>List</title><p>One and two and three</p>").redirect("/moved", "/a", 301);
    site.answer("/deep", Response::html(links(&["deep/er"])));
    site
}

#[test]
fn each_key_of_an_output_is_documented() {
    let mut printed = Printed { sections: sections(), keys: BTreeMap::new() };
    let (workspace, site) = (Workspace::new(), eventful_site());
    let (start, a) = (site.url("/"), site.url("/a"));
    let run = |words: &[&str], code: i32| workspace.run(&[words, &["--format", "json"]].concat()).exited(code).stdout;
    let of_crawl = |words: &[&str], code: i32| run(&[words, &["--state", "state"]].concat(), code);
    let crawl = ["crawl", &start, "--out", "out"];
    printed.add("crawl", &of_crawl(&crawl, 0));
    site.page("/", links(&["b", "moved", "new", "hidden", "list?sort=up"])).page("/new", "<title>New</title>");
    site.page("/b", "<title>Bee</title><p>Other words, and not the same</p>").status("/moved", 404);
    site.page("/hidden", "<title>Hidden</title><meta name=robots content=noindex>");
    printed.add("crawl", &of_crawl(&[&crawl[..], &["--shrink-guard", "0"]].concat(), 0));
    printed.add("diff", &of_crawl(&["diff"], 0));
    printed.add("runs", &of_crawl(&["runs"], 0));
    for url in [&a, &site.url("/moved"), &site.url("/b"), &site.url("/never"), &start] {
        printed.add("explain", &of_crawl(&["explain", url], 0));
    }
    printed.add("audit", &of_crawl(&["audit", "--from-record", &start, "--out", "report"], 0));
    site.stall("/new");
    printed.add("crawl", &of_crawl(&[&crawl[..], &["--max-time", "1s"]].concat(), 4));
    site.status("/", 500);
    printed.add("crawl", &of_crawl(&[&crawl[..], &["--retries", "0"]].concat(), 3));
    let faulty = workspace.file("faulty.xml", "<urlset><url><loc>/relative</loc></url></urlset>");
    let good = workspace.file("good.xml", "<urlset><url><loc>http://a.example/</loc></url></urlset>");
    printed.add("sitemap list", &run(&["sitemap", "list", &good], 0));
    printed.add("sitemap check", &run(&["sitemap", "check", &faulty], 1));
    printed.add("config show", &run(&["config", "show"], 0));
    printed.add("params", &parameters(&workspace));
    printed.add("explain", &scripts(&workspace));
    of_jobs(&workspace, &mut printed);
    printed.check();
}

/// Returns the parameters of a site where one has no effect.
fn parameters(workspace: &Workspace) -> String {
    const NAMES: [&str; 6] = ["lamps", "chairs", "tables", "shelves", "beds", "desktops"];
    let site = FakeSite::open();
    let variants =
        NAMES.iter().flat_map(|name| ["", "?from=mail", "?from=home"].map(|query| format!("/{name}{query}")));
    let variants: Vec<String> = variants.collect();
    site.page("/", links(&variants.iter().map(String::as_str).collect::<Vec<_>>()));
    for name in NAMES {
        let words: Vec<String> = ('a'..='z').map(|last| format!("{name}{last}{last}")).collect();
        site.page(&format!("/{name}*"), format!("<title>{name}</title><p>{}</p>", words.join(" ")));
    }
    let words = |words: &[&str]| workspace.run(&[words, &["--state", "parameters"]].concat()).exited(0).stdout;
    let _ = words(&["crawl", &site.url("/"), "--out", "parameters-out", "--list", "recommended"]);
    words(&["params", "--format", "json"])
}

/// Returns the explanation of a page that was rendered.
fn scripts(workspace: &Workspace) -> String {
    let site = FakeSite::open();
    site.page("/", "<title>App</title><script>document.title = 'Made'</script>");
    let start = site.url("/");
    let run = |words: &[&str]| workspace.run(&[words, &["--state", "scripts"]].concat()).exited(0).stdout;
    let _ = run(&["crawl", &start, "--out", "scripts-out", "--render", "always"]);
    run(&["explain", &start, "--format", "json"])
}

/// Adds the outputs about jobs.
fn of_jobs(workspace: &Workspace, printed: &mut Printed) {
    let site = eventful_site();
    let (start, hook) = (site.url("/"), site.url("/nowhere"));
    let file = format!("[job.shop]\nurl = [\"{start}\"]\ncron = \"0 0 1 1 *\"\n[notify]\nto = [\"webhook:{hook}\"]\n");
    workspace.file("mapwright.toml", file);
    let run = |words: &[&str], code: i32| {
        let words = [words, &["--state-root", "root", "--format", "json"]].concat();
        Command::new(words).within(workspace).run().exited(code).stdout
    };
    printed.add("run --dry-run", &run(&["run", "shop", "--dry-run"], 0));
    printed.add("crawl", &run(&["run", "shop"], 0));
    printed.add("jobs list", &run(&["jobs", "list"], 0));
    printed.add("jobs next", &run(&["jobs", "next", "--count", "1"], 0));
    printed.add("notify test", &run(&["notify", "test", "shop"], 5));
}
