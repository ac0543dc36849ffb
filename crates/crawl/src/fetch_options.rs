//! Builds the options of a fetcher from settings, for crawls and for sitemaps that are read by URL.

use crate::error::CrawlError;
use mapwright_fetch::{Cookie, FetchOptions, GuardOptions, Net, ProxyVariables, parse_cookie_file};
use mapwright_settings::{FetchSection, ProxyUrl, Settings};
use mapwright_web::page_url::Userinfo;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes of a cookie file or a bundle of certificates, at most.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Builds the options of a fetcher. The caller adds the first-party origins and the credentials of start URLs.
///
/// # Errors
/// If a file that the settings name cannot be read or is invalid.
pub fn fetch_options(settings: &Settings) -> Result<FetchOptions, CrawlError> {
    let fetch = &settings.fetch;
    Ok(FetchOptions {
        user_agent: fetch.user_agent.clone(),
        timeout: fetch.timeout,
        connect_timeout: fetch.connect_timeout.min(fetch.timeout),
        first_byte_timeout: fetch.timeout,
        headers: fetch.header.iter().map(|header| (header.name.clone(), header.value.clone())).collect(),
        auth: fetch.auth.as_ref().map(|a| Userinfo { user: a.user.clone(), password: a.password.clone() }),
        cookies: fetch.cookie_file.as_deref().map_or(Ok(Vec::new()), cookies)?,
        cookie_policy: fetch.cookies,
        proxy: fetch.proxy.as_ref().map(|proxy| proxy.as_str().to_owned()),
        proxy_variables: proxy_variables(settings),
        insecure: fetch.insecure,
        ca_cert: fetch.ca_cert.as_deref().map(|path| read(path, FetchSection::ca_cert)).transpose()?,
        resolve: fetch.resolve.iter().map(|pin| (pin.host.clone(), pin.port, pin.address)).collect(),
        guard: GuardOptions {
            allow: fetch.allow_address.iter().map(|range| Net::from(range.0)).collect(),
            allow_private: fetch.allow_private,
        },
        bytes_in_flight: fetch.bytes_in_flight,
        max_idle: settings.crawl.concurrency,
        http2: !fetch.no_http2,
        ..FetchOptions::default()
    })
}

fn proxy_variables(settings: &Settings) -> ProxyVariables {
    let ambient = &settings.ambient;
    let text =
        |proxy: &Option<ProxyUrl>| proxy.as_ref().or(ambient.all_proxy.as_ref()).map(|proxy| proxy.as_str().to_owned());
    ProxyVariables {
        https: text(&ambient.https_proxy),
        http: text(&ambient.http_proxy),
        no_proxy: ambient.no_proxy.clone(),
    }
}

fn cookies(path: &Path) -> Result<Vec<Cookie>, CrawlError> {
    let key = FetchSection::cookie_file;
    let text = String::from_utf8_lossy(&read(path, key)?).into_owned();
    parse_cookie_file(&text)
        .map_err(|error| CrawlError::setting(key, error, "give a file in the format of Netscape and curl"))
}

fn read(path: &Path, key: &str) -> Result<Vec<u8>, CrawlError> {
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_FILE_BYTES).read_to_end(&mut bytes)).map_err(|error| {
        CrawlError::setting(key, format!("cannot read `{}` ({error})", path.display()), "name a file that can be read")
    })?;
    Ok(bytes)
}
