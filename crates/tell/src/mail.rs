//! E-mail.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use crate::email::{Sender, compose};
use crate::message::Message;
use crate::post::PostError;
use crate::secret::Secret;
use crate::talk::Talk;
use crate::trust::Trust;
use crate::undelivered::{Undelivered, cause};

/// How long the end of a conversation may take once the message has arrived.
const GOODBYE: Duration = Duration::from_secs(2);

/// The server that takes e-mail.
#[derive(Clone, Debug)]
pub struct Smtp {
    /// Its name, or its address.
    pub host: String,
    /// Its port: 465 is usual for implicit TLS, 587 for STARTTLS, 25 for neither.
    pub port: u16,
    /// How the conversation is protected.
    pub tls: Tls,
    /// Who logs in, where the server wants that.
    pub user: Option<String>,
    /// The password for that.
    pub password: Option<Secret>,
    /// The sender: an address, or a name with an address in angle brackets.
    pub from: String,
    /// Certificates (PEM) that the server is trusted by in place of those of the system.
    pub ca: Option<Vec<u8>>,
}

/// How a conversation with a mail server is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tls {
    /// From the first byte (RFC 8314).
    Implicit,
    /// After the greeting (RFC 3207); a server that cannot is not talked to any further.
    StartTls,
    /// Not at all. A password is then sent to this machine alone.
    None,
}

/// Sends e-mail.
#[derive(Clone)]
pub(crate) struct Mailer {
    host: String,
    port: u16,
    cover: Cover,
    login: Option<Credentials>,
    sender: Sender,
    timeout: Duration,
    password: Option<Secret>,
}

/// [`Tls`] with what it takes.
#[derive(Clone)]
enum Cover {
    Implicit(Arc<ClientConfig>, ServerName<'static>),
    StartTls(TlsParameters),
    None,
}

impl Mailer {
    pub(crate) fn new(smtp: Smtp, timeout: Duration) -> Result<Mailer, PostError> {
        let name = ServerName::try_from(smtp.host.clone())
            .map_err(|_| PostError::Host(crate::visible::line(&smtp.host, 100)))?;
        let trust = Trust::new(smtp.ca.as_deref());
        let cover = match smtp.tls {
            Tls::Implicit => Cover::Implicit(Arc::new(trust.implicit()?), name),
            Tls::StartTls => Cover::StartTls(trust.starttls(&smtp.host)?),
            Tls::None if smtp.password.is_some() && !is_here(&smtp.host) => return Err(PostError::ClearPassword),
            Tls::None => Cover::None,
        };
        let login = match (smtp.user, &smtp.password) {
            (Some(user), Some(password)) => Some(Credentials::new(user, password.expose().to_owned())),
            (None, None) => None,
            _ => return Err(PostError::HalfLogin),
        };
        let sender = Sender::parse(&smtp.from)?;
        Ok(Mailer { host: smtp.host, port: smtp.port, cover, login, sender, timeout, password: smtp.password })
    }

    /// Sends a message to one address.
    pub(crate) async fn deliver(&self, address: &str, message: &Message) -> Result<(), Undelivered> {
        let email = compose(&self.sender, address, message)?;
        let (envelope, bytes) = (email.envelope().clone(), email.formatted());
        let sending = async {
            let mut connection = self.connect().await?;
            connection.send(&envelope, &bytes).await.map_err(|error| self.failure(&error))?;
            Ok(connection)
        };
        let late = || Undelivered::passing("the mail server did not answer in time");
        let mut connection = timeout(self.timeout, sending).await.map_err(|_| late())??;
        // The server has the message, whatever becomes of the goodbye.
        let _ = timeout(GOODBYE, connection.quit()).await;
        Ok(())
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Undelivered> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await;
        let stream = stream.map_err(|error| self.unreachable(&error))?;
        let peer = stream.peer_addr().map_err(|error| self.unreachable(&error))?;
        let hello = self.sender.hello();
        let failure = |error| self.failure(&error);
        let mut connection = match &self.cover {
            Cover::Implicit(config, name) => {
                let secured = TlsConnector::from(config.clone()).connect(name.clone(), stream).await;
                let secured = secured.map_err(|error| self.unreachable(&error))?;
                greet(Talk::new(secured, peer), &hello).await.map_err(failure)?
            }
            Cover::StartTls(parameters) => {
                let mut connection = greet(Talk::new(stream, peer), &hello).await.map_err(failure)?;
                connection.starttls(parameters.clone(), &hello).await.map_err(failure)?;
                connection
            }
            Cover::None => greet(Talk::new(stream, peer), &hello).await.map_err(failure)?,
        };
        if let Some(login) = &self.login {
            let mechanisms = [Mechanism::Plain, Mechanism::Login];
            connection.auth(&mechanisms, login).await.map_err(|error| refused_login(&error))?;
        }
        Ok(connection)
    }

    fn unreachable(&self, error: &std::io::Error) -> Undelivered {
        Undelivered::passing(&format!(
            "the mail server {}:{} cannot be talked to: {}",
            self.host,
            self.port,
            cause(error)
        ))
    }

    /// What the server says is quoted, but for the password, should it repeat that.
    fn failure(&self, error: &SmtpError) -> Undelivered {
        let mut said = cause(error);
        if let Some(password) = &self.password {
            said = said.replace(password.expose(), "(secret)");
        }
        match error.status() {
            Some(code) if error.is_permanent() => {
                Undelivered::lasting(&format!("the mail server refuses: {code} {said}"))
            }
            Some(code) => Undelivered::passing(&format!("the mail server refuses for now: {code} {said}")),
            None => Undelivered::passing(&format!("the mail server cannot be talked to: {said}")),
        }
    }
}

/// Nothing of what the server says is quoted here: it has just been told the password, in more than one form.
fn refused_login(error: &SmtpError) -> Undelivered {
    match error.status() {
        Some(code) if error.is_permanent() => {
            // It is for the operator to mend, and letters wait so long.
            Undelivered::passing(&format!("the mail server refuses the user or the password ({code})"))
        }
        Some(code) => Undelivered::passing(&format!("the mail server lets nobody log in for now ({code})")),
        None => Undelivered::passing("the mail server offers no way to log in that is known (PLAIN, LOGIN)"),
    }
}

async fn greet<S>(talk: Talk<S>, hello: &ClientId) -> Result<AsyncSmtpConnection, SmtpError>
where
    Talk<S>: lettre::transport::smtp::client::AsyncTokioStream + 'static,
{
    AsyncSmtpConnection::connect_with_transport(Box::new(talk), hello).await
}

/// Whether a host is this machine.
fn is_here(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}
