//! The mail server of the tests: aiosmtpd, an independent implementation, with generated certificates.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use mapwright_notify::{Channel, Message, NotificationSender, Secret, SenderOptions, Smtp, Undelivered};
use mapwright_settings::SmtpTls;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::Value;
use tempfile::TempDir;

/// The interpreter of the system, because the package of the server is installed for it only.
const PYTHON: &str = "/usr/bin/python3";
/// The longest wait for a line of the server.
const PATIENCE: Duration = Duration::from_secs(60);

/// A mail server that runs until it is dropped.
pub(crate) struct MailServer {
    child: Child,
    printed: Receiver<String>,
    port: u16,
    cover: SmtpTls,
    login: bool,
    authority: Vec<u8>,
    _files: TempDir,
}

impl MailServer {
    /// Starts a server that accepts messages from everyone.
    pub(crate) fn open(cover: SmtpTls) -> MailServer {
        MailServer::start(cover, "localhost", false)
    }

    /// Starts a server that requires a user and a password.
    pub(crate) fn with_login(cover: SmtpTls) -> MailServer {
        MailServer::start(cover, "localhost", true)
    }

    /// Starts a server whose certificate is that of another host.
    pub(crate) fn of_another_name(cover: SmtpTls) -> MailServer {
        MailServer::start(cover, "other.example.com", false)
    }

    fn start(cover: SmtpTls, name: &str, login: bool) -> MailServer {
        let files = tempfile::tempdir().unwrap();
        let authority = certificates(&files, name);
        let word = match cover {
            SmtpTls::Implicit => "implicit",
            SmtpTls::Starttls => "starttls",
            SmtpTls::None => "plain",
        };
        let mut command = Command::new(PYTHON);
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/notify/smtp.py")).arg(word);
        if cover != SmtpTls::None {
            command.args([files.path().join("certificate"), files.path().join("key")]);
        }
        if login {
            command.arg("login");
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, printed) = channel();
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let port = printed.recv_timeout(PATIENCE);
        let port = port.expect("a mail server: install python3-aiosmtpd").parse().unwrap();
        MailServer { child, printed, port, cover, login, authority, _files: files }
    }

    /// Returns the settings for this server.
    pub(crate) fn smtp(&self) -> Smtp {
        Smtp {
            host: "localhost".to_owned(),
            port: self.port,
            tls: self.cover,
            user: self.login.then(|| "ops".to_owned()),
            password: self.login.then(|| Secret::new("s3cret/word")),
            from: "Mapwright <maps@example.com>".to_owned(),
            ca: Some(self.authority.clone()),
        }
    }

    /// Returns the next message that the server received.
    pub(crate) fn got(&self) -> Value {
        serde_json::from_str(&self.printed.recv_timeout(PATIENCE).expect("a message")).unwrap()
    }

    /// Returns whether the server received no further message so far.
    pub(crate) fn got_nothing(&self) -> bool {
        self.printed.try_recv().is_err()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes a certificate of this host with its key, and returns the certificate of its issuer.
pub(crate) fn certificates(files: &TempDir, host: &str) -> Vec<u8> {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(vec![host.to_owned()]).unwrap().signed_by(&key, &issuer).unwrap();
    fs::write(files.path().join("certificate"), certificate.pem()).unwrap();
    fs::write(files.path().join("key"), key.serialize_pem()).unwrap();
    issuer.pem().into_bytes()
}

/// Sends a message through this server.
pub(crate) async fn mail(smtp: Smtp, address: &str, message: &Message) -> Result<(), Undelivered> {
    let post = NotificationSender::new(SenderOptions { smtp: Some(smtp), ..SenderOptions::default() }).unwrap();
    post.deliver(&Channel::Mail(address.to_owned()), message).await
}
