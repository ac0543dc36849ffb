//! `[notify]`: notifications about changes, and how they are sent.

use crate::commands::OptionCommands;
use crate::kind::ValueKind;
use crate::section_macro::section;
use crate::values::{ProxyUrl, SecretText, SmtpTls};
use std::path::PathBuf;

section! {
    /// Notifications about changes, and how they are sent. A run without changes sends none.
    pub struct NotifySection in Notify;

    /// Notify this receiver: `mailto:ADDRESS`, `webhook:URL`, or `slack:NAME` for the URL that `--slack-url` gives this
    /// name.
    to: Vec<String> = "",
        kind ValueKind::Place { name: "RECEIVER", example: "mailto:web@example.com" }, for OptionCommands::JOB;

    /// Request this URL after each successful run, so that an external watchdog notices when no run succeeds.
    ///
    /// No notification can report that this machine, or the service on it, is down. Services such as healthchecks.io,
    /// or your own monitors, raise an alarm when the URL is not requested in time.
    heartbeat: Option<String> = "",
        kind ValueKind::Place { name: "URL", example: "https://watch.example/ping/shop" }, for OptionCommands::JOB;

    /// The server that sends e-mail.
    smtp_host: Option<String> = "",
        kind ValueKind::Text { name: "HOST", example: "mail.example.com" }, for OptionCommands::NOTIFICATIONS;

    /// The port of the mail server; without it, 587 for `starttls`, 465 for `implicit`, 25 for `none`.
    smtp_port: Option<u32> = "", kind ValueKind::Count { min: 1, max: 65_535 }, for OptionCommands::NOTIFICATIONS;

    /// The protection of the connection to the mail server.
    smtp_tls: SmtpTls = "starttls", for OptionCommands::NOTIFICATIONS;

    /// The user to log in to the mail server as.
    smtp_user: Option<String> = "",
        kind ValueKind::Text { name: "USER", example: "mapwright" }, for OptionCommands::NOTIFICATIONS;

    /// The password of that user.
    smtp_password: Option<SecretText> = "",
        kind ValueKind::Secret { example: "correct horse battery staple" },
        for OptionCommands::NOTIFICATIONS, secret true;

    /// A file that holds the password of that user.
    smtp_password_file: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "/etc/mapwright/smtp-password" },
        for OptionCommands::NOTIFICATIONS;

    /// The sender of e-mail.
    mail_from: Option<String> = "",
        kind ValueKind::Text { name: "ADDRESS", example: "mapwright@example.com" }, for OptionCommands::NOTIFICATIONS;

    /// The secret that webhooks are signed with.
    webhook_secret: Option<SecretText> = "",
        kind ValueKind::Secret { example: "correct horse battery staple" },
        for OptionCommands::NOTIFICATIONS, secret true;

    /// A file that holds the secret that webhooks are signed with.
    webhook_secret_file: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "/etc/mapwright/webhook-secret" },
        for OptionCommands::NOTIFICATIONS;

    /// A name, and the URL of an incoming webhook of Slack (or of a service that accepts the same messages):
    /// `ops=https://…`.
    slack_url: Vec<SecretText> = "",
        kind ValueKind::Secret { example: "ops=https://hooks.slack.example/services/T00/B00/example" },
        for OptionCommands::NOTIFICATIONS, secret true;

    /// A name, and a file that holds such a URL.
    slack_url_file: Vec<String> = "",
        kind ValueKind::Text { name: "NAME=FILE", example: "ops=/etc/mapwright/slack-ops" },
        for OptionCommands::NOTIFICATIONS;

    /// Reach webhooks, Slack, watchdogs and search engines through this proxy, `http://HOST:PORT`. E-mail does not use
    /// it.
    notify_proxy: Option<ProxyUrl> = "", for OptionCommands::NOTIFICATIONS, secret true;

    /// Trust this certificate too when sending notifications, PEM.
    notify_ca_cert: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "/etc/mapwright/ca.pem" }, for OptionCommands::NOTIFICATIONS;
}
