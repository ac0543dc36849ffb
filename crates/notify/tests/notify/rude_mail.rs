//! Mail servers that misbehave.

use std::time::{Duration, Instant};

use mapwright_notify::{Channel, NotificationSender, SenderOptions, Smtp, Undelivered};
use mapwright_settings::SmtpTls;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

use crate::event::reported;

/// Starts a server that answers the client's nth line with the nth text, then sends nothing more. The first text is the
/// greeting.
async fn scripted(answers: Vec<Vec<u8>>) -> Smtp {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let mut stream = BufReader::new(listener.accept().await.unwrap().0);
        let mut line = Vec::new();
        for answer in answers {
            if stream.write_all(&answer).await.is_err() {
                return;
            }
            line.clear();
            if !matches!(stream.read_until(b'\n', &mut line).await, Ok(1..)) {
                return;
            }
        }
        // Stays connected until the client leaves.
        while matches!(stream.read_until(b'\n', &mut line).await, Ok(1..)) {}
    });
    Smtp {
        host: "127.0.0.1".to_owned(),
        port,
        tls: SmtpTls::None,
        user: None,
        password: None,
        from: "maps@example.com".to_owned(),
        ca: None,
    }
}

fn said(lines: &[&str]) -> Vec<Vec<u8>> {
    lines.iter().map(|line| format!("{line}\r\n").into_bytes()).collect()
}

async fn deliver(smtp: Smtp, timeout: Duration) -> Result<(), Undelivered> {
    let post =
        NotificationSender::new(SenderOptions { smtp: Some(smtp), timeout, ..SenderOptions::default() }).unwrap();
    post.deliver(&Channel::Mail("ops@example.com".to_owned()), &reported()).await
}

const PATIENT: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_server_that_stalls_is_left_in_time() {
    for answers in [said(&[]), said(&["220 hello"]), said(&["220 hello", "250 hello", "250 ok"])] {
        let began = Instant::now();
        let failure = deliver(scripted(answers).await, Duration::from_millis(300)).await.unwrap_err();
        assert_eq!((failure.what.as_str(), failure.permanent), ("the mail server did not answer in time", false));
        assert!(began.elapsed() < Duration::from_secs(30));
    }
}

#[tokio::test]
async fn a_server_that_sends_without_end_is_not_read_to_the_end() {
    let failure = deliver(scripted(vec![vec![b'2'; 64 << 20]]).await, PATIENT).await.unwrap_err();
    assert!(failure.what.contains("the server says too much") && !failure.permanent, "{failure}");
}

/// Starts a server that accepts the message with these words, and does not answer QUIT.
async fn taking(accepted: &'static [u8]) -> Smtp {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let mut stream = BufReader::new(listener.accept().await.unwrap().0);
        stream.write_all(b"220\r\n").await.unwrap();
        let (mut line, mut body) = (String::new(), false);
        while matches!(stream.read_line(&mut line).await, Ok(1..)) {
            let answer = match line.trim_end() {
                "." => accepted,
                _ if body => b"",
                "DATA" => b"354\r\n",
                // No answer: the client must not wait for long.
                "QUIT" => b"",
                _ => b"250\r\n",
            };
            body = (body || answer.starts_with(b"354")) && answer != accepted;
            stream.write_all(answer).await.unwrap();
            line.clear();
        }
    });
    Smtp { port, ..scripted(Vec::new()).await }
}

#[tokio::test]
async fn a_message_is_delivered_even_if_the_server_does_not_answer_quit() {
    assert_eq!(deliver(taking(b"250 mine\r\n").await, PATIENT).await, Ok(()));
}

/// RFC 5321, 4.2: a client depends on the code only, whatever its text, if there is one.
#[tokio::test]
async fn an_answer_counts_by_its_code() {
    for accepted in [&b"250\r\n"[..], b"250 \xfcbernommen\r\n", b"250-\r\n250\n"] {
        assert_eq!(deliver(taking(accepted).await, PATIENT).await, Ok(()), "{accepted:?}");
    }
}

#[tokio::test]
async fn an_answer_injected_after_that_to_starttls_is_not_read() {
    let injected = "220 go ahead\r\n250-mail.example.com\r\n250 AUTH PLAIN";
    let answers = said(&["220 hello", "250-hello\r\n250 STARTTLS", injected]);
    let smtp = Smtp { tls: SmtpTls::Starttls, ..scripted(answers).await };
    let failure = deliver(smtp, PATIENT).await.unwrap_err();
    assert!(failure.what.contains("corrupt message"), "the handshake takes it for TLS: {failure}");
}

#[tokio::test]
async fn answers_are_quoted_on_one_short_line() {
    let long = format!("554 {}\u{1b}[31m\u{202e}", "no ".repeat(250));
    let failure = deliver(scripted(said(&[&long])).await, PATIENT).await.unwrap_err();
    assert_eq!(failure.what.chars().count(), 300);
    let failure = deliver(scripted(said(&["554 \u{1b}[31mno"])).await, PATIENT).await.unwrap_err();
    assert_eq!(failure.what, r"the mail server refuses: 554 \u001b[31mno");
}

/// The server has not seen the message: it waits until the server or the configuration is fixed.
#[tokio::test]
async fn a_refusal_of_the_entire_session_may_pass() {
    for refused in [&["554 no service"][..], &["220", "550 go away", "221"], &["220", "250", "530 log in", "221"]] {
        let failure = deliver(scripted(said(refused)).await, PATIENT).await.unwrap_err();
        assert!(!failure.permanent && failure.what.contains("refuses"), "{failure}");
    }
    let answers = said(&["220", "250", "550 not for you", "221"]);
    assert!(deliver(scripted(answers).await, PATIENT).await.unwrap_err().permanent);
}

/// The failure differs from that of a server that offers no known login mechanism.
#[tokio::test]
async fn a_server_that_disconnects_during_the_login_is_reported_as_such() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let mut stream = BufReader::new(listener.accept().await.unwrap().0);
        let mut line = String::new();
        for answer in ["220 hello\r\n", "250-hello\r\n250 AUTH PLAIN LOGIN\r\n"] {
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.read_line(&mut line).await.unwrap();
        }
    });
    let (user, password) = (Some("ops".to_owned()), Some(mapwright_notify::Secret::new("hush")));
    let smtp = Smtp { port, user, password, ..scripted(Vec::new()).await };
    let failure = deliver(smtp, PATIENT).await.unwrap_err();
    assert_eq!(failure.what, "the connection to the mail server broke while logging in");
}
