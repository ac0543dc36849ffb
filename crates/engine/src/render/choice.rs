//! The pages that may be rendered at all, and those that need no learning.

use mapwright_fetch::Reply;
use mapwright_frontier::{Finished, Settlement};
use mapwright_model::{Outcome, Purpose, Task, Visit};
use mapwright_web::page::{is_inert as is_inert_text, needs_scripts};

/// A page that was read without its scripts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadPage<'p> {
    pub(super) task: &'p Task,
    pub(super) visit: &'p Visit,
    pub(super) reply: &'p Reply,
}

/// A page with less visible text than this and no link of its own site is a shell, in bytes.
const SHELL_TEXT: u32 = 200;

impl<'p> ReadPage<'p> {
    /// Returns the page, if it may be rendered at all: search engines render neither errors, redirects nor pages that
    /// are not to be indexed (Google Search Central, "Understand the JavaScript SEO basics"). `noindex`: the last of
    /// these are rendered all the same.
    pub(super) fn candidate(finished: &'p Finished<Visit>, reply: &'p Reply, noindex: bool) -> Option<Self> {
        let (Some((task, Settlement::Done)), Some(visit)) = (&finished.settles, &finished.visit) else { return None };
        let is_page = matches!(task.purpose, Purpose::Page | Purpose::Probe) && visit.outcome == Outcome::Page;
        let binding = visit.binding();
        let is_kept = noindex || !(binding.noindex || binding.expired);
        let is_complete_page = reply.body_state.is_complete() && visit.response.target.is_none();
        (is_page && is_kept && is_complete_page && !is_download(reply)).then_some(Self { task, visit, reply })
    }

    /// Reports whether nothing in the page runs, so that the document stays what it is.
    pub(super) fn is_inert(self) -> bool {
        let encoding = self.visit.page().map_or("", |page| &*page.facts.encoding);
        // In these encodings, ASCII is no ASCII.
        !encoding.starts_with("UTF-16") && encoding != "ISO-2022-JP" && is_inert_text(&self.reply.body)
    }

    /// Reports whether the page is an empty shell without its scripts, or says so itself, and leads nowhere.
    pub(super) fn is_shell(self) -> bool {
        self.visit.page().is_some_and(|page| {
            let is_empty = page.facts.text_bytes < SHELL_TEXT;
            page.own_links.before == 0 && (is_empty || needs_scripts(&self.reply.body))
        })
    }
}

/// Reports whether browsers save the response instead of showing it (RFC 6266 section 4.2).
fn is_download(reply: &Reply) -> bool {
    let disposition = reply.headers.get("content-disposition").unwrap_or_default();
    disposition.trim_start().get(.."attachment".len()).is_some_and(|kind| kind.eq_ignore_ascii_case("attachment"))
}
