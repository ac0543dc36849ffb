//! Pages that do harm: each is bounded, and the next page renders.

use crate::ends::most_processor_time;
use crate::site::{Fixture, in_a_process_of_its_own, link, with_script};
use std::pin::pin;
use std::time::Duration;
use tokio::time::timeout;

#[tokio::test]
async fn endless_scripts_are_cut_and_the_document_is_read() {
    let fixture = Fixture::with_timeout(Duration::from_secs(3));
    for script in [
        "for (;;) {}",
        "for (;;) { try { for (;;) {} } catch {} }",
        "setTimeout(() => { for (;;) {} }, 1500)",
        "const again = () => Promise.resolve().then(again); again()",
        "/^(a+)+$/.test('a'.repeat(60) + 'b')",
    ] {
        let rendered = fixture.render(&with_script(script)).await;
        assert!(rendered.rendering.cut && rendered.html.contains("<p>Text</p>"), "{script}: {}", rendered.html);
        let next = fixture.render(&with_script(&link("next"))).await;
        assert!(!next.rendering.cut && next.html.contains("href=\"/next\""), "after {script}: {}", next.html);
    }
}

#[tokio::test]
async fn dialogs_are_dismissed() {
    let fixture = Fixture::open();
    let script = format!("alert(1); if (confirm('?') === false && prompt('?') === null) {}; print()", link("dialogs"));
    let rendered = fixture.render(&with_script(&script)).await;
    assert!(!rendered.rendering.cut && rendered.html.contains("href=\"/dialogs\""), "{}", rendered.html);
}

#[tokio::test]
async fn a_page_that_reloads_for_ever_keeps_its_document() {
    let fixture = Fixture::open();
    let rendered = fixture.render(&with_script(&format!("{}; location.reload()", link("here")))).await;
    assert!(rendered.html.contains("href=\"/here\""), "{}", rendered.html);
    assert!(fixture.site.requests().is_empty());
}

#[tokio::test]
async fn windows_are_blocked_and_stop_no_page() {
    let fixture = Fixture::open();
    let script = format!("for (let n = 0; n < 20; n++) if (open('/popup' + n)) throw n; {}", link("here"));
    let rendered = fixture.render(&with_script(&script)).await;
    assert!(!rendered.rendering.cut && rendered.html.contains("href=\"/here\""), "{}", rendered.html);
    assert!(fixture.site.requests().is_empty(), "{:?}", fixture.site.requests());
}

/// Scripts that leave the page, or open a window by a link, every 50 ms. Parts of a document do not count.
#[tokio::test]
async fn a_page_that_goes_away_again_and_again_is_read_as_it_is() {
    let fixture = Fixture::open();
    let anchor = "Object.assign(document.createElement('a'), { href: '/popup', target: '_blank' }).click()";
    for (each, cut) in [("location = '/next' + n++", true), (anchor, true), ("location.hash = n++", false)] {
        let script = format!("{}; let n = 0; setInterval(() => {each}, 50)", link("here"));
        let rendered = fixture.render(&with_script(&script)).await;
        assert_eq!(rendered.rendering.cut, cut, "{each}");
        assert!(rendered.html.contains("href=\"/here\""), "{each}: {}", rendered.html);
        assert!(rendered.rendering.requests < 20, "{each}: {}", rendered.rendering.requests);
        assert!(fixture.site.requests().is_empty(), "{:?}", fixture.site.requests());
    }
}

