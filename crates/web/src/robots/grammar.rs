//! Lines of a robots.txt that the standard's grammar does not have, even where readers guess what was meant.

use super::build::FOREIGN;
use super::lines::Lines;
use super::{MAX_FAULTS, Robots, RobotsFault};

/// Keys of RFC 9309 section 2.2, and such as many readers know besides.
const KEYS: [&str; 5] = ["user-agent", "allow", "disallow", "sitemap", "crawl-delay"];

/// Lines of a file that are no records by the grammar (RFC 9309 section 2.2): those that say nothing
/// ([`Robots::faults`]), and those that readers take for rules though their key is misspelt or their colon is missing.
/// In order, at most [`MAX_FAULTS`].
#[must_use]
pub fn irregular_lines(bytes: &[u8]) -> Vec<RobotsFault> {
    let lines = Lines::of(bytes);
    let robots = Robots::compile(bytes);
    let odd = |line: &u32| !lines.is_blank(*line) && !is_record(&lines, *line);
    let mut faults: Vec<RobotsFault> = (1..=lines.count())
        .filter(odd)
        .take(MAX_FAULTS)
        .map(|line| RobotsFault { line, text: lines.text(line) })
        .collect();
    faults.extend(robots.faults().iter().cloned());
    faults.sort_by_key(|fault| fault.line);
    faults.dedup_by_key(|fault| fault.line);
    faults.truncate(MAX_FAULTS);
    faults
}

fn is_record(lines: &Lines<'_>, line: u32) -> bool {
    let key = lines.key(line);
    lines.has_colon(line) && (KEYS.contains(&key.as_str()) || FOREIGN.contains(&key.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_keys_and_missing_colons_are_irregular_though_readers_guess_them() {
        let text = b"User-agent *\nDisalow: /x/\nUSER-AGENT : *\nDisallow /y/\nallow:/z # fine\nHost: a\n\n# note\nx\n";
        let found: Vec<u32> = irregular_lines(text).iter().map(|fault| fault.line).collect();
        assert_eq!(found, [1, 2, 4, 9]);
    }
}
