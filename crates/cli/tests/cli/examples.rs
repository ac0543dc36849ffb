//! The settings in generated files and in the documentation, checked with `config check`.

use crate::support::Workspace;
use std::path::Path;

/// Options that are refused on their own, each with those that it needs.
const PARTNERS: &[(&str, &[&str])] = &[
    ("to", &["smtp-host", "mail-from"]),
    ("smtp-host", &["mail-from"]),
    ("behind-proxy", &["token-file"]),
    ("tls-cert", &["tls-key"]),
    ("tls-key", &["tls-cert"]),
    ("search-console", &["search-console-key-file"]),
    ("indexnow", &["indexnow-key-file"]),
];

/// The documents with settings; the examples of each form one file.
const DOCUMENTS: [&str; 2] = ["docs/nightly.md", "docs/deployment.md"];

/// A place with the files that the examples name; those of `/etc/mapwright` are in `etc`.
fn place() -> Workspace {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let rsa = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
    let account = serde_json::json!({
        "type": "service_account",
        "private_key_id": "key-1",
        "private_key": rsa.serialize_pem(),
        "client_email": "robot@project.iam.gserviceaccount.com",
        "token_uri": "https://accounts.example/token",
    });
    let place = Workspace::new();
    std::fs::create_dir(place.path("etc")).unwrap();
    let hash = place.run_with(&["jobs", "hash-password"], b"correct horse battery staple").done();
    place
        .file("urls.txt", "https://www.example.com/page\n")
        .file("robots.txt", "User-agent: *\nAllow: /\n")
        .file("baseline.json", "{\"version\": 1, \"accepted\": []}")
        .file("etc/cookies.txt", "www.example.com\tFALSE\t/\tTRUE\t0\tname\tvalue\n")
        .file("etc/ca.pem", made.cert.pem())
        .file("etc/dashboard.pem", made.cert.pem())
        .file("etc/dashboard.key", made.signing_key.serialize_pem())
        .file("etc/token", "0123456789abcdef0123456789abcdef\n")
        .file("etc/users", format!("anna:operator:{hash}"))
        .file("etc/smtp-password", "secret\n")
        .file("etc/webhook-secret", "secret\n")
        .file("etc/slack-ops", "https://hooks.slack.example/services/T00/B00/example\n")
        .file("etc/indexnow-key", "0123456789abcdef0123456789abcdef\n")
        .file("etc/search-console.json", account.to_string())
}

/// Returns the error of `config check` for these settings, with the place's `etc` for `/etc/mapwright`.
fn refusal(place: &Workspace, settings: &str) -> Option<String> {
    let etc = format!("\"{}/", place.path("etc").display());
    let settings = settings.replace("\"/etc/mapwright/", &etc).replace("=/etc/mapwright/", &format!("={}", &etc[1..]));
    std::fs::write(place.path("mapwright.toml"), settings).unwrap();
    let checked = place.run(&["config", "check"]);
    (checked.code != 0).then_some(checked.err)
}

/// Returns the option that a line of a generated file shows as a comment.
fn shown(line: &str) -> Option<&str> {
    line.strip_prefix('#').filter(|rest| !rest.starts_with(' '))?.split_once(" = ").map(|(name, _)| name)
}

#[test]
fn each_example_of_a_generated_file_passes_the_check() {
    let place = place();
    let mut refused = Vec::new();
    for job in [&[][..], &["--job", "shop", "https://shop.example/"]] {
        let file = place.run(&[&["config", "init", "--all", "-"], job].concat()).done();
        let names: Vec<&str> = file.lines().filter_map(shown).collect();
        assert!(names.len() > 90, "{names:?}");
        for name in names {
            let partners = PARTNERS.iter().find(|(option, _)| *option == name).map_or(&[][..], |(_, needed)| needed);
            let is_set = |line: &&str| shown(line).is_some_and(|other| other == name || partners.contains(&other));
            let lines = file.lines().map(|line| if is_set(&line) { &line[1..] } else { line });
            let settings: String = lines.flat_map(|line| [line, "\n"]).collect();
            refused.extend(refusal(&place, &settings).map(|said| format!("{name} {job:?}: {said}")));
        }
    }
    assert!(refused.is_empty(), "{}", refused.concat());
}

#[test]
fn the_job_that_a_generated_file_shows_passes_the_check() {
    let place = place();
    let file = place.run(&["config", "init", "-"]).done();
    let (_, rest) = file.split_once("# [job.shop]\n").unwrap();
    let (job, _) = rest.split_once("\n\n# The service that").unwrap();
    let job: String = job.lines().flat_map(|line| [line.trim_start_matches('#').trim_start(), "\n"]).collect();
    assert_eq!(refusal(&place, &format!("[job.shop]\n{job}")), None);
}

#[test]
fn the_settings_of_the_documentation_pass_the_check() {
    let place = place();
    for document in DOCUMENTS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
        let text = std::fs::read_to_string(path).unwrap();
        let blocks = text.split("```toml\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0));
        let blocks: Vec<&str> = blocks.collect();
        assert!(!blocks.is_empty(), "{document} shows no settings");
        assert_eq!(refusal(&place, &blocks.concat()), None, "{document}");
    }
}
