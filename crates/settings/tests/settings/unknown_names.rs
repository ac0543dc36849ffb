//! Unknown keys are errors, unknown variables are warnings; both suggest a similar name.

use crate::support::{file, line, variable};

#[test]
fn unknown_keys() {
    let texts = [
        "[fetch]\ntimeuot = 1\n",
        "[fetch]\nuser_agent = \"x\"\n",
        "[crawl]\ntimeout = 1\n",
        "[crawl]\ntimeuot = 1\n",
        "[crawl]\nzzzzzz = 1\n",
        "timeout = 1\n",
        "nonsense = 1\n",
        "[crwal]\nconcurrency = 1\n",
        "[server]\n",
        "crawl = 1\n",
        "[crawl.timeout]\nx = 1\n",
    ];
    insta::assert_snapshot!(texts.map(|text| line(file(text))).join("\n"));
}

#[test]
fn texts_that_are_no_configuration() {
    let texts = [
        "[crawl\n",
        "[crawl]\nconcurrency = 1\nconcurrency = 2\n",
        "[crawl]\nconcurrency =\n",
        "[crawl]\nconcurrency = [1]\n",
        "[crawl]\nconcurrency = 2026-11-20\n",
        "[crawl]\nscope = { a = 1 }\n",
        "[crawl]\nexclude = [[\"a\"]]\n",
        "[fetch]\nauth = \"s3cret\n",
    ];
    let lines = texts.map(|text| line(file(text)));
    assert!(lines.iter().all(|line| !line.contains('\n') && !line.contains("s3cret")), "{lines:#?}");
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn unknown_variables() {
    let warn = |name: &str| variable(name, "1").unwrap().warnings.join("\n");
    insta::assert_snapshot!(warn("MAPWRIGHT_CONCURENCY"), @"`MAPWRIGHT_CONCURENCY` names no option and is ignored: environment: did you mean MAPWRIGHT_CONCURRENCY?");
    // The shared prefix makes no name similar.
    insta::assert_snapshot!(warn("MAPWRIGHT_NOPE"), @"`MAPWRIGHT_NOPE` names no option and is ignored: environment: `mapwright config show` lists all options");
    insta::assert_snapshot!(warn("MAPWRIGHT_COFFEE_MACHINE_LEVEL"), @"`MAPWRIGHT_COFFEE_MACHINE_LEVEL` names no option and is ignored: environment: `mapwright config show` lists all options");
    assert_eq!(warn("MAPWRIGHT_CONFIG"), "");
    assert_eq!(warn("OTHER_CONCURENCY"), "");
}
