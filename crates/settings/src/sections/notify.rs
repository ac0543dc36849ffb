//! `[notify]`: whom to tell what changed, and by what.

use crate::definition::{Audience, section};
use crate::kind::Kind;
use crate::values::{ProxyUrl, SecretText, SmtpTls};
use std::path::PathBuf;

section! {
    /// Whom to tell what changed, and by what. Nothing is said of a night in which nothing did.
    pub struct NotifySection in Notify;

    /// Tell this receiver: `mailto:ADDRESS`, `webhook:URL`, or `slack:NAME` for the URL that `--slack-url` names so.
    tell: Vec<String> = "", Kind::Place { name: "RECEIVER", example: "mailto:web@example.com" }, Audience::JOB;

    /// Ask for this URL after each night that went well: a watchdog elsewhere misses it when none does.
    ///
    /// No message can tell that this machine, or the service on it, is down. Services such as healthchecks.io, or
    /// monitors of one's own, raise an alarm when a URL has not been asked for in time.
    heartbeat: Option<String> = "", Kind::Place { name: "URL", example: "https://watch.example/ping/shop" },
        Audience::JOB;

    /// The server that sends e-mail.
    smtp_host: Option<String> = "", Kind::Text { name: "HOST", example: "mail.example.com" }, Audience::TELLING;

    /// Its port; without it, 587 for `starttls`, 465 for `implicit`, 25 for `none`.
    smtp_port: Option<u32> = "", Kind::Count { min: 1, max: 65_535 }, Audience::TELLING;

    /// How the connection to it is protected.
    smtp_tls: SmtpTls = "starttls", Kind::Choice(SmtpTls::WORDS), Audience::TELLING;

    /// The user to log in there as.
    smtp_user: Option<String> = "", Kind::Text { name: "USER", example: "mapwright" }, Audience::TELLING;

    /// The password of that user.
    smtp_password: Option<SecretText> = "", Kind::Secret { example: "correct horse battery staple" },
        Audience::TELLING, secret true;

    /// A file that holds the password of that user.
    smtp_password_file: Option<PathBuf> = "", Kind::Path { name: "FILE", example: "/etc/mapwright/smtp-password" },
        Audience::TELLING;

    /// The sender of e-mail.
    mail_from: Option<String> = "", Kind::Text { name: "ADDRESS", example: "mapwright@example.com" },
        Audience::TELLING;

    /// What webhooks are signed with.
    webhook_secret: Option<SecretText> = "", Kind::Secret { example: "correct horse battery staple" },
        Audience::TELLING, secret true;

    /// A file that holds what webhooks are signed with.
    webhook_secret_file: Option<PathBuf> = "", Kind::Path { name: "FILE", example: "/etc/mapwright/webhook-secret" },
        Audience::TELLING;

    /// A name, and the URL of an incoming webhook of Slack (or of what takes the same messages): `ops=https://…`.
    slack_url: Vec<SecretText> = "", Kind::Secret { example: "ops=https://hooks.slack.example/services/T00/B00/example" },
        Audience::TELLING, secret true;

    /// A name, and a file that holds such a URL.
    slack_url_file: Vec<String> = "", Kind::Text { name: "NAME=FILE", example: "ops=/etc/mapwright/slack-ops" },
        Audience::TELLING;

    /// Reach webhooks, Slack, watchdogs and search engines through this proxy, `http://HOST:PORT`. E-mail goes without.
    notify_proxy: Option<ProxyUrl> = "", Kind::Proxy, Audience::TELLING, secret true;

    /// Trust this certificate too when telling, PEM.
    notify_ca_cert: Option<PathBuf> = "", Kind::Path { name: "FILE", example: "/etc/mapwright/ca.pem" },
        Audience::TELLING;
}
