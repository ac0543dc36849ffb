//! Audits of crawls of the fake web.

use mapwright_audit::rendered_finding::{RenderedFinding, RenderedFindings};
use mapwright_audit::{Audit, Check, Options, RenderedEvidence, checks};
use mapwright_testcrawl::Crawled;

/// A record that is audited.
pub(crate) trait AuditRecord {
    /// Audits the newest run, without storing the audit.
    fn audit(&self, options: &Options) -> Audit;

    /// Audits the newest run, and stores the audit for later ones.
    fn audited(&mut self, options: &Options) -> Audit;

    /// Returns all findings of an audit, with their texts.
    fn items(&self, audit: &Audit) -> Vec<RenderedFinding>;

    /// Returns the findings of one kind.
    fn items_of(&self, audit: &Audit, code: &str) -> Vec<RenderedFinding> {
        let check = check(code);
        self.items(audit).into_iter().filter(|item| item.check == check).collect()
    }
}

impl AuditRecord for Crawled {
    fn audit(&self, options: &Options) -> Audit {
        Audit::of(self.record(), options).unwrap()
    }

    fn audited(&mut self, options: &Options) -> Audit {
        let audit = self.audit(options);
        audit.note(self.record_mut()).unwrap();
        audit
    }

    fn items(&self, audit: &Audit) -> Vec<RenderedFinding> {
        let mut items = Vec::new();
        let rendered = RenderedEvidence::of(audit, self.record()).unwrap();
        let take = &mut |item: &RenderedFinding| {
            items.push(item.clone());
            Ok(())
        };
        rendered.each(take).unwrap();
        items
    }
}

/// Returns the check with this code.
pub(crate) fn check(code: &str) -> &'static Check {
    checks::named(code).unwrap()
}
