//! Delivers messages by e-mail.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::Starttls;
use lettre::transport::smtp::extension::ClientId;
use mapwright_settings::SmtpTls;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use crate::email::{Sender, compose};
use crate::message::Message;
use crate::secret::Secret;
use crate::sender_error::SenderError;
use crate::smtp_stream::SmtpStream;
use crate::trust::trusting;
use crate::undelivered::{Undelivered, cause};

/// The time limit for closing a session after the message was accepted.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// The mail server.
#[derive(Clone, Debug)]
pub struct Smtp {
    /// Its host name or address.
    pub host: String,
    /// Its port: 465 is usual for implicit TLS, 587 for STARTTLS, 25 for neither.
    pub port: u16,
    /// The protection of the session.
    pub tls: SmtpTls,
    /// The user, if the server requires a login.
    pub user: Option<String>,
    /// The password of the user.
    pub password: Option<Secret>,
    /// The sender: an address, or a name with an address in angle brackets.
    pub from: String,
    /// Certificates (PEM) that are trusted for the server in place of those of the system.
    pub ca: Option<Vec<u8>>,
}

impl Smtp {
    /// Returns the port that is usual for this protection (RFC 8314, sections 3.3 and 7; RFC 5321).
    #[must_use]
    pub fn usual_port(tls: SmtpTls) -> u16 {
        match tls {
            SmtpTls::Implicit => 465,
            SmtpTls::Starttls => 587,
            SmtpTls::None => 25,
        }
    }
}

/// A sender of e-mail.
#[derive(Clone)]
pub(crate) struct Mailer {
    host: String,
    port: u16,
    cover: TlsConfig,
    login: Option<Credentials>,
    sender: Sender,
    timeout: Duration,
    password: Option<Secret>,
}

