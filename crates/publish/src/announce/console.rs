//! The Search Console API of Google: submits a sitemap on behalf of a property's owner.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use reqwest::header::CONTENT_LENGTH;
use serde_json::Value;
use url::{Host, Url};

use super::account::ServiceAccount;
use super::encode::encoded;
use super::engine_client::{EngineClient, name_of};
use super::engine_response::EngineResponse;
use super::error::AnnounceError;
use super::excerpt::excerpt;
use super::token::Token;

const API: &str = "https://www.googleapis.com";

/// Reasons of a 403 that are rate limits and resolve by themselves.
const LIMITS: [&str; 4] = ["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"];

/// A property in Search Console, and the service account that may submit sitemaps for it.
///
/// Its `Debug` text shows the property and the account's address, neither key nor token.
pub struct SearchConsole {
    /// The property in the API's form: `sc-domain:example.com`, or a URL.
    site: String,
    account: ServiceAccount,
    api: String,
    token: Mutex<Option<Token>>,
}

impl SearchConsole {
    /// Creates the client from the text of a service account's key file, which is a secret, and the property:
    /// `sc-domain:example.com`, or the URL prefix as Search Console shows it.
    ///
    /// # Errors
    /// When one of them cannot be used; the message says which and what to do.
    pub fn from_service_account(json: &str, site: &str) -> Result<Self, AnnounceError> {
        let (site, account) = (property(site)?, ServiceAccount::parse(json)?);
        Ok(SearchConsole { site, account, api: API.to_owned(), token: Mutex::new(None) })
    }

    /// Calls a server other than Google's, by scheme, host and port; for tests.
    #[must_use]
    pub fn with_api(self, api: &Url) -> Self {
        SearchConsole { api: api.origin().ascii_serialization(), ..self }
    }

    /// Submits a sitemap (`sitemaps.submit`). The access token is kept until it expires; one that is no longer accepted
    /// is replaced once.
    ///
    /// # Errors
    /// When the sitemap is not accepted; the error says if that is permanent.
    pub async fn submit(&self, caller: &EngineClient, sitemap: &Url, now: Timestamp) -> Result<(), AnnounceError> {
        let now = now.as_second();
        if let Some(token) = self.kept().filter(|token| token.is_good_at(now)) {
            let answer = self.put(caller, sitemap, &token).await?;
            if answer.status != 401 {
                return self.judge(&answer, &token);
            }
        }
        let token = Token::fetch(caller, &self.account, now).await?;
        let answer = self.put(caller, sitemap, &token).await?;
        self.keep((answer.status != 401).then(|| token.clone()));
        self.judge(&answer, &token)
    }

    async fn put(&self, caller: &EngineClient, sitemap: &Url, token: &Token) -> Result<EngineResponse, AnnounceError> {
        let (site, feed) = (encoded(&self.site), encoded(sitemap.as_str()));
        let address = format!("{}/webmasters/v3/sites/{site}/sitemaps/{feed}", self.api);
        let url = Url::parse(&address)
            .map_err(|_| AnnounceError::permanent("the Search Console API's address is no URL: correct it"))?;
        // There is no body, and the API requires its length.
        let request = caller.put(&url).bearer_auth(&token.text).header(CONTENT_LENGTH, 0);
        caller.send(request, &name_of(&url)).await
    }

    fn judge(&self, answer: &EngineResponse, token: &Token) -> Result<(), AnnounceError> {
        let json = answer.json();
        let error = json.get("error");
        let said = error.and_then(|error| error.get("message")).and_then(Value::as_str).unwrap_or_default();
        let said = excerpt(said, &[&token.text]);
        let (site, email) = (&self.site, &self.account.email);
        let what = match answer.status {
            400 => "Search Console finds the request malformed (400)".to_owned(),
            401 => "Search Console does not accept the service account's token (401)".to_owned(),
            403 if is_limit(error) => {
                let what = with_words("Search Console limits the rate of requests (403)", &said);
                return Err(AnnounceError::transient(what, answer.retry_after));
            }
            403 => format!("{email} may not submit sitemaps for {site} (403): make it an owner in Search Console"),
            404 => format!("Search Console knows no property {site} (404): write it as it is shown there"),
            _ => return answer.accepted_by("the Search Console API"),
        };
        Err(AnnounceError::permanent(with_words(&what, &said)))
    }

    fn kept(&self) -> Option<Token> {
        // A token is replaced in one assignment, so a poisoned lock still holds a valid one.
        self.token.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, token: Option<Token>) {
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = token;
    }
}

impl fmt::Debug for SearchConsole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchConsole")
            .field("site", &self.site)
            .field("account", &self.account.email)
            .finish_non_exhaustive()
    }
}

/// The canonical form of a property.
fn property(site: &str) -> Result<String, AnnounceError> {
    let domain = site.strip_prefix("sc-domain:").map(|domain| match Host::parse(domain) {
        Ok(Host::Domain(domain)) => Some(format!("sc-domain:{domain}")),
        _ => None,
    });
    let url = || Url::parse(site).ok().filter(|url| matches!(url.scheme(), "http" | "https")).map(String::from);
    domain.unwrap_or_else(url).ok_or_else(|| {
        let site = excerpt(site, &[]);
        AnnounceError::permanent(format!(
            "`{site}` is no property of Search Console: write `sc-domain:example.com`, or a URL prefix such as \
             `https://example.com/`"
        ))
    })
}

/// Returns true if an error of the API is a rate limit.
fn is_limit(error: Option<&Value>) -> bool {
    let details = error.and_then(|error| error.get("errors")).and_then(Value::as_array);
    let mut reasons = details.into_iter().flatten().filter_map(|detail| detail.get("reason")?.as_str());
    reasons.any(|reason| LIMITS.contains(&reason))
}

fn with_words(what: &str, said: &str) -> String {
    if said.is_empty() { what.to_owned() } else { format!("{what}; it says: {said}") }
}
