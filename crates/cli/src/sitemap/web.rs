//! Fetching of a sitemap by its URL.

use super::document::{Completeness, Document, MAX_HELD_BYTES, parse_url};
use crate::exit::Exit;
use crate::failure::Failure;
use mapwright_crawl::fetch_options;
use mapwright_fetch::Failure as Unanswered;
use mapwright_fetch::{Accept, BodyState, Conditions, Fetch, FetchOptions, HttpFetch, Method, Reply, Request};
use mapwright_settings::Settings;
use mapwright_text::counted;
use mapwright_web::page_url::Userinfo;
use mapwright_web::robots::MAX_FILE_BYTES;
use mapwright_web::{PageUrl, media};
use tokio::runtime::{Builder, Runtime};

/// A client that fetches one document at a time.
pub(super) struct Web {
    runtime: Runtime,
    fetcher: HttpFetch,
    redirects: u32,
}

impl Web {
    /// Creates a client for the URL that the user named, if any: its host may be reached at any address, and gets
    /// headers and credentials.
    ///
    /// # Errors
    /// No client can be built from the settings, or a file among them cannot be read.
    pub(super) fn new(settings: &Settings, home: Option<(&PageUrl, Option<Userinfo>)>) -> Result<Web, Failure> {
        let origins = home.iter().map(|(url, _)| url.origin()).collect();
        let userinfo = home.into_iter().filter_map(|(url, info)| Some((url.origin(), info?))).collect();
        let options = FetchOptions { first_party: origins, userinfo, ..fetch_options(settings)? };
        let fetcher = HttpFetch::new(options)
            .map_err(|error| Failure::usage(error.to_string(), "configuration", "correct the option"))?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| {
            let what = format!("the runtime cannot be started ({error})");
            Failure::new(Exit::Failed, what, "start", "see the limits of this process")
        })?;
        Ok(Web { runtime, fetcher, redirects: settings.fetch.max_redirects })
    }

    /// Fetches a document, following redirects.
    ///
    /// # Errors
    /// The reason why its bytes cannot be fetched.
    pub(super) fn get(&self, url: &PageUrl) -> Result<Document, String> {
        let (end, reply) = self.answer(url, Accept::Sitemap)?;
        Ok(document(end, reply)?.with_requested_url(url))
    }

    /// Fetches a robots.txt, following redirects (RFC 9309, section 2.3.1.2); `None` where that fails.
    pub(super) fn robots(&self, url: &PageUrl) -> Option<Vec<u8>> {
        self.answer(url, Accept::Robots).ok().map(|(_, reply)| reply.body)
    }

    /// Returns the response, and its final URL.
    fn answer(&self, url: &PageUrl, accept: Accept) -> Result<(PageUrl, Reply), String> {
        let mut at = url.clone();
        for _ in 0..=self.redirects {
            let reply = self.fetch(&at, accept)?;
            match reply.status {
                200 => return Ok((at, reply)),
                301 | 302 | 303 | 307 | 308 => at = target(&at, &reply)?,
                status => return Err(format!("the server answered {status}")),
            }
        }
        Err(format!("it redirects more than {}", counted(self.redirects.into(), "time")))
    }

    fn fetch(&self, url: &PageUrl, accept: Accept) -> Result<Reply, String> {
        let request = Request {
            method: Method::Get,
            url: url.clone(),
            spelling: None,
            conditions: Conditions::default(),
            accept,
            max_body: if accept == Accept::Robots { MAX_FILE_BYTES as u64 } else { MAX_HELD_BYTES },
            full_body_kinds: media::Kinds::ALL,
            cookie_wall: false,
            scripted: None,
        };
        let fetched = self.runtime.block_on(self.fetcher.fetch(request));
        let output = |failure: Unanswered| format!("no answer ({}: {})", failure.kind.as_str(), failure.detail);
        let reply = fetched.map_err(output).inspect_err(|why| tracing::info!("{url}: {why}"))?;
        tracing::info!("{} {url}", reply.status);
        Ok(reply)
    }
}

fn document(retrieved: PageUrl, reply: Reply) -> Result<Document, String> {
    let had = match reply.body_state {
        BodyState::Complete => Completeness::Complete,
        BodyState::Cut | BodyState::Enough => Completeness::Cut,
        BodyState::Broken(why) if reply.body.is_empty() => return Err(format!("the answer broke off ({why})")),
        BodyState::Broken(why) => Completeness::Broken(why),
    };
    let charset = reply.headers.content_type().and_then(media::charset).map(str::to_owned);
    Ok(Document::fetched(retrieved, charset, reply.body, had))
}

fn target(from: &PageUrl, reply: &Reply) -> Result<PageUrl, String> {
    let location = reply.headers.location().ok_or("it redirects without saying where")?;
    let joined = from.as_url().join(location).map_err(|error| format!("it redirects to no URL ({error})"))?;
    parse_url(joined.as_str()).map_err(|error| format!("it redirects to no web page ({error})"))
}
