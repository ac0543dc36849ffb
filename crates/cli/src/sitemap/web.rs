//! Fetching a sitemap by its URL.

use super::document::{Document, Had, MAX_HELD_BYTES, parse_url};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input;
use mapwright_fetch::{
    Accept, BodyState, Conditions, Cookie, Fetch, FetchOptions, GuardOptions, HttpFetch, Net, ProxyVariables, Reply,
    Request, parse_cookie_file,
};
use mapwright_settings::Settings;
use mapwright_web::PageUrl;
use mapwright_web::page_url::Userinfo;
use std::path::Path;
use tokio::runtime::{Builder, Runtime};

/// Bytes of a cookie file or a bundle of certificates at most.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// A client that fetches one document at a time.
pub(super) struct Web {
    runtime: Runtime,
    fetcher: HttpFetch,
    redirects: u32,
}

impl Web {
    /// A client for the URL that the user named, if any: its host may be reached wherever it is, and gets headers and
    /// credentials.
    ///
    /// # Errors
    /// Settings that no client can be made from, or a file among them that cannot be read.
    pub(super) fn new(settings: &Settings, home: Option<(&PageUrl, Option<Userinfo>)>) -> Result<Web, Failure> {
        let options = options(settings, home)?;
        let fetcher = HttpFetch::new(options)
            .map_err(|error| Failure::usage(error.to_string(), "configuration", "correct the option"))?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| {
            let what = format!("the runtime cannot be started ({error})");
            Failure::new(Exit::Failed, what, "start", "see the limits of this process")
        })?;
        Ok(Web { runtime, fetcher, redirects: settings.fetch.max_redirects })
    }

    /// Gets a document, following redirects.
    ///
    /// # Errors
    /// Why its bytes cannot be had.
    pub(super) fn get(&self, url: &PageUrl) -> Result<Document, String> {
        let mut at = url.clone();
        for _ in 0..=self.redirects {
            let reply = self.fetch(&at)?;
            match reply.status {
                200 => return document(url, reply),
                301 | 302 | 303 | 307 | 308 => at = target(&at, &reply)?,
                status => return Err(format!("the server answered {status}")),
            }
        }
        Err(format!("it redirects more than {} times", self.redirects))
    }

    fn fetch(&self, url: &PageUrl) -> Result<Reply, String> {
        let request = Request {
            url: url.clone(),
            conditions: Conditions::default(),
            accept: Accept::Sitemap,
            max_body: MAX_HELD_BYTES,
        };
        let fetched = self.runtime.block_on(self.fetcher.fetch(request));
        fetched.map_err(|failure| format!("no answer ({}: {})", failure.kind.as_str(), failure.detail))
    }
}

fn document(url: &PageUrl, reply: Reply) -> Result<Document, String> {
    let had = match reply.body_state {
        BodyState::Whole => Had::Whole,
        BodyState::Cut => Had::Cut,
        BodyState::Broken(why) if reply.body.is_empty() => return Err(format!("the answer broke off ({why})")),
        BodyState::Broken(why) => Had::Broken(why),
    };
    Ok(Document::fetched(url.clone(), reply.body, had))
}

fn target(from: &PageUrl, reply: &Reply) -> Result<PageUrl, String> {
    let location = reply.headers.location().ok_or("it redirects without saying where")?;
    let joined = from.as_url().join(location).map_err(|error| format!("it redirects to no URL ({error})"))?;
    parse_url(joined.as_str()).map_err(|error| format!("it redirects to no web page ({error})"))
}

fn options(settings: &Settings, home: Option<(&PageUrl, Option<Userinfo>)>) -> Result<FetchOptions, Failure> {
    let fetch = &settings.fetch;
    let origins = home.iter().map(|(url, _)| url.origin()).collect();
    let userinfo = home.into_iter().filter_map(|(url, info)| Some((url.origin(), info?))).collect();
    let auth = fetch.auth.as_ref();
    Ok(FetchOptions {
        user_agent: fetch.user_agent.clone(),
        timeout: fetch.timeout,
        connect_timeout: fetch.connect_timeout.min(fetch.timeout),
        first_byte_timeout: fetch.timeout,
        headers: fetch.header.iter().map(|header| (header.name.clone(), header.value.clone())).collect(),
        auth: auth.map(|auth| Userinfo { user: auth.user.clone(), password: auth.password.clone() }),
        userinfo,
        cookies: fetch.cookie_file.as_deref().map_or(Ok(Vec::new()), cookies)?,
        home: origins,
        proxy: fetch.proxy.as_ref().map(|proxy| proxy.as_str().to_owned()),
        proxy_variables: proxy_variables(settings),
        insecure: fetch.insecure,
        ca_cert: fetch.ca_cert.as_deref().map(|path| read(path, "flag --ca-cert")).transpose()?,
        resolve: fetch.resolve.iter().map(|pin| (pin.host.clone(), pin.port, pin.address)).collect(),
        guard: guard(settings)?,
        http2: !fetch.no_http2,
        ..FetchOptions::default()
    })
}

fn proxy_variables(settings: &Settings) -> ProxyVariables {
    let ambient = &settings.ambient;
    let text = |proxy: &Option<mapwright_settings::ProxyUrl>| {
        proxy.as_ref().or(ambient.all_proxy.as_ref()).map(|proxy| proxy.as_str().to_owned())
    };
    ProxyVariables {
        https: text(&ambient.https_proxy),
        http: text(&ambient.http_proxy),
        no_proxy: ambient.no_proxy.clone(),
    }
}

fn guard(settings: &Settings) -> Result<GuardOptions, Failure> {
    let parse = |range: &mapwright_settings::AddressRange| {
        range.to_string().parse::<Net>().map_err(|error| {
            Failure::usage(format!("`{range}` is not a range ({error})"), "flag --allow-address", "correct the range")
        })
    };
    let allow = settings.fetch.allow_address.iter().map(parse).collect::<Result<_, _>>()?;
    Ok(GuardOptions { allow, allow_private: settings.fetch.allow_private })
}

fn cookies(path: &Path) -> Result<Vec<Cookie>, Failure> {
    let place = "flag --cookie-file";
    let bytes = read(path, place)?;
    parse_cookie_file(&String::from_utf8_lossy(&bytes))
        .map_err(|error| Failure::usage(error.to_string(), place, "give a file in the format of Netscape and curl"))
}

fn read(path: &Path, place: &str) -> Result<Vec<u8>, Failure> {
    input::read(&path.display().to_string(), MAX_FILE_BYTES, place)
}
