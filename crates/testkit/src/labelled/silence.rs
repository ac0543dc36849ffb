//! Requests without a response, and the reasons.

use std::time::Duration;

use super::page::Page;
use super::ports::{ClosedPort, port_without_tls};
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::answer::ServerAction;
use crate::response::Response;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![silent(), garbled(), hosts()]
}

const WAYS: &[&str] = &["no-answer-dns", "no-answer-tls", "no-answer-refused", "no-answer-reset", "no-answer-timeout"];

fn silent() -> LabelledSite {
    let mut site = SiteBuilder::new("silent", WAYS);
    let base = site.url("");
    site.plain(25)
        .arguments(&["--timeout", "2"])
        .answer("/reset", ServerAction::reset_after([]))
        .answer("/hung-up", ServerAction::raw([]))
        .first("/reset-once", ServerAction::reset_after([]))
        .answer("/last-words", Page::at("/last-words").response(&base, "/").closing())
        .all_have("no-answer-reset", &["/reset", "/hung-up"])
        .expect_not("no-answer-reset", "/reset-once", "it answers on a second try")
        .expect_not("no-answer-reset", "/last-words", "the connection is closed after the answer")
        .expect_not("no-answer-reset", "/stalled", "the connection is never closed");
    site.answer("/stalled", ServerAction::stall_after([]))
        .answer("/pensive", Page::at("/pensive").response(&base, "/").delay(Duration::from_millis(700)))
        .expect_code("no-answer-timeout", "/stalled")
        .expect_not("no-answer-timeout", "/pensive", "slow to answer, but within the time allowed")
        .expect_not("no-answer-timeout", "/reset", "it was reported at once that there is no answer");
    site.open()
}

/// A response that is not HTTP, and none of the five ways of not answering.
fn garbled() -> LabelledSite {
    let mut site = SiteBuilder::new("garbled", &["no-answer"]);
    site.plain(10)
        .answer("/garbled", ServerAction::raw("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n\r\n"))
        .first("/garbled-once", ServerAction::raw("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n\r\n"))
        .answer("/broken", Response::html("<h1>Oops</h1>").status(500))
        .expect_code("no-answer", "/garbled")
        .expect_not("no-answer", "/garbled-once", "it answers on a second try")
        .expect_not("no-answer", "/broken", "an answer, if not a good one");
    site.open()
}

/// Hosts of one domain, each unreachable in a way of its own. Names below `invalid` never resolve (RFC 6761, 6.4).
fn hosts() -> LabelledSite {
    let mut site = SiteBuilder::on_host("www.site.invalid", "hosts", WAYS);
    let (open, closed, plain) = (site.site.site.port(), ClosedPort::new(), port_without_tls());
    let unknown = format!("http://gone.site.invalid:{open}/x");
    let refused = format!("http://shut.site.invalid:{}/x", closed.number());
    let plain_url = format!("https://safe.site.invalid:{plain}/x");
    let beside = format!("http://beside.site.invalid:{open}/x");
    site.plain(10)
        .resolve("shut.site.invalid", closed.number())
        .resolve("safe.site.invalid", plain)
        .resolve("beside.site.invalid", open)
        .unlinked_answer(
            "//beside.site.invalid/x",
            Page::at("/x").response(&format!("http://beside.site.invalid:{open}"), "/"),
        );
    for url in [&unknown, &refused, &plain_url, &beside] {
        site.link(url);
    }
    site.expect_code("no-answer-dns", &unknown)
        .expect_not("no-answer-dns", &beside, "another host of the domain, whose name resolves")
        .expect_not("no-answer-dns", &refused, "the name resolves; nobody listens there")
        .expect_code("no-answer-refused", &refused)
        .expect_not("no-answer-refused", &plain_url, "somebody listens there, who speaks no TLS")
        .expect_not("no-answer-refused", &unknown, "there is no address that could refuse")
        .expect_code("no-answer-tls", &plain_url)
        .expect_not("no-answer-tls", &beside, "no TLS there, and none is requested")
        .expect_not("no-answer-tls", &refused, "it did not come to a handshake");
    site.site.closed.push(closed);
    site.open()
}
