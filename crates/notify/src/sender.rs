//! Delivers messages to their channels.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::channel::Channel;
use crate::heartbeat::Heartbeat;
use crate::message::Message;
use crate::secret::Secret;
use crate::sender_error::SenderError;
use crate::smtp::{Mailer, Smtp};
use crate::undelivered::Undelivered;
use crate::webhook::Poster;
use url::Url;

/// The options of delivery.
#[derive(Clone, Debug)]
pub struct SenderOptions {
    /// The mail server; without one, e-mail is not delivered.
    pub smtp: Option<Smtp>,
    /// The secret that signs the bodies of webhooks; without it they are not signed.
    pub webhook_secret: Option<Secret>,
    /// The secret URLs of Slack-compatible webhooks, by their names in channels.
    pub slack: BTreeMap<String, Secret>,
    /// The URL of the proxy for webhooks and Slack. Environment variables are not read.
    pub proxy: Option<Secret>,
    /// Certificates (PEM) that are trusted for webhooks and Slack in addition to those of the system.
    pub ca: Option<Vec<u8>>,
    /// The time limit of one delivery in all: connecting, sending, and the answer.
    pub timeout: Duration,
}

impl Default for SenderOptions {
    /// Returns options with nothing set, and 30 seconds for a delivery.
    fn default() -> SenderOptions {
        SenderOptions {
            smtp: None,
            webhook_secret: None,
            slack: BTreeMap::new(),
            proxy: None,
            ca: None,
            timeout: Duration::from_secs(30),
        }
    }
}

/// Delivers messages, each at once and once. The [outbox](crate::Outbox) retries.
#[derive(Clone)]
pub struct NotificationSender {
    mail: Option<Mailer>,
    poster: Poster,
    slack: BTreeMap<String, Secret>,
}

impl NotificationSender {
    /// Checks the options. Does not connect yet.
    ///
    /// # Errors
    /// If they cannot be used for delivery.
    pub fn new(options: SenderOptions) -> Result<NotificationSender, SenderError> {
        let SenderOptions { smtp, webhook_secret, slack, proxy, ca, timeout } = options;
        let mail = smtp.map(|smtp| Mailer::new(smtp, timeout)).transpose()?;
        let poster = Poster::new(timeout, webhook_secret, proxy.as_ref(), ca.as_deref())?;
        if let Some((name, _)) = slack.iter().find(|(_, url)| !is_http(url)) {
            return Err(SenderError::Slack(name.clone()));
        }
        Ok(NotificationSender { mail, poster, slack })
    }

    /// Delivers a message. Returns `Ok` if the receiver confirmed it.
    ///
    /// A failed delivery may still have arrived, if the connection broke or the time ran out before the answer; see
    /// [`Outbox`](crate::Outbox) for how receivers recognise a repetition.
    ///
    /// # Errors
    /// If it was not delivered, or that is not known.
    pub async fn deliver(&self, channel: &Channel, message: &Message) -> Result<(), Undelivered> {
        match self.transport(channel)? {
            Transport::Mail(mailer, address) => mailer.deliver(address, message).await,
            Transport::Webhook(url) => self.poster.webhook(url, message).await,
            Transport::Slack(url) => self.poster.slack(url, message).await,
        }
    }

    /// Checks that the transport for this channel is configured.
    ///
    /// # Errors
    /// If it is not.
    pub fn reaches(&self, channel: &Channel) -> Result<(), Undelivered> {
        self.transport(channel).map(drop)
    }

    fn transport<'a>(&'a self, channel: &'a Channel) -> Result<Transport<'a>, Undelivered> {
        match channel {
            Channel::Mail(address) => match &self.mail {
                Some(mailer) => Ok(Transport::Mail(mailer, address)),
                None => Err(Undelivered::transient("no mail server is set (smtp-host)")),
            },
            Channel::Webhook(url) => Ok(Transport::Webhook(url)),
            Channel::Slack(name) => match self.slack.get(name) {
                Some(url) => Ok(Transport::Slack(url)),
                None => Err(Undelivered::transient(&format!("no secret URL is set for slack:{name} (slack-url)"))),
            },
        }
    }
}

/// The transport of a message.
enum Transport<'a> {
    Mail(&'a Mailer, &'a str),
    Webhook(&'a Url),
    Slack(&'a Secret),
}

impl NotificationSender {
    /// Sends a heartbeat: a GET of the URL of a watchdog, which raises an alarm if it gets none for a while. Tries
    /// again twice, after 2 and 10 seconds, if the failure may pass.
    ///
    /// # Errors
    /// If no attempt succeeded.
    pub async fn beat(&self, heartbeat: &Heartbeat) -> Result<(), Undelivered> {
        heartbeat.send(&self.poster).await
    }
}

impl fmt::Debug for NotificationSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NotificationSender")
            .field("mail", &self.mail.is_some())
            .field("slack", &self.slack)
            .finish_non_exhaustive()
    }
}

fn is_http(url: &Secret) -> bool {
    url::Url::parse(url.expose()).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}
