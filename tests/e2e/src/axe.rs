//! axe-core, which finds faults of accessibility in a page.

use crate::binary;
use crate::browser::Browser;
use std::fs;
use std::path::PathBuf;

/// Returns the faults of the page that is open: each rule with the elements that break it.
#[track_caller]
pub fn faults(browser: &mut Browser) -> Vec<String> {
    browser.value(&format!("{};true", fs::read_to_string(script()).expect("axe-core can be read")));
    let run = "axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations.map(({id, nodes}) => \
               `${id}: ${nodes.map(({target}) => target.join(' ')).slice(0, 3).join(', ')}`))";
    let found = browser.value(run);
    let faults = found.as_array().expect("a list of faults").iter();
    faults.map(|fault| fault.as_str().map_or_else(|| fault.to_string(), str::to_owned)).collect::<Vec<_>>()
}

/// The file of axe-core in the environment that tests/run makes.
fn script() -> PathBuf {
    let library = binary::path().ancestors().map(|folder| folder.join("tests-python/lib")).find(|path| path.exists());
    let library =
        library.expect("target/tests-python is missing; tests/run makes it (install_python in tests/lib/python.sh)");
    let versions = fs::read_dir(library).expect("the libraries of Python").filter_map(Result::ok);
    let scripts = versions.map(|entry| entry.path().join("site-packages/axe_playwright_python/axe.min.js"));
    scripts.into_iter().find(|path| path.exists()).expect("axe-core is not installed; tests/run installs it")
}
