//! Composes messages as e-mail.

use std::time::SystemTime;

use lettre::Address;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, SinglePart};
use lettre::transport::smtp::extension::ClientId;
use url::Host;

use crate::message::{MAX_SUBJECT, Message};
use crate::sender_error::SenderError;
use crate::undelivered::Undelivered;

/// The sender of e-mail.
#[derive(Clone)]
pub(crate) struct Sender(Mailbox);

impl Sender {
    pub(crate) fn parse(text: &str) -> Result<Sender, SenderError> {
        let refused = || SenderError::Sender(mapwright_text::line(text, 100));
        if text.contains(char::is_control) {
            return Err(refused());
        }
        let Mailbox { name, email } = text.parse().map_err(|_| refused())?;
        let email = in_ascii(email.as_ref()).and_then(|email| email.parse().ok()).ok_or_else(refused)?;
        Ok(Sender(Mailbox { name, email }))
    }

    /// Returns the name for EHLO: the sender's domain, because some servers require a name that exists.
    pub(crate) fn hello(&self) -> ClientId {
        let domain = self.0.email.domain();
        let plain = domain.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
        if plain { ClientId::Domain(domain.to_owned()) } else { ClientId::default() }
    }
}

/// Returns an address with its domain in ASCII, which all mail servers accept (RFC 5890, A-labels).
pub(crate) fn in_ascii(text: &str) -> Option<String> {
    if text.is_ascii() {
        return Some(text.to_owned());
    }
    let (name, domain) = text.rsplit_once('@')?;
    match Host::parse(domain).ok()? {
        Host::Domain(domain) => Some(format!("{name}@{domain}")),
        Host::Ipv4(_) | Host::Ipv6(_) => None,
    }
}

/// Composes a message to one address: plain text, with the same `Message-ID` and `Date` each time it is sent.
pub(crate) fn compose(sender: &Sender, address: &str, message: &Message) -> Result<lettre::Message, Undelivered> {
    let address: Address =
        address.parse().map_err(|_| Undelivered::permanent(&format!("`{address}` is not an e-mail address")))?;
    let id: String = message.id.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')).collect();
    let domain = sender.0.email.domain();
    lettre::Message::builder()
        .from(sender.0.clone())
        .to(Mailbox::new(None, address))
        .subject(mapwright_text::line(&message.subject, MAX_SUBJECT))
        .date(SystemTime::from(message.scheduled_for))
        .message_id(Some(format!("<{id}@{domain}>")))
        .raw_header(raw("X-Mapwright-Delivery", id.clone()))
        // RFC 3834: prevents automatic replies, such as absence notes.
        .raw_header(raw("Auto-Submitted", "auto-generated".to_owned()))
        .singlepart(SinglePart::builder().header(ContentType::TEXT_PLAIN).body(message.text.clone()))
        .map_err(|error| Undelivered::permanent(&format!("the e-mail cannot be written: {error}")))
}

fn raw(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

#[cfg(test)]
mod tests {
    use super::Sender;

    #[test]
    fn a_sender_is_written_in_ascii_for_all_servers() {
        let sender = Sender::parse("Wärter <maps@müller.example>").unwrap();
        assert_eq!(sender.0.email.domain(), "xn--mller-kva.example");
        assert_eq!(sender.0.name.as_deref(), Some("Wärter"));
        assert!(Sender::parse("maps@[::ü]").is_err());
    }
}
