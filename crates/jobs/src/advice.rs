//! What a summary advises.

use crate::counted::counted;
use mapwright_store::Counts;

/// Answers of which most must be refusals before a firewall is suspected.
const FEW_ANSWERS: u64 = 3;

/// What the figures say about the site as a whole.
pub(crate) fn advice(counts: &Counts, guard_blind: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if counts.empty_shell {
        notes.push(
            "this site shows its content with JavaScript: one page was found, and it is an empty shell for scripts to \
             fill, so its other pages could not be discovered"
                .to_owned(),
        );
    }
    if counts.fetched >= FEW_ANSWERS && counts.denied * 2 > counts.fetched {
        notes.push(
            "most answers were 401, 403 or 429: a firewall or bot protection refuses this agent; ask for it to be \
             allowed (see --user-agent), or log in with --auth or --header"
                .to_owned(),
        );
    }
    if counts.cut_bodies > 0 {
        let bodies = if counts.cut_bodies == 1 { "body was" } else { "bodies were" };
        notes.push(format!("{} {bodies} longer than --max-body, and read up to there", counts.cut_bodies));
    }
    if counts.contradicted > 0 {
        notes.push(format!("{} sent as HTML that look like something else", counted(counts.contradicted, "page")));
    }
    if guard_blind {
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
    fn an_empty_shell_is_said_to_need_javascript() {
        let counts = Counts { ok: 1, fetched: 1, empty_shell: true, ..Counts::default() };
        assert!(advice(&counts, false).iter().any(|note| note.contains("JavaScript")));
    }
}
