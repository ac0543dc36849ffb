//! Nothing but the crawler's own fetcher reaches the network, and no page knows of the one before.

use crate::site::{CHROMIUM, Fixture, HEADLESS_SHELL, Nothing, in_a_process_of_its_own, with_script};
use mapwright_browser::{PageFetch, Render as _};
use mapwright_testkit::{Canary, Response};
use std::net::{TcpListener, ToSocketAddrs as _, UdpSocket};
use std::process::Command;

/// A page that tries to reach the network in every way, through requests that are paused and beside them. `AT(way)`
/// stands for the host and path of a way, STUN and `STUN_NAME` for a server of that protocol.
const WAYS_OUT: &str = include_str!("ways_out.html");
/// Header fields that have browsers connect.
const FIELDS: [(&str, &str); 5] = [
    ("Link", "<http://AT(link-field)/>; rel=preload; as=script, <http://AT(link-preconnect)/>; rel=preconnect"),
    ("Content-Security-Policy-Report-Only", "script-src 'none'; report-uri http://AT(csp-report)"),
    ("Reporting-Endpoints", "default=\"https://AT(reports)\""),
    ("NEL", "{\"report_to\": \"default\", \"max_age\": 86400}"),
    ("Speculation-Rules", "\"http://AT(speculation-field)\""),
];

/// Replaces `AT(way)` by what a function returns for the way.
fn fill(text: &str, at: impl Fn(&str) -> String) -> String {
    let mut parts = text.split("AT(");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |filled, part| {
        let (way, rest) = part.split_once(')').expect("the end of a way");
        filled + &at(way) + rest
    })
}

/// Renders the page twice, so that what it does at its end is seen too. Requires that it has tried.
async fn try_every_way(fixture: &Fixture<impl PageFetch>, stun: [&str; 2], at: impl Fn(&str) -> String) {
    let page = fill(WAYS_OUT, &at).replace("STUN_NAME", stun[1]).replace("STUN", stun[0]);
    let fields = FIELDS.map(|(name, value)| (name, fill(value, &at)));
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    for _ in 0..2 {
        let rendered = fixture.renderer.render(fixture.document("/page", &fields, &page)).await.unwrap();
        assert!(rendered.html.contains("tried"), "{}", rendered.html);
        assert!(rendered.rendering.requests > 30, "the requests are paused: {}", rendered.rendering.requests);
    }
}

#[tokio::test]
async fn nothing_of_the_browser_reaches_an_address() {
    for program in [HEADLESS_SHELL, CHROMIUM] {
        let (fixture, canary) = (Fixture::of(program), Canary::at("127.0.0.2:0"));
        let datagrams = UdpSocket::bind(canary.address()).unwrap();
        datagrams.set_nonblocking(true).unwrap();
        let address = canary.address().to_string();
        try_every_way(&fixture, [&address, &address], |way| format!("{address}/{way}")).await;
        // The guard of the fetcher refuses the canary's address, and the browser itself has no way to it.
        assert_eq!(canary.contacts(), 0, "{program}");
        assert!(datagrams.recv(&mut [0; 64]).is_err(), "{program}: a datagram");
        // A service worker has no page whose requests are paused.
        assert_eq!(fixture.site.hits("/service.js"), 0, "{program}");
    }
}

/// Brings loopback up, names it as the name server, and runs the test.
const ENTER: &str = r#"
    set -eu
    python3 -c 'import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 1))'
    resolv=$(mktemp)
    printf 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n' >"$resolv"
    mount --bind "$resolv" /etc/resolv.conf
    rm "$resolv"
    exec "$@"
"#;

#[tokio::test]
async fn nothing_of_the_browser_looks_a_name_up() {
    if !in_a_process_of_its_own("isolation::nothing_of_the_browser_looks_a_name_up", Some(in_a_network())) {
        return;
    }
    let names = UdpSocket::bind("127.0.0.1:53").unwrap();
    names.set_nonblocking(true).unwrap();
    let streams = TcpListener::bind("127.0.0.1:53").unwrap();
    streams.set_nonblocking(true).unwrap();
    // The name server hears of what is looked up here.
    assert!("known.canary.test:80".to_socket_addrs().is_err());
    assert!(names.recv(&mut [0; 512]).is_ok(), "the name server is not used");
    while names.recv(&mut [0; 512]).is_ok() {}
    for program in [HEADLESS_SHELL, CHROMIUM] {
        // Nothing is fetched, so that each lookup is one of the browser.
        let fixture = Fixture::with(program, Nothing);
        try_every_way(&fixture, ["127.0.0.2:9", "stun.canary.test"], |way| format!("{way}.canary.test")).await;
        let mut query = [0; 512];
        let looked_up = names.recv(&mut query).map(|length| String::from_utf8_lossy(&query[..length]).into_owned());
        assert!(looked_up.is_err(), "{program}: {looked_up:?}");
        assert!(streams.accept().is_err(), "{program}: a connection to the name server");
    }
}

/// Returns the command that runs another one in a network of its own, as root or as root of a user namespace.
fn in_a_network() -> Command {
    let permits = |flags: &&&str| Command::new("unshare").args([**flags, "true"]).status().is_ok_and(|s| s.success());
    let flags = ["-mn", "-rmn"].iter().find(permits).expect("root, or user namespaces, for a network of its own");
    let mut command = Command::new("unshare");
    command.args([flags, "sh", "-c", ENTER, "sh"]);
    command
}

#[tokio::test]
async fn no_page_sees_what_another_stored() {
    let fixture = Fixture::open();
    let script =
        "document.body.append('before: ' + [localStorage.x, sessionStorage.x, document.cookie].join('|') + '.');
                  localStorage.x = sessionStorage.x = 1";
    fixture.site.answer("/cookie", Response::text("x").header("Set-Cookie", "sid=1; Path=/"));
    for _ in 0..3 {
        let html = fixture.render(&with_script(&format!("fetch('/cookie').then(() => {{ {script} }})"))).await.html;
        assert!(html.contains("before: ||."), "{html}");
    }
}
