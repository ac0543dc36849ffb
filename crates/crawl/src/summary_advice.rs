//! The advice of a summary.

use mapwright_store::Counts;
use mapwright_text::counted;

/// Responses that a run needs before a firewall is suspected.
const FEW_ANSWERS: u64 = 3;

/// Returns advice about the site, from the figures of a run.
pub(crate) fn advice(counts: &Counts, guard_is_bypassed: bool) -> Vec<String> {
    let mut notes = Vec::new();
    match counts.empty_shells {
        0 => {}
        1 => notes.push(
            "this site shows its content with JavaScript: one page was found, and it is an empty shell for scripts to \
             fill, so its other pages could not be discovered; --render auto runs the scripts"
                .to_owned(),
        ),
        shells => notes.push(format!(
            "this site shows its content with JavaScript: {shells} of {} pages are empty shells for scripts to fill, \
             without links, so pages that no sitemap lists could not be discovered; --render auto runs the scripts",
            counts.ok
        )),
    }
    if counts.fetched >= FEW_ANSWERS && counts.denied * 2 > counts.fetched {
        notes.push(
            "most answers were 401, 403 or 429: a login, a firewall or bot protection refuses this agent; ask for it to be \
             allowed (see --user-agent), or log in with --auth, --header or --cookie-file"
                .to_owned(),
        );
    }
    if counts.read_in_part > 0 {
        let were = if counts.read_in_part == 1 { "was" } else { "were" };
        notes.push(format!(
            "{} {were} read in part: longer than --max-body, of more links than are taken from one page, or too slow to \
             choose from (--links-in)",
            counted(counts.read_in_part, "URL")
        ));
    }
    if counts.contradicted > 0 {
        notes.push(format!("{} sent as HTML that look like something else", counted(counts.contradicted, "page")));
    }
    if guard_is_bypassed {
        notes.push("requests went through a proxy: which addresses it reached could not be checked".to_owned());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_firewall_is_suspected_when_most_answers_refuse() {
        let counts = |fetched, denied| Counts { fetched, denied, ..Counts::default() };
        assert_eq!(advice(&counts(10, 6), false).len(), 1);
        assert!(advice(&counts(10, 5), false).is_empty());
        assert!(advice(&counts(1, 1), false).is_empty());
    }

    #[test]
    fn pages_read_in_part_are_reported() {
        let note =
            |read_in_part| advice(&Counts { read_in_part, ..Counts::default() }, false).pop().unwrap_or_default();
        assert!(note(1).starts_with("1 URL was read in part"));
        assert!(note(2).starts_with("2 URLs were read in part"));
        assert_eq!(note(0), "");
    }

    #[test]
    fn an_empty_shell_is_said_to_need_javascript() {
        let reported = |ok, empty_shells| {
            let counts = Counts { ok, fetched: ok, empty_shells, ..Counts::default() };
            advice(&counts, false).join("\n")
        };
        assert!(reported(1, 1).contains("JavaScript: one page"));
        assert!(reported(20, 19).contains("JavaScript: 19 of 20 pages"));
        assert_eq!(reported(20, 0), "");
    }
}
