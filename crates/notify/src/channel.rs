//! The channels that notifications are sent to.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use url::Url;

use crate::email::in_ascii;
use crate::message::hex;

/// Characters of the name of a secret, at most.
const MAX_NAME: usize = 64;
/// Bytes of a webhook's URL, at most.
const MAX_URL: usize = 4_096;

/// A channel that notifications are sent to. `Debug` prints its label, because path and query of a webhook are often
/// secrets.
#[derive(Clone, PartialEq, Eq)]
pub enum Channel {
    /// An e-mail address.
    Mail(String),
    /// A URL that JSON is posted to.
    Webhook(Url),
    /// The name of a secret URL in [`SenderOptions::slack`](crate::SenderOptions::slack).
    Slack(String),
}

/// The reason why a text is not a channel. It never repeats what may be a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChannelError {
    /// It begins with no known prefix.
    #[error("a channel is written as mailto:ADDRESS, webhook:URL or slack:NAME")]
    Kind,
    /// An invalid e-mail address.
    #[error("`{0}` is not an e-mail address: write one address as in mailto:ops@example.com")]
    Address(String),
    /// A URL that cannot be posted to.
    #[error("the URL of a webhook {0}: write it as in webhook:https://example.com/hook")]
    Webhook(&'static str),
    /// A URL in place of a name.
    #[error(
        "slack: takes a name, not a URL, for the URL is a secret: put it into a file or a variable, and write its name \
         as in slack:ops (letters, digits, - and _; at most {MAX_NAME})"
    )]
    Slack,
}

impl Channel {
    /// Reads `mailto:ADDRESS`, `webhook:URL` or `slack:NAME`.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn parse(text: &str) -> Result<Channel, ChannelError> {
        let (kind, rest) = text.trim().split_once(':').ok_or(ChannelError::Kind)?;
        match kind {
            "mailto" => address(rest).map(Channel::Mail),
            "webhook" => webhook(rest).map(Channel::Webhook),
            "slack" => name(rest).map(Channel::Slack),
            _ => Err(ChannelError::Kind),
        }
    }

    /// Returns a label that may be stored and printed. Different channels have different labels: that of a webhook
    /// contains the host, and a digest in place of the rest.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Channel::Mail(address) => format!("mailto:{address}"),
            Channel::Webhook(url) => {
                let digest = hex(&Sha256::digest(url.as_str()), 4);
                format!("webhook:{}#{digest}", url.host_str().unwrap_or_default())
            }
            Channel::Slack(name) => format!("slack:{name}"),
        }
    }
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label())
    }
}

impl FromStr for Channel {
    type Err = ChannelError;

    fn from_str(text: &str) -> Result<Channel, ChannelError> {
        Channel::parse(text)
    }
}

fn address(text: &str) -> Result<String, ChannelError> {
    // A quoted local part may contain blanks, a domain literal brackets; both are rare, and are refused.
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"?,;<>\"()[]".contains(c);
    let ascii = in_ascii(text).filter(|text| text.chars().all(plain) && text.parse::<lettre::Address>().is_ok());
    ascii.ok_or_else(|| ChannelError::Address(mapwright_text::line(text, 100)))
}

fn webhook(text: &str) -> Result<Url, ChannelError> {
    let refuse = |reason| Err(ChannelError::Webhook(reason));
    if text.len() > MAX_URL {
        return refuse("is too long");
    }
    let Ok(mut url) = Url::parse(text) else { return refuse("cannot be read") };
    if !matches!(url.scheme(), "http" | "https") {
        return refuse("is neither http nor https");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("must not hold a user or password (messages are signed instead)");
    }
    url.set_fragment(None);
    Ok(url)
}

fn name(text: &str) -> Result<String, ChannelError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let good = !text.is_empty() && text.len() <= MAX_NAME && text.chars().all(fits);
    good.then(|| text.to_owned()).ok_or(ChannelError::Slack)
}

#[cfg(test)]
mod tests {
    use super::{Channel, ChannelError};

    #[test]
    fn channels_are_read_and_labelled() {
        for text in ["mailto:ops@example.com", "mailto:a+b@sub.example.com", "slack:ops-team_1"] {
            assert_eq!(Channel::parse(text).unwrap().label(), text);
        }
        assert_eq!(Channel::parse("mailto:ops@Müller.example").unwrap().label(), "mailto:ops@xn--mller-kva.example");
        let webhook = Channel::parse("webhook:https://hooks.example.com:8443/services/T0/s3cret?key=k#x").unwrap();
        let label = webhook.label();
        assert!(label.starts_with("webhook:hooks.example.com#"), "{label}");
        assert_eq!(format!("{webhook:?}"), label);
        for secret in ["services", "s3cret", "key"] {
            assert!(!label.contains(secret), "{label}");
        }
    }

    #[test]
    fn different_webhooks_have_different_labels() {
        let label = |text| Channel::parse(text).unwrap().label();
        assert_ne!(label("webhook:https://example.com/a"), label("webhook:https://example.com/b"));
        assert_eq!(label("webhook:https://EXAMPLE.com/a"), label("webhook:https://example.com/a#there"));
    }

    #[test]
    fn texts_that_are_not_a_channel_are_refused() {
        for text in ["", "ops@example.com", "https://example.com/s3cret", "tel:1"] {
            assert_eq!(Channel::parse(text), Err(ChannelError::Kind), "{text}");
        }
        for text in ["mailto:", "mailto:ops", "mailto:a@b.example,c@d.example", "mailto:a@b.example?cc=c@d.example"] {
            assert!(matches!(Channel::parse(text), Err(ChannelError::Address(_))), "{text}");
        }
        assert!(matches!(Channel::parse("mailto:a@b.example\r\nBcc: c@d.example"), Err(ChannelError::Address(_))));
        for text in ["webhook:", "webhook:/hook", "webhook:ftp://example.com/", "webhook:https://u:s3cret@example.com/"]
        {
            let error = Channel::parse(text).unwrap_err();
            assert!(matches!(error, ChannelError::Webhook(_)), "{text}");
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
        for text in ["slack:", "slack:https://hooks.slack.com/services/T0/s3cret", "slack:a b"] {
            let error = Channel::parse(text).unwrap_err();
            assert_eq!(error, ChannelError::Slack, "{text}");
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
    }
}
