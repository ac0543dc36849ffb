//! Delivering messages.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::channel::Channel;
use crate::heartbeat::Heartbeat;
use crate::mail::{Mailer, Smtp};
use crate::message::Message;
use crate::secret::Secret;
use crate::undelivered::Undelivered;
use crate::webhook::Poster;
use url::Url;

/// Waits between the attempts to reach a watchdog.
const BEATS: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(10)];
/// Time for all of them: a night does not wait long for it.
const LONGEST_BEAT: Duration = Duration::from_secs(15);

/// How messages are delivered.
#[derive(Clone, Debug)]
pub struct PostOptions {
    /// The server that takes e-mail; without one, e-mail is not delivered.
    pub smtp: Option<Smtp>,
    /// Signs the bodies of webhooks; without it they are not signed.
    pub webhook_secret: Option<Secret>,
    /// The secret URLs of Slack-compatible webhooks, by the names that channels call them.
    pub slack: BTreeMap<String, Secret>,
    /// The URL of the proxy for webhooks and Slack. No variable of the environment is looked at.
    pub proxy: Option<Secret>,
    /// Certificates (PEM) that webhooks and Slack are trusted by besides those of the system.
    pub ca: Option<Vec<u8>>,
    /// How long one delivery may take in all: connecting, sending, and the answer.
    pub timeout: Duration,
}

impl Default for PostOptions {
    /// Nothing set, and 30 seconds for a delivery.
    fn default() -> PostOptions {
        PostOptions {
            smtp: None,
            webhook_secret: None,
            slack: BTreeMap::new(),
            proxy: None,
            ca: None,
            timeout: Duration::from_secs(30),
        }
    }
}

/// Options that nothing can be delivered with. Messages name the option and never a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    /// The sender's address cannot be used.
    #[error("`{0}` cannot be the sender of e-mail: write an address, as in mapwright@example.com")]
    Sender(String),
    /// The name of the mail server cannot be used.
    #[error("`{0}` is not the name of a mail server: write a host name or an address, without a port")]
    Host(String),
    /// A user without a password, or a password without a user.
    #[error("the mail server needs both a user and a password, or neither")]
    HalfLogin,
    /// A password that would be sent in the clear.
    #[error("the password for the mail server would be sent without TLS: use TLS, implicit or by STARTTLS")]
    ClearPassword,
    /// Certificates that cannot be read.
    #[error("the CA certificates cannot be read: give a file of PEM certificates")]
    Certificates,
    /// A proxy that cannot be used.
    #[error("the proxy for webhooks is not a URL that can be used: write it as in http://proxy.example.com:3128")]
    Proxy,
    /// A secret URL that is none.
    #[error("the secret of slack:{0} is not a URL: it must be the whole https URL of the incoming webhook")]
    Slack(String),
    /// TLS cannot be used.
    #[error("TLS cannot be used: {0}")]
    Tls(String),
    /// The HTTP client cannot be made.
    #[error("the HTTP client cannot be made: {0}")]
    Client(String),
}

/// Delivers messages, each at once and once: trying again is the business of the [outbox](crate::Outbox).
#[derive(Clone)]
pub struct Post {
    mail: Option<Mailer>,
    poster: Poster,
    slack: BTreeMap<String, Secret>,
}

impl Post {
    /// Checks the options. Nothing is connected to yet.
    ///
    /// # Errors
    /// Where nothing can be delivered with them.
    pub fn new(options: PostOptions) -> Result<Post, PostError> {
        let PostOptions { smtp, webhook_secret, slack, proxy, ca, timeout } = options;
        let mail = smtp.map(|smtp| Mailer::new(smtp, timeout)).transpose()?;
        let poster = Poster::new(timeout, webhook_secret, proxy.as_ref(), ca.as_deref())?;
        if let Some((name, _)) = slack.iter().find(|(_, url)| !is_http(url)) {
            return Err(PostError::Slack(name.clone()));
        }
        Ok(Post { mail, poster, slack })
    }

    /// Delivers a message: `Ok` where the receiver said that it has it.
    ///
    /// A failure may still have delivered it, where the connection broke or the time ran out before the answer; see
    /// [`Outbox`](crate::Outbox) for how receivers tell.
    ///
    /// # Errors
    /// Where it was not delivered, or nobody knows whether it was.
    pub async fn deliver(&self, channel: &Channel, message: &Message) -> Result<(), Undelivered> {
        match self.way(channel)? {
            Way::Mail(mailer, address) => mailer.deliver(address, message).await,
            Way::Webhook(url) => self.poster.webhook(url, message).await,
            Way::Slack(url) => self.poster.slack(url, message).await,
        }
    }

    /// Whether there is what messages to this channel are delivered by.
    ///
    /// # Errors
    /// Where it is not set.
    pub fn reaches(&self, channel: &Channel) -> Result<(), Undelivered> {
        self.way(channel).map(drop)
    }

    fn way<'a>(&'a self, channel: &'a Channel) -> Result<Way<'a>, Undelivered> {
        match channel {
            Channel::Mail(address) => match &self.mail {
                Some(mailer) => Ok(Way::Mail(mailer, address)),
                None => Err(Undelivered::passing("no mail server is set (smtp-host)")),
            },
            Channel::Webhook(url) => Ok(Way::Webhook(url)),
            Channel::Slack(name) => match self.slack.get(name) {
                Some(url) => Ok(Way::Slack(url)),
                None => Err(Undelivered::passing(&format!("no secret URL is set for slack:{name} (slack-url)"))),
            },
        }
    }
}

/// What a message goes by.
enum Way<'a> {
    Mail(&'a Mailer, &'a str),
    Webhook(&'a Url),
    Slack(&'a Secret),
}

impl Post {
    /// Asks for the URL of a watchdog (GET), which raises an alarm when nobody has asked for a while. Tries
    /// again twice, after 2 and 10 seconds, where that may help.
    ///
    /// # Errors
    /// Where it was never answered with success.
    pub async fn beat(&self, heartbeat: &Heartbeat) -> Result<(), Undelivered> {
        let tries = async {
            for pause in BEATS {
                match self.poster.get(heartbeat.url()).await {
                    Err(failure) if !failure.lasting => tokio::time::sleep(pause).await,
                    settled => return settled,
                }
            }
            self.poster.get(heartbeat.url()).await
        };
        let silent = |_| Err(Undelivered::passing("the watchdog did not answer in time"));
        tokio::time::timeout(LONGEST_BEAT, tries).await.unwrap_or_else(silent)
    }
}

impl fmt::Debug for Post {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Post").field("mail", &self.mail.is_some()).field("slack", &self.slack).finish_non_exhaustive()
    }
}

fn is_http(url: &Secret) -> bool {
    url::Url::parse(url.expose()).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}
