use super::failure;

#[test]
fn the_tip_is_what_to_do() {
    let text = "error: unexpected argument '--foo' found\n\n  tip: a similar argument exists: '--for'\n\nUsage: x y\n";
    let line = failure(text).to_string();
    assert_eq!(line, "unexpected argument '--foo' found: command line: a similar argument exists: '--for'");
}

#[test]
fn a_tip_that_leads_astray_is_left_out() {
    for tip in ["a similar argument exists: '--scope'", "to pass '--nope' as a value, use '-- --nope'"] {
        let text =
            format!("error: unexpected argument '--nope' found\n\n  tip: {tip}\n\nUsage: x y [OPTIONS] [URL]...\n");
        let line = failure(&text).to_string();
        assert_eq!(line, "unexpected argument '--nope' found: command line: see x y --help");
    }
}

#[test]
fn without_a_tip_the_usage_is() {
    let text = "error: the following required arguments were not provided:\n  <URL>\n\nUsage: x <URL>\n\nFor more…\n";
    let line = failure(text).to_string();
    assert_eq!(line, "the following required arguments were not provided: <URL>: command line: write x <URL>");
}

#[test]
fn anything_else_leads_to_the_help() {
    assert_eq!(failure("error: odd\n").to_string(), "odd: command line: see mapwright --help");
}

#[test]
fn a_missing_subcommand_gets_a_hint_to_the_help() {
    let line = failure("error: unrecognized subcommand 'x'\n\nUsage: mapwright config <COMMAND>\n").to_string();
    assert_eq!(line, "unrecognized subcommand 'x': command line: see mapwright config --help");
}
