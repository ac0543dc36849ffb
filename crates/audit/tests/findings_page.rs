//! `docs/findings.md` is the page that the code generates.

use mapwright_audit::findings_page;
use std::path::Path;

/// Writes the page if UPDATE_GENERATED is set in the environment.
#[test]
fn the_findings_page_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/findings.md");
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::write(&path, findings_page()).unwrap();
    }
    let current = std::fs::read_to_string(&path).unwrap_or_default() == findings_page();
    assert!(current, "docs/findings.md is out of date: run UPDATE_GENERATED=1 cargo test -p mapwright-audit");
}
