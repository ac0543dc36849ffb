//! The page of documentation that lists every kind of finding.

use crate::checks;
use std::fmt::Write;

/// Returns `docs/findings.md`: a section for each kind of finding with its severity, reason and fix, by topic.
#[must_use]
pub fn findings_page() -> String {
    let mut page = String::from(
        "# Findings\n\nWhat `mapwright audit` finds. Generated from `crates/audit/src/checks/`; the codes are stable.\n\n\
         Severities are defaults: `--severity CODE=error|warning|notice|off` changes one, `--mute CODE` leaves a kind \
         out, and `--fail-on SEVERITY|CODE` makes the audit end with code 10.\n\n\
         Reports name first what to fix first: errors before warnings, warnings before notices. Within a severity, the \
         share of the indexable pages that a kind affects decides, as a factor from 0.1 to 1, halved for kinds that are \
         estimated. An error or warning about the entire site counts as 1; a file that pages load or link counts for each \
         of these pages.\n\n\
         A page that the crawl leaves out of the sitemap in favour of another one (a further page of a list, a duplicate, \
         a variant) has no findings about what search results show of it, such as its description.\n",
    );
    let mut topic = None;
    for check in checks::all() {
        if topic != Some(check.topic) {
            topic = Some(check.topic);
            let title = check.topic.title();
            // Writing to a String cannot fail.
            let _ = writeln!(page, "\n## {title}");
        }
        let (code, title, severity) = (check.code, check.title, check.severity.as_str());
        let (reason, fix) = (check.reason, check.fix);
        // Each check has an anchor of its code, which `Check::help_url` names.
        let _ = write!(page, "\n### <a id=\"{code}\"></a>{title}\n\n`{code}`, {severity}. {reason} {fix}\n");
    }
    page
}
