//! Nothing but the crawler's own fetcher reaches the network, and no page knows of the one before.

use crate::site::{Fixture, with_script};
use mapwright_testkit::{Canary, Response};
use std::net::UdpSocket;

/// The ways in which a page tries to reach HOST and UDP: through requests that are paused, and beside them.
const WAYS: &str = r#"
    const http = 'http://HOST/';
    const attempt = (run) => { try { const done = run(); done?.catch?.(() => {}); } catch {} };
    const element = (tag, attributes) => document.head.append(Object.assign(document.createElement(tag), attributes));
    attempt(() => fetch(http + 'fetch', { mode: 'no-cors' }));
    attempt(() => fetch(http + 'post', { mode: 'no-cors', method: 'POST', body: 'x' }));
    attempt(() => fetch(http + 'keepalive', { mode: 'no-cors', keepalive: true }));
    attempt(() => navigator.sendBeacon(http + 'beacon', 'x'));
    attempt(() => { const x = new XMLHttpRequest(); x.open('GET', http + 'xhr'); x.send(); });
    attempt(() => new EventSource(http + 'events'));
    attempt(() => new WebSocket('ws://HOST/socket'));
    attempt(() => new WebTransport('https://HOST/transport'));
    attempt(() => new Worker(URL.createObjectURL(new Blob([`fetch('${http}worker')`]))));
    attempt(() => new SharedWorker(URL.createObjectURL(new Blob([`fetch('${http}shared')`]))));
    attempt(() => navigator.serviceWorker.register('/service.js'));
    attempt(() => open(http + 'popup'));
    attempt(() => import(http + 'module.js'));
    for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload', 'stylesheet', 'icon', 'manifest'])
        attempt(() => element('link', { rel, href: http + rel, as: 'script' }));
    attempt(() => element('script', { src: http + 'script.js' }));
    attempt(() => new Image().src = http + 'image');
    attempt(() => new Audio(http + 'audio').play());
    attempt(() => new FontFace('f', `url(${http}font)`).load());
    attempt(() => { document.body.innerHTML += `<iframe src="${http}frame"></iframe><object data="${http}object"></object>
        <embed src="${http}embed"><video src="${http}video" autoplay></video><a href="${http}" ping="${http}ping">x</a>`; });
    attempt(() => document.querySelector('a').click());
    attempt(() => { const form = document.createElement('form'); form.action = http + 'form'; form.method = 'post';
        document.body.append(form); form.submit(); });
    attempt(() => {
        const frame = document.createElement('iframe'); document.body.append(frame);
        const peer = new (frame.contentWindow.RTCPeerConnection)({ iceServers: [{ urls: 'stun:UDP' }] });
        peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    });
    document.body.append('tried');
"#;

#[tokio::test]
async fn nothing_of_the_browser_reaches_the_network() {
    let (fixture, canary) = (Fixture::open(), Canary::at("127.0.0.2:0"));
    let datagrams = UdpSocket::bind("127.0.0.2:0").unwrap();
    datagrams.set_nonblocking(true).unwrap();
    let ways = WAYS.replace("HOST", &canary.address().to_string());
    let ways = ways.replace("UDP", &datagrams.local_addr().unwrap().to_string());
    let rendered = fixture.render(&with_script(&ways)).await;
    assert!(rendered.html.contains("tried"), "{}", rendered.html);
    assert!(rendered.rendering.requests > 10, "the requests are paused: {}", rendered.rendering.requests);
    // The guard of the fetcher refuses the canary's address, and the browser itself has no way to it.
    assert_eq!(canary.contacts(), 0);
    assert!(datagrams.recv(&mut [0; 64]).is_err(), "a datagram");
    // A service worker has no page whose requests are paused.
    assert_eq!(fixture.site.hits("/service.js"), 0);
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
