//! Access tokens (OAuth 2.0 by JWT bearer, RFC 7523).

use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use url::form_urlencoded;

use super::account::ServiceAccount;
use super::engine_client::{EngineClient, name_of};
use super::engine_response::EngineResponse;
use super::error::AnnounceError;
use super::excerpt::excerpt;

const GRANT: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/// Seconds before its expiry from which a token is no longer used: the call itself takes time, and clocks differ.
const MARGIN: i64 = 60;
/// The maximum number of seconds that a token is used for, whatever lifetime the server states.
const MAX_SECONDS: i64 = 3_600;
/// The maximum size of a token in bytes; Google's have up to 2,048.
const MAX_TOKEN: usize = 16 * 1024;

/// An access token. It has no `Debug`, because it is a secret.
#[derive(Clone)]
pub(crate) struct Token {
    pub(crate) text: String,
    /// The Unix second from which it is no longer used.
    until: i64,
}

impl Token {
    pub(crate) fn is_good_at(&self, now: i64) -> bool {
        now < self.until
    }

    /// Requests a token.
    pub(crate) async fn fetch(
        caller: &EngineClient,
        account: &ServiceAccount,
        now: i64,
    ) -> Result<Token, AnnounceError> {
        let assertion = account.assertion(now)?;
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", GRANT)
            .append_pair("assertion", &assertion)
            .finish();
        let who = name_of(&account.token_uri);
        let request =
            caller.post(&account.token_uri).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(form);
        let answer = caller.send(request, &who).await?;
        if let 400 | 401 | 403 = answer.status {
            return Err(refused(&answer, &who, &assertion));
        }
        answer.accepted_by(&who)?;
        Token::read(&answer.json(), now)
            .ok_or_else(|| AnnounceError::transient(format!("{who} answers without an access token"), None))
    }

    fn read(json: &Value, now: i64) -> Option<Token> {
        let text = json.get("access_token")?.as_str()?;
        if text.is_empty() || text.len() > MAX_TOKEN || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return None;
        }
        let seconds = json.get("expires_in").and_then(Value::as_i64).unwrap_or(0).clamp(0, MAX_SECONDS);
        Some(Token { text: text.to_owned(), until: now.saturating_add(seconds).saturating_sub(MARGIN) })
    }
}

/// The error of a refused token, by the codes of RFC 6749, section 5.2.
fn refused(answer: &EngineResponse, who: &str, assertion: &str) -> AnnounceError {
    let json = answer.json();
    let field = |name| json.get(name).and_then(Value::as_str).unwrap_or_default();
    let said = format!("{} {}", field("error"), field("error_description"));
    let said = excerpt(&said, &[assertion, assertion.rsplit('.').next().unwrap_or_default()]);
    let status = answer.status;
    let colon = if said.is_empty() { "" } else { ": " };
    AnnounceError::permanent(format!(
        "{who} gives the service account no access token ({status}{colon}{said}): check that its key was not deleted \
         and that this machine's clock is right"
    ))
}
