//! Builds the transports of notifications from settings.

use mapwright_crawl::CrawlError;
use mapwright_notify::{NotificationSender, Secret, SenderError, SenderOptions, Smtp};
use mapwright_settings::{NotifySection, SecretText, Settings};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of a certificate file that are read.
const MAX_PEM: u64 = 1 << 20;
/// The time limit of one attempt to deliver a message.
const ATTEMPT: Duration = Duration::from_secs(30);

/// Builds the transports from the section `[notify]`.
pub(crate) fn post(settings: &Settings) -> Result<NotificationSender, CrawlError> {
    let notify = &settings.notify;
    let ca = notify.notify_ca_cert.as_ref().map(|path| pem(path)).transpose()?;
    let smtp = match (&notify.smtp_host, &notify.mail_from) {
        (None, _) => None,
        (Some(_), None) => {
            return Err(CrawlError::setting(NotifySection::mail_from, "e-mail has no sender", "give its address"));
        }
        (Some(host), Some(from)) => Some(Smtp {
            host: host.clone(),
            port: notify
                .smtp_port
                .and_then(|port| u16::try_from(port).ok())
                .unwrap_or(Smtp::usual_port(notify.smtp_tls)),
            tls: notify.smtp_tls,
            user: notify.smtp_user.clone(),
            password: secret(&notify.smtp_password, &notify.smtp_password_file, "smtp-password")?,
            from: from.clone(),
            ca: ca.clone(),
        }),
    };
    let webhook = secret(&notify.webhook_secret, &notify.webhook_secret_file, "webhook-secret")?;
    let proxy = notify.notify_proxy.as_ref().map(|proxy| Secret::new(proxy.as_str()));
    let options = SenderOptions { smtp, webhook_secret: webhook, slack: slack(settings)?, ca, timeout: ATTEMPT, proxy };
    NotificationSender::new(options).map_err(unusable)
}

/// Names the setting at fault if the transports cannot be built.
fn unusable(error: SenderError) -> CrawlError {
    let key = match &error {
        SenderError::Sender(_) => NotifySection::mail_from,
        SenderError::Host(_) => NotifySection::smtp_host,
        SenderError::HalfLogin => NotifySection::smtp_user,
        SenderError::ClearPassword => NotifySection::smtp_tls,
        SenderError::Certificates => NotifySection::notify_ca_cert,
        SenderError::Proxy => NotifySection::notify_proxy,
        SenderError::Slack(_) => NotifySection::slack_url,
        SenderError::Tls(_) | SenderError::Client(_) => {
            return CrawlError::usage("section [notify]", error, "see its settings");
        }
    };
    CrawlError::setting(key, error, "fix the setting")
}

/// Returns the Slack webhook URLs by name.
fn slack(settings: &Settings) -> Result<BTreeMap<String, Secret>, CrawlError> {
    let unnamed = |key: &str| CrawlError::setting(&format!("notify.{key}"), "a URL has no name", "write NAME=…");
    let given = settings.notify.slack_url.iter().map(|text| {
        let (name, url) = text.as_str().split_once('=').ok_or_else(|| unnamed("slack-url"))?;
        Ok::<_, CrawlError>((name.trim().to_owned(), Secret::new(url.trim())))
    });
    let filed = settings.notify.slack_url_file.iter().map(|text| {
        let (name, path) = text.split_once('=').ok_or_else(|| unnamed("slack-url-file"))?;
        Ok((name.trim().to_owned(), from_file(Path::new(path.trim()), NotifySection::slack_url_file)?))
    });
    let mut urls = BTreeMap::new();
    for (key, named) in given.map(|url| ("slack-url", url)).chain(filed.map(|url| ("slack-url-file", url))) {
        let (name, url) = named?;
        if urls.contains_key(&name) {
            let what = format!("`{name}` is given twice");
            return Err(CrawlError::setting(&format!("notify.{key}"), what, "give each name one URL"));
        }
        urls.insert(name, url);
    }
    Ok(urls)
}

/// Reads a secret that is given as text or as a file.
pub(crate) fn secret(
    text: &Option<SecretText>,
    file: &Option<PathBuf>,
    name: &str,
) -> Result<Option<Secret>, CrawlError> {
    match (text, file) {
        (Some(_), Some(_)) => {
            let what = "the secret is given twice";
            Err(CrawlError::setting(&format!("notify.{name}-file"), what, format!("leave it, or {name}")))
        }
        (Some(text), None) => Ok(Some(Secret::new(text.as_str()))),
        (None, Some(path)) => from_file(path, &format!("notify.{name}-file")).map(Some),
        (None, None) => Ok(None),
    }
}

/// Reads a secret from a file.
pub(crate) fn from_file(path: &Path, key: &str) -> Result<Secret, CrawlError> {
    let fault = |error| format!("cannot read `{}` ({error})", path.display());
    Secret::from_file(path).map_err(|error| CrawlError::setting(key, fault(error), "name a file that can be read"))
}

fn pem(path: &Path) -> Result<Vec<u8>, CrawlError> {
    let fault = |what: String| {
        let what = format!("cannot read `{}` ({what})", path.display());
        CrawlError::setting(NotifySection::notify_ca_cert, what, "name a PEM file")
    };
    let size = std::fs::metadata(path).map_err(|error| fault(error.to_string()))?.len();
    if size > MAX_PEM {
        return Err(fault("the file is larger than 1 MiB".to_owned()));
    }
    std::fs::read(path).map_err(|error| fault(error.to_string()))
}
