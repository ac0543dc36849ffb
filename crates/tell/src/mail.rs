//! E-mail.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::Starttls;
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
use crate::trust::trusting;
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
    StartTls(Arc<ClientConfig>, ServerName<'static>),
    None,
}

impl Mailer {
    pub(crate) fn new(smtp: Smtp, timeout: Duration) -> Result<Mailer, PostError> {
        let name = ServerName::try_from(smtp.host.clone())
            .map_err(|_| PostError::Host(crate::visible::line(&smtp.host, 100)))?;
        let trust = || trusting(smtp.ca.as_deref()).map(Arc::new);
        let cover = match smtp.tls {
            Tls::Implicit => Cover::Implicit(trust()?, name),
            Tls::StartTls => Cover::StartTls(trust()?, name),
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
        let hello = self.sender.hello();
        let (stream, peer) = self.dial().await.map_err(|error| self.unreachable(&error))?;
        let mut connection = match &self.cover {
            Cover::Implicit(config, name) => {
                let secured = TlsConnector::from(config.clone()).connect(name.clone(), stream).await;
                let secured = secured.map_err(|error| self.unreachable(&error))?;
                self.greet(Talk::new(secured, peer), &hello).await?
            }
            Cover::StartTls(config, name) => {
                let stream = self.start_tls(stream, peer, &hello).await?;
                let secured = TlsConnector::from(config.clone()).connect(name.clone(), stream).await;
                let secured = secured.map_err(|error| self.unreachable(&error))?;
                self.greet(Talk::secured(secured, peer), &hello).await?
            }
            Cover::None => self.greet(Talk::new(stream, peer), &hello).await?,
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

    /// Asks for TLS (RFC 3207); the stream is then ready to be secured. What somebody puts behind the answer, in the
    /// clear, stays in the stream, where it is not taken for an answer given under TLS, but breaks the handshake.
    async fn start_tls(&self, stream: TcpStream, peer: SocketAddr, hello: &ClientId) -> Result<TcpStream, Undelivered> {
        let (stream, twin) = twins(stream).map_err(|error| self.unreachable(&error))?;
        let mut asking = self.greet(Talk::careful(twin, peer), hello).await?;
        if !asking.can_starttls() {
            return Err(Undelivered::passing("the mail server offers no STARTTLS"));
        }
        asking.command(Starttls).await.map_err(|error| self.refused_as_a_whole(&error))?;
        Ok(stream)
    }

    async fn greet<S>(&self, talk: Talk<S>, hello: &ClientId) -> Result<AsyncSmtpConnection, Undelivered>
    where
        Talk<S>: lettre::transport::smtp::client::AsyncTokioStream + 'static,
    {
        let greeted = AsyncSmtpConnection::connect_with_transport(Box::new(talk), hello).await;
        greeted.map_err(|error| self.refused_as_a_whole(&error))
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
                let what = format!("the mail server refuses: {code} {said}");
                // Whoever must log in, or ask for TLS, is told so (RFC 4954, 6; RFC 3207, 4): no fault of the letter's.
                let is_ours = ["530", "534", "535", "538"].contains(&code.to_string().as_str());
                if is_ours { Undelivered::passing(&what) } else { Undelivered::lasting(&what) }
            }
            Some(code) => Undelivered::passing(&format!("the mail server refuses for now: {code} {said}")),
            None => Undelivered::passing(&format!("the mail server cannot be talked to: {said}")),
        }
    }

    /// Who refuses the whole conversation has not looked at the letter: it waits until that is mended.
    fn refused_as_a_whole(&self, error: &SmtpError) -> Undelivered {
        Undelivered { lasting: false, ..self.failure(error) }
    }
}

/// Two handles of one stream.
fn twins(stream: TcpStream) -> io::Result<(TcpStream, TcpStream)> {
    let stream = stream.into_std()?;
    let twin = stream.try_clone()?;
    Ok((TcpStream::from_std(stream)?, TcpStream::from_std(twin)?))
}

/// Nothing of what the server says is quoted here: it has just been told the password, in more than one form.
fn refused_login(error: &SmtpError) -> Undelivered {
    match error.status() {
        Some(code) if error.is_permanent() => {
            // It is for the operator to mend, and letters wait so long.
            Undelivered::passing(&format!("the mail server refuses the user or the password ({code})"))
        }
        Some(code) => Undelivered::passing(&format!("the mail server lets nobody log in for now ({code})")),
        None if error.is_client() => {
            Undelivered::passing("the mail server offers no way to log in that is known (PLAIN, LOGIN)")
        }
        None => Undelivered::passing("the connection to the mail server broke while logging in"),
    }
}

/// Whether a host is this machine.
fn is_here(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}
