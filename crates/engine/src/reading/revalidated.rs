//! Reads a 304 Not Modified (RFC 9110 section 15.4.5).

use super::{Received, ResponseReader};
use crate::context::VisitContext;
use crate::discover::LinkCollector;
use crate::remembered;
use mapwright_fetch::{Fetch, Reply};
use mapwright_frontier::{Finished, Settlement};
use mapwright_model::{Content, FetchMode, Remembered, Reused, ReusedContent, Task, Visit};
use mapwright_web::page;

/// Treats a 304 Not Modified as a visit of the remembered page, which it revalidates. The fields of the 304 replace the
/// stored ones (RFC 9111 section 4.3.4): where they name another canonical, or another representation, the page is
/// fetched again without conditions.
pub(crate) fn revalidated<C: Fetch>(
    context: &VisitContext<C>,
    task: Task,
    received: &Received,
    memory: &Remembered,
) -> Finished<Visit> {
    let mut collector = LinkCollector::new(context, &task);
    let reader = ResponseReader::new(context, &task, received);
    let mut visit = reader.visit_of_head();
    let head = reader.head();
    let fresh = page::header_facts(&head, &task.url, &context.reading.page);
    if speaks_of_another(&task, &received.reply) || fresh.canonicals.iter().any(|given| given.url != memory.canonical) {
        return remembered::fetch_plainly(task);
    }
    let binding = remembered::reuse_remembered(context, &mut collector, &mut visit, memory, fresh.directives);
    visit.content = Content::Reused(ReusedContent { reused: Reused::Revalidated, binding });
    let found = collector.into_found();
    Finished { settles: Some((task, Settlement::Done)), found, visit: Some(visit) }
}

/// Reports whether a 304 Not Modified has a strong validator other than the one that was sent: it then updates no
/// stored response (RFC 9111 section 4.3.4).
fn speaks_of_another(task: &Task, reply: &Reply) -> bool {
    let FetchMode::Conditional(known) = &task.mode else { return false };
    match (known.etag.as_deref(), reply.headers.etag()) {
        (Some(sent), Some(given)) if !given.starts_with("W/") => {
            // Servers add the coding to the tag of a compressed response, and leave it out here.
            let (sent, given) = (opaque(sent), opaque(given));
            !sent.starts_with(given) && !given.starts_with(sent)
        }
        _ => false,
    }
}

/// Returns the text between the quotes of an entity tag.
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag).trim_matches('"')
}