/// A [`SmtpTls`] mode with its configuration.
#[derive(Clone)]
enum TlsConfig {
    Implicit(Arc<ClientConfig>, ServerName<'static>),
    StartTls(Arc<ClientConfig>, ServerName<'static>),
    None,
}

impl Mailer {
    pub(crate) fn new(smtp: Smtp, timeout: Duration) -> Result<Mailer, SenderError> {
        let name = ServerName::try_from(smtp.host.clone())
            .map_err(|_| SenderError::Host(mapwright_text::line(&smtp.host, 100)))?;
        let trust = || trusting(smtp.ca.as_deref()).map(Arc::new);
        let cover = match smtp.tls {
            SmtpTls::Implicit => TlsConfig::Implicit(trust()?, name),
            SmtpTls::Starttls => TlsConfig::StartTls(trust()?, name),
            SmtpTls::None if smtp.password.is_some() && !is_here(&smtp.host) => return Err(SenderError::ClearPassword),
            SmtpTls::None => TlsConfig::None,
        };
        let login = match (smtp.user, &smtp.password) {
            (Some(user), Some(password)) => Some(Credentials::new(user, password.expose().to_owned())),
            (None, None) => None,
            _ => return Err(SenderError::HalfLogin),
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
        let late = || Undelivered::transient("the mail server did not answer in time");
        let mut connection = timeout(self.timeout, sending).await.map_err(|_| late())??;
        // The server has accepted the message, whatever the result of QUIT.
        let _ = timeout(QUIT_TIMEOUT, connection.quit()).await;
        Ok(())
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Undelivered> {
        let hello = self.sender.hello();
        let (stream, peer) = self.dial().await.map_err(|error| self.unreachable(&error))?;
        let mut connection = match &self.cover {
            TlsConfig::Implicit(config, name) => {
                let secured = TlsConnector::from(config.clone()).connect(name.clone(), stream).await;
                let secured = secured.map_err(|error| self.unreachable(&error))?;
                self.greet(SmtpStream::new(secured, peer), &hello).await?
            }
            TlsConfig::StartTls(config, name) => {
                let stream = self.start_tls(stream, peer, &hello).await?;
                let secured = TlsConnector::from(config.clone()).connect(name.clone(), stream).await;
                let secured = secured.map_err(|error| self.unreachable(&error))?;
                self.greet(SmtpStream::secured(secured, peer), &hello).await?
            }
            TlsConfig::None => self.greet(SmtpStream::new(stream, peer), &hello).await?,
        };
        if let Some(login) = &self.login {
            let mechanisms = [Mechanism::Plain, Mechanism::Login];
            connection.auth(&mechanisms, login).await.map_err(|error| refused_login(&error))?;
        }
        Ok(connection)
    }

    async fn dial(&self) -> io::Result<(TcpStream, SocketAddr)> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        let peer = stream.peer_addr()?;
        Ok((stream, peer))
    }

    /// Sends STARTTLS (RFC 3207) and returns the stream, ready for the handshake. Plain text that an attacker injects
    /// after the answer stays in the stream: it is not read as an answer under TLS, but breaks the handshake.
    async fn start_tls(&self, stream: TcpStream, peer: SocketAddr, hello: &ClientId) -> Result<TcpStream, Undelivered> {
        let (stream, clone) = clone_stream(stream).map_err(|error| self.unreachable(&error))?;
        let mut connection = self.greet(SmtpStream::careful(clone, peer), hello).await?;
        if !connection.can_starttls() {
            return Err(Undelivered::transient("the mail server offers no STARTTLS"));
        }
        connection.command(Starttls).await.map_err(|error| self.refused_entirely(&error))?;
        Ok(stream)
    }

    async fn greet<S>(&self, smtp_stream: SmtpStream<S>, hello: &ClientId) -> Result<AsyncSmtpConnection, Undelivered>
    where
        SmtpStream<S>: lettre::transport::smtp::client::AsyncTokioStream + 'static,
    {
        let greeted = AsyncSmtpConnection::connect_with_transport(Box::new(smtp_stream), hello).await;
        greeted.map_err(|error| self.refused_entirely(&error))
    }

    fn unreachable(&self, error: &std::io::Error) -> Undelivered {
        Undelivered::transient(&format!(
            "the mail server {}:{} cannot be reached: {}",
            self.host,
            self.port,
            cause(error)
        ))
    }

    /// Builds the failure from an answer of the server, which is quoted with the password replaced.
    fn failure(&self, error: &SmtpError) -> Undelivered {
        let mut said = cause(error);
        if let Some(password) = &self.password {
            said = said.replace(password.expose(), "(secret)");
        }
        match error.status() {
            Some(code) if error.is_permanent() => {
                let what = format!("the mail server refuses: {code} {said}");
                // The server requires a login or TLS (RFC 4954, 6; RFC 3207, 4): not a fault of the message.
                let is_ours = ["530", "534", "535", "538"].contains(&code.to_string().as_str());
                if is_ours { Undelivered::transient(&what) } else { Undelivered::permanent(&what) }
            }
            Some(code) => Undelivered::transient(&format!("the mail server refuses for now: {code} {said}")),
            None => Undelivered::transient(&format!("the mail server cannot be reached: {said}")),
        }
    }

    /// Builds the failure for a refused session. The server has not seen the message, so it waits for a fix.
    fn refused_entirely(&self, error: &SmtpError) -> Undelivered {
        Undelivered { permanent: false, ..self.failure(error) }
    }
}

/// Returns two handles of one stream.
fn clone_stream(stream: TcpStream) -> io::Result<(TcpStream, TcpStream)> {
    let stream = stream.into_std()?;
    let clone = stream.try_clone()?;
    Ok((TcpStream::from_std(stream)?, TcpStream::from_std(clone)?))
}

/// Builds the failure of a login. The answer is not quoted, because the server has received the password in several
/// forms.
fn refused_login(error: &SmtpError) -> Undelivered {
    match error.status() {
        Some(code) if error.is_permanent() => {
            // The operator can fix this, and the notifications wait until then.
            Undelivered::transient(&format!("the mail server refuses the user or the password ({code})"))
        }
        Some(code) => Undelivered::transient(&format!("the mail server lets nobody log in for now ({code})")),
        None if error.is_client() => {
            Undelivered::transient("the mail server offers no way to log in that is known (PLAIN, LOGIN)")
        }
        None => Undelivered::transient("the connection to the mail server broke while logging in"),
    }
}

/// Returns whether a host is this machine.
fn is_here(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}
