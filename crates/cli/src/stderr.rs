//! Lines on standard error.

use std::io::Write;

/// Prints one line on standard error, after the command's name. Errors are ignored, because there is no other place to
/// report them.
pub(crate) fn print_stderr(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "mapwright: {}", mapwright_text::visible(line));
}
