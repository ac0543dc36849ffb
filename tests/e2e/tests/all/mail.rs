//! Mail, sent by the real command through a real mail server (aiosmtpd) that requires a user and a password.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use mapwright_e2e::{Command, CommandOutput, Workspace};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};

/// The system's interpreter, the only one with the package of the server.
const PYTHON: &str = "/usr/bin/python3";
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/notify/tests/notify/smtp.py");

/// The server, which accepts mail only from `ops` with the password `s3cret/word`.
struct MailServer {
    child: Child,
    printed: BufReader<ChildStdout>,
    port: u16,
}

impl MailServer {
    fn open(files: &Workspace) -> MailServer {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate =
            CertificateParams::new(vec!["localhost".to_owned()]).unwrap().signed_by(&key, &issuer).unwrap();
        files.file("certificate", certificate.pem());
        files.file("key", key.serialize_pem());
        files.file("authority", issuer.pem());
        let mut command = std::process::Command::new(PYTHON);
        command.args([SCRIPT, "implicit", "certificate", "key", "login"]).current_dir(files.folder());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut printed = BufReader::new(child.stdout.take().unwrap());
        let mut port = String::new();
        printed.read_line(&mut port).expect("a mail server: install python3-aiosmtpd");
        MailServer { child, printed, port: port.trim().parse().expect("a port") }
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn jobs(port: u16, password: &str) -> String {
    format!(
        "[job.shop]\nurl = [\"http://127.0.0.1:9/\"]\n[notify]\nto = [\"mailto:web@shop.example\"]\n\
         smtp-host = \"localhost\"\nsmtp-port = {port}\nsmtp-tls = \"implicit\"\nsmtp-user = \"ops\"\n\
         smtp-password = \"{password}\"\nmail-from = \"mapwright@shop.example\"\nnotify-ca-cert = \"authority\"\n"
    )
}

fn test(workspace: &Workspace) -> CommandOutput {
    Command::new(["notify", "test", "--state-root", "root"]).within(workspace).run()
}

#[test]
fn a_mail_server_that_refuses_the_password_is_reported_by_notify_test() {
    let workspace = Workspace::of_service("");
    let mut server = MailServer::open(&workspace);
    workspace.configure(&jobs(server.port, "Hunter2"));
    let reported = test(&workspace).exited(5);
    let expected =
        "shop: mailto:web@shop.example: not delivered: the mail server refuses the user or the password (535)";
    assert_eq!(reported.stdout.trim_end(), expected);
    assert!(!reported.stderr.contains("Hunter2"), "{}", reported.stderr);
    workspace.configure(&jobs(server.port, "s3cret/word"));
    let reported = test(&workspace).exited(0);
    assert_eq!(reported.stdout.trim_end(), "shop: mailto:web@shop.example: delivered");
    let mut mail = String::new();
    server.printed.read_line(&mut mail).expect("a message");
    assert!(mail.contains("web@shop.example") && mail.contains("\"login\": true"), "{mail}");
}