/// A script has one processor, and its workers may not take all others: the renderer of such a page is killed once it
/// has used ten seconds of processor time within eight. On a machine with nothing to spare, the page is read as it is.
#[tokio::test]
async fn workers_without_end_do_not_take_all_processors() {
    // The browsers of other tests would count as well.
    if !in_a_process_of_its_own("bad_pages::workers_without_end_do_not_take_all_processors", None) {
        return;
    }
    let fixture = Fixture::with_timeout(Duration::from_secs(20));
    let loops = "const loop = URL.createObjectURL(new Blob(['for (;;) {}']));
                 for (let n = 0; n < 50; n++) new Worker(loop); for (;;) {}";
    let (mut used, page) = (Duration::ZERO, with_script(loops));
    let mut rendering = pin!(fixture.try_render("/page", &page));
    let rendered = loop {
        match timeout(Duration::from_millis(100), &mut rendering).await {
            Ok(rendered) => break rendered,
            Err(_) => used = used.max(most_processor_time()),
        }
    };
    assert!(rendered.is_err() || rendered.is_ok_and(|rendered| rendered.rendering.cut));
    assert!(used > Duration::from_secs(1) && used < Duration::from_secs(28), "{used:?}");
    let next = fixture.render(&with_script(&link("next"))).await;
    assert!(next.html.contains("href=\"/next\""), "{}", next.html);
}

#[tokio::test]
async fn requests_beyond_the_limit_are_refused() {
    let fixture = Fixture::open();
    fixture.site.file("/x*", "text/plain", "x");
    let script = "Promise.allSettled(Array.from({ length: 500 }, (_, n) => fetch('/x' + n)))
                      .then((all) => document.body.append('refused: ' + all.filter((x) => x.status === 'rejected').length))";
    let rendered = fixture.render(&with_script(script)).await;
    assert!(rendered.html.contains("refused: 200"), "{}", rendered.html);
    assert_eq!(fixture.site.requests().len(), 300);
}

#[tokio::test]
async fn pages_that_take_all_memory_crash_alone() {
    let fixture = Fixture::open();
    for script in [
        "const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()))",
        "const all = []; const more = () => { all.push(new Uint8Array(6e7).fill(1)); setTimeout(more) }; more()",
        "const more = () => { document.body.append(document.body.cloneNode(true)); setTimeout(more) }; more()",
    ] {
        let failure = fixture.try_render("/page", &with_script(script)).await.unwrap_err();
        assert!(failure.to_string().contains("could not be rendered"), "{script}: {failure}");
        let next = fixture.render(&with_script(&link("next"))).await;
        assert!(next.html.contains("href=\"/next\""), "after {script}: {}", next.html);
    }
}

#[tokio::test]
async fn a_page_that_loops_while_it_unloads_spoils_no_other() {
    let fixture = Fixture::with_timeout(Duration::from_secs(10));
    for event in ["beforeunload", "unload", "pagehide", "visibilitychange"] {
        let script = format!("addEventListener('{event}', () => {{ for (;;) {{}} }}, true); {}", link("here"));
        let rendered = fixture.render(&with_script(&script)).await;
        assert!(!rendered.rendering.cut && rendered.html.contains("href=\"/here\""), "{event}: {}", rendered.html);
        for _ in 0..3 {
            let next = fixture.render(&with_script(&link("next"))).await;
            assert!(!next.rendering.cut && next.html.contains("href=\"/next\""), "after {event}: {}", next.html);
            assert!(!next.html.contains("/here"), "after {event}: {}", next.html);
        }
    }
}

#[tokio::test]
async fn a_flood_of_messages_is_not_read() {
    let fixture = Fixture::open();
    let script = format!("for (let n = 0; n < 200000; n++) console.log('x' + n); {}", link("here"));
    let rendered = fixture.render(&with_script(&script)).await;
    assert!(!rendered.rendering.cut && rendered.html.contains("href=\"/here\""), "{}", rendered.html);
}

#[tokio::test]
async fn a_request_that_is_never_answered_ends_in_time() {
    let fixture = Fixture::open();
    fixture.site.stall("/never");
    let script = format!("fetch('/never').catch(() => {})", link("after"));
    let rendered = fixture.render(&with_script(&script)).await;
    assert!(!rendered.rendering.cut && rendered.html.contains("href=\"/after\""), "{}", rendered.html);
}
