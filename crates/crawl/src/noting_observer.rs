//! The observer of a crawl in progress.

use mapwright_engine::{Event, Observer};
use mapwright_fetch::HttpFetch;
use mapwright_web::PageUrl;
use std::sync::{Arc, Mutex, PoisonError};

/// Forwards events, passes the origins that the scope moved to to the fetcher, and collects notes for the end.
pub(crate) struct NotingObserver {
    pub(crate) next: Arc<dyn Observer>,
    pub(crate) fetcher: HttpFetch,
    pub(crate) notes: Arc<Mutex<Vec<String>>>,
}

impl NotingObserver {
    fn note(&self, text: String) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }
}

impl Observer for NotingObserver {
    fn see(&self, event: &Event<'_>) {
        match event {
            Event::ScopeMoved { from, to, root } => {
                let origin = PageUrl::recorded(to).map(|url| url.origin());
                if let Some(origin) = origin.filter(|origin| !self.fetcher.follow_redirect(origin)) {
                    self.note(format!(
                        "--auth, --header and --cookie-file are for the start URL's origin alone, and were not sent to \
                         {origin}: to send them there, start there"
                    ));
                }
                let place = if root == to { "there" } else { &format!("to {root}") };
                self.note(format!("{from} redirects to {to}: the scope of the crawl moved {place}"));
            }
            Event::Notice { .. }
            | Event::StartOnOtherSite { .. }
            | Event::Visited { .. }
            | Event::Committed { .. }
            | Event::Ended => {}
        }
        self.next.see(event);
    }
}
