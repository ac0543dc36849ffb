//! E-mail to an independent server.

use mapwright_notify::{NotificationSender, Secret, SenderError, SenderOptions, Smtp};
use mapwright_settings::SmtpTls;

use crate::event::reported;
use crate::server::{MailServer, mail};

const OPS: &str = "ops@example.com";

#[tokio::test]
async fn a_message_arrives_as_plain_text_that_can_be_recognised() {
    let (server, message) = (MailServer::open(SmtpTls::None), reported());
    for _ in 0..2 {
        mail(server.smtp(), OPS, &message).await.unwrap();
    }
    let (first, second) = (server.got(), server.got());
    assert_eq!(first, second, "the same bytes, whenever they are sent");
    assert_eq!((&first["from"], &first["to"][0]), (&"maps@example.com".into(), &OPS.into()));
    assert_eq!(first["hello"], "example.com");
    let data = first["data"].as_str().unwrap();
    let (head, body) = data.split_once("\r\n\r\n").unwrap();
    let fields = [
        format!("Message-ID: <{}@example.com>", message.id),
        format!("X-Mapwright-Delivery: {}", message.id),
        "Date: Sun, 01 Mar 2026 02:00:00 +0000".to_owned(),
        "Subject: [mapwright] shop: 1 page added".to_owned(),
        "From: Mapwright <maps@example.com>".to_owned(),
        format!("To: {OPS}"),
        "Auto-Submitted: auto-generated".to_owned(),
        "Content-Type: text/plain; charset=utf-8".to_owned(),
    ];
    for field in &fields {
        assert!(head.lines().any(|line| line == field), "{field} is not in\n{head}");
    }
    assert!(body.contains("1201 pages (1200 before)"), "{body}");
}

#[tokio::test]
async fn starttls_and_implicit_tls_protect_the_session_and_the_password() {
    for cover in [SmtpTls::Starttls, SmtpTls::Implicit] {
        let server = MailServer::with_login(cover);
        mail(server.smtp(), OPS, &reported()).await.unwrap();
        let got = server.got();
        assert_eq!((&got["tls"], &got["login"]), (&true.into(), &true.into()), "{cover:?}");
    }
}

#[tokio::test]
async fn a_server_without_a_trusted_certificate_gets_nothing() {
    for cover in [SmtpTls::Starttls, SmtpTls::Implicit] {
        let (server, other) = (MailServer::open(cover), MailServer::open(cover));
        let system = Smtp { ca: None, ..server.smtp() };
        let foreign = Smtp { ca: other.smtp().ca, ..server.smtp() };
        for smtp in [system, foreign] {
            let failure = mail(smtp, OPS, &reported()).await.unwrap_err();
            assert!(failure.what.contains("certificate") && !failure.permanent, "{failure}");
        }
        assert!(server.got_nothing());
    }
}

#[tokio::test]
async fn a_server_with_the_certificate_of_another_gets_nothing() {
    for cover in [SmtpTls::Starttls, SmtpTls::Implicit] {
        let server = MailServer::of_another_name(cover);
        let failure = mail(server.smtp(), OPS, &reported()).await.unwrap_err();
        assert!(failure.what.contains("certificate"), "{failure}");
        assert!(server.got_nothing());
    }
}

#[tokio::test]
async fn nothing_is_sent_to_a_server_without_starttls() {
    let server = MailServer::open(SmtpTls::None);
    let failure = mail(Smtp { tls: SmtpTls::Starttls, ..server.smtp() }, OPS, &reported()).await.unwrap_err();
    assert!(failure.what.contains("STARTTLS") && !failure.permanent, "{failure}");
    assert!(server.got_nothing());
}

#[tokio::test]
async fn a_wrong_password_is_reported_without_the_password() {
    let server = MailServer::with_login(SmtpTls::Implicit);
    let smtp = Smtp { password: Some(Secret::new("Hunter2")), ..server.smtp() };
    let failure = mail(smtp, OPS, &reported()).await.unwrap_err();
    assert_eq!(failure.what, "the mail server refuses the user or the password (535)");
    assert!(!failure.permanent, "it can be fixed while notifications wait");
}

