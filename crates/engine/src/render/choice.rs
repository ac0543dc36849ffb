//! The pages that may be rendered at all.

use crate::reading::Received;
use mapwright_frontier::{Finished, Settlement};
use mapwright_model::{Outcome, Purpose, Task, Visit};
use mapwright_web::page::is_inert as is_inert_text;

/// Returns the task and the visit of a page that may be rendered: search engines render neither errors, redirects nor
/// pages that are not to be indexed (Google Search Central, "Understand the JavaScript SEO basics"). `noindex`: the
/// last of these are rendered all the same.
pub(super) fn candidate<'f>(
    finished: &'f Finished<Visit>,
    received: &Received,
    noindex: bool,
) -> Option<(&'f Task, &'f Visit)> {
    let (Some((task, Settlement::Done)), Some(visit)) = (&finished.settles, &finished.visit) else { return None };
    let is_page = matches!(task.purpose, Purpose::Page | Purpose::Probe) && visit.outcome == Outcome::Page;
    let binding = visit.binding();
    let is_kept = noindex || !(binding.noindex || binding.expired);
    let is_whole = received.reply.body_state.is_complete() && visit.response.target.is_none();
    (is_page && is_kept && is_whole && !is_download(received)).then_some((task, visit))
}

/// Reports whether browsers save the response instead of showing it (RFC 6266 section 4.2).
fn is_download(received: &Received) -> bool {
    let disposition = received.reply.headers.get("content-disposition").unwrap_or_default();
    disposition.trim_start().get(.."attachment".len()).is_some_and(|kind| kind.eq_ignore_ascii_case("attachment"))
}

/// Reports whether nothing in the page runs, so that the document stays what it is.
pub(super) fn is_inert(visit: &Visit, received: &Received) -> bool {
    let encoding = visit.page().map_or("", |page| &*page.facts.encoding);
    // In these encodings, ASCII is no ASCII.
    !encoding.starts_with("UTF-16") && encoding != "ISO-2022-JP" && is_inert_text(&received.reply.body)
}
