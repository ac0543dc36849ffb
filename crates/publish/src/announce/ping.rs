//! Calls an address that contains the sitemap's URL, as the sitemaps protocol once defined it.

use std::fmt;

use url::{Position, Url};

use super::encode::encoded;
use super::engine_client::{EngineClient, name_of};
use super::error::AnnounceError;
use super::retired_endpoints;

/// The placeholder for the sitemap's URL.
const PLACE: &str = "{sitemap}";

/// An engine's address to call when the sitemap changed. Its `Debug` text shows only the host, because the rest may
/// contain a token.
#[derive(Clone)]
pub struct Ping {
    template: String,
    /// The engine, for messages.
    who: String,
}

impl Ping {
    /// Reads an address such as `https://engine.example/ping?sitemap={sitemap}`; `{sitemap}` stands for the sitemap's
    /// URL, percent-encoded.
    ///
    /// # Errors
    /// When it is not an absolute URL of http or https, when neither its path nor its query contains `{sitemap}`, or
    /// when the address is known to be gone.
    pub fn parse(template: &str) -> Result<Ping, AnnounceError> {
        let template = template.trim();
        if !template.contains(PLACE) {
            return Err(AnnounceError::permanent(
                "the ping address has no `{sitemap}`: write it where the sitemap's URL is to stand, as in \
                 https://engine.example/ping?sitemap={sitemap}",
            ));
        }
        let invalid = || {
            AnnounceError::permanent(
                "the ping address is no URL of http or https with `{sitemap}` in its path or query: write it as \
                 https://engine.example/ping?sitemap={sitemap}",
            )
        };
        // A value that no address contains by chance, and that cannot be part of a host.
        let example = encoded("http://example.com/mapwright-example.xml");
        let url = Url::parse(&template.replace(PLACE, &example)).map_err(|_| invalid())?;
        let sent = &url[Position::BeforePath..Position::AfterQuery];
        if !matches!(url.scheme(), "http" | "https") || !sent.contains(&example) {
            return Err(invalid());
        }
        match retired_endpoints::retired(&url) {
            Some(words) => Err(AnnounceError::permanent(format!("the ping address is dead: {words}"))),
            None => Ok(Ping { template: template.to_owned(), who: name_of(&url) }),
        }
    }

    /// The host that is called, with its port.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.who
    }

    /// Calls the engine (GET).
    ///
    /// # Errors
    /// When the response is no success (2xx) or is missing; the error says if that is permanent.
    pub async fn call(&self, caller: &EngineClient, sitemap: &Url) -> Result<(), AnnounceError> {
        let address = self.template.replace(PLACE, &encoded(sitemap.as_str()));
        let url = Url::parse(&address)
            .map_err(|_| AnnounceError::permanent(format!("no address of {} can be made of it", self.who)))?;
        let answer = caller.send(caller.get(&url), &self.who).await?;
        if matches!(answer.status, 404 | 410) {
            let (who, status) = (&self.who, answer.status);
            return Err(AnnounceError::permanent(format!(
                "{who} has no such address to ping ({status}): correct it, or remove it"
            )));
        }
        answer.accepted_by(&self.who)
    }
}

impl fmt::Debug for Ping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ping").field(&self.who).finish()
    }
}