#[tokio::test]
async fn refusals_are_distinguished_and_quoted_without_the_password() {
    let server = MailServer::with_login(SmtpTls::Implicit);
    let failure = mail(server.smtp(), "refused@example.com", &reported()).await.unwrap_err();
    assert_eq!(failure.what, "the mail server refuses: 550 5.1.1 no such user, (secret)");
    assert!(failure.permanent);
    let failure = mail(server.smtp(), "later@example.com", &reported()).await.unwrap_err();
    assert_eq!(failure.what, "the mail server refuses for now: 451 4.7.1 come back later");
    assert!(!failure.permanent);
}

#[tokio::test]
async fn a_subject_with_a_line_break_adds_no_header() {
    let server = MailServer::open(SmtpTls::None);
    let mut message = reported();
    message.subject = "a\r\nBcc: all@example.com\r\n\r\nb".to_owned();
    message.id = "a\r\nBcc: all@example.com".to_owned();
    message.text = "one\r\n.\r\nMAIL FROM:<x@example.com>\n".to_owned();
    mail(server.smtp(), OPS, &message).await.unwrap();
    let got = server.got();
    let (head, body) = got["data"].as_str().unwrap().split_once("\r\n\r\n").unwrap();
    assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
    assert!(head.contains(r"Subject: a\r\nBcc: all@example.com"), "{head}");
    assert!(body.contains("one\r\n.\r\nMAIL FROM"), "{body}");
    assert_eq!(got["to"].as_array().unwrap().len(), 1);
    assert!(server.got_nothing());
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_failure_that_may_pass() {
    let server = MailServer::open(SmtpTls::None);
    let smtp = server.smtp();
    drop(server);
    let failure = mail(smtp, OPS, &reported()).await.unwrap_err();
    assert!(failure.what.contains("localhost") && failure.what.contains("refused") && !failure.permanent, "{failure}");
}

#[test]
fn options_that_cannot_work_are_refused() {
    let smtp = || Smtp {
        host: "mail.example.com".to_owned(),
        port: 465,
        tls: SmtpTls::Implicit,
        user: Some("ops".to_owned()),
        password: Some(Secret::new("s3cret/word")),
        from: "maps@example.com".to_owned(),
        ca: None,
    };
    let refused =
        |smtp| NotificationSender::new(SenderOptions { smtp: Some(smtp), ..SenderOptions::default() }).map(drop);
    assert_eq!(refused(smtp()), Ok(()));
    assert_eq!(refused(Smtp { tls: SmtpTls::None, ..smtp() }), Err(SenderError::ClearPassword));
    assert_eq!(refused(Smtp { tls: SmtpTls::None, host: "127.0.0.1".to_owned(), ..smtp() }), Ok(()));
    assert_eq!(refused(Smtp { password: None, ..smtp() }), Err(SenderError::HalfLogin));
    assert_eq!(refused(Smtp { user: None, ..smtp() }), Err(SenderError::HalfLogin));
    for host in ["", "mail.example.com:25", "a b"] {
        assert!(matches!(refused(Smtp { host: host.to_owned(), ..smtp() }), Err(SenderError::Host(_))), "{host}");
    }
    for from in ["", "maps", "Maps <maps>", "a@example.com\r\nBcc: b@example.com"] {
        assert!(matches!(refused(Smtp { from: from.to_owned(), ..smtp() }), Err(SenderError::Sender(_))), "{from}");
    }
    for tls in [SmtpTls::Implicit, SmtpTls::Starttls] {
        for ca in [&b""[..], b"no pem", b"-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n"] {
            assert_eq!(refused(Smtp { tls, ca: Some(ca.to_vec()), ..smtp() }), Err(SenderError::Certificates));
        }
    }
}
