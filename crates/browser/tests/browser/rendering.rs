//! The documents that scripts make.

use crate::site::{Fixture, link, with_script};
use mapwright_model::FailureKind;
use mapwright_model::{FailedReason, FailedRequest};
use mapwright_testkit::Response;
use std::time::Duration;

#[tokio::test]
async fn a_document_without_scripts_stays_as_it_is() {
    let fixture = Fixture::open();
    let rendered = fixture.render("<!doctype html><title>A page</title><a href=/there>A link</a>").await;
    assert!(rendered.html.contains("<a href=\"/there\">A link</a>"), "{}", rendered.html);
    assert_eq!(
        (rendered.url, rendered.rendering.requests, rendered.rendering.cut),
        (fixture.site.url("/page"), 0, false)
    );
    assert!(fixture.site.requests().is_empty(), "the document is handed in, not requested");
}

/// Scripts that make a link, each in another way and after another time.
const WAYS: [(&str, &str); 9] = [
    ("at-once", "@"),
    ("timer", "setTimeout(() => @, 3000)"),
    (
        "chain",
        "fetch('/data.json').then((r) => r.json()).then((x) => setTimeout(() => fetch(x.next).then(() => @), 900))",
    ),
    ("frames", "let n = 0; const next = () => ++n < 60 ? requestAnimationFrame(next) : @; requestAnimationFrame(next)"),
    ("idle", "requestIdleCallback(() => @)"),
    ("module", "import('/module.js').then(({ name }) => name === 'module' && @)"),
    (
        "seen",
        "const far = document.createElement('p'); far.style.marginTop = '9000px'; document.body.append(far);
         new IntersectionObserver((all) => { if (all.some((one) => one.isIntersecting)) @ }).observe(far)",
    ),
    ("message", "const { port1, port2 } = new MessageChannel(); port2.onmessage = () => @; port1.postMessage(1)"),
    ("observer", "new ResizeObserver(() => @).observe(document.body)"),
];

#[tokio::test]
async fn links_are_found_however_late_scripts_make_them() {
    let fixture = Fixture::open();
    fixture.site.file("/data.json", "application/json", r#"{"next": "/more.json"}"#);
    fixture.site.answer(
        "/more.json",
        Response::new(200).content_type("application/json").body("{}").delay(Duration::from_millis(700)),
    );
    fixture.site.file("/module.js", "text/javascript", "export const name = 'module'");
    for (name, way) in WAYS {
        let rendered = fixture.render(&with_script(&way.replace('@', &link(name)))).await;
        assert!(rendered.html.contains(&format!("href=\"/{name}\"")), "{name}: {}", rendered.html);
        assert!(
            !rendered.rendering.cut && rendered.rendering.took < Duration::from_secs(30),
            "{name}: {:?}",
            rendered.rendering.took
        );
    }
}

#[tokio::test]
async fn the_same_page_renders_alike_every_time() {
    let fixture = Fixture::open();
    let page =
        with_script(&format!("for (let n = 0; n < 20; n++) setTimeout(() => {}, Math.random() * 4000)", link("x")));
    let first = fixture.render(&page).await.html;
    for _ in 0..5 {
        assert_eq!(fixture.render(&page).await.html, first);
    }
}

#[tokio::test]
async fn shadow_roots_are_read_whether_open_or_closed() {
    let fixture = Fixture::open();
    for mode in ["open", "closed"] {
        let script = format!(
            "const host = document.createElement('div'); document.body.append(host);
             host.attachShadow({{ mode: '{mode}' }}).innerHTML = '<a href=/{mode}>inside</a>'"
        );
        let html = fixture.render(&with_script(&script)).await.html;
        assert!(html.contains(&format!("<template shadowrootmode=\"{mode}\">")), "{html}");
        assert!(html.contains(&format!("<a href=\"/{mode}\">inside</a>")), "{html}");
    }
}

#[tokio::test]
async fn no_page_can_alter_what_is_read() {
    let fixture = Fixture::open();
    let lies = "Object.defineProperty(Element.prototype, 'outerHTML', { get: () => 'a lie' });
                window.Promise = null; JSON.stringify = () => 'a lie'; document.body.append('the truth')";
    let html = fixture.render(&with_script(lies)).await.html;
    assert!(html.contains("the truth</body>") && html.contains("<title>A page</title>"), "{html}");
}

#[tokio::test]
async fn a_path_that_scripts_change_is_the_base_of_links() {
    let fixture = Fixture::open();
    let rendered = fixture.render(&with_script("history.replaceState(null, '', '/deep/er')")).await;
    assert_eq!(rendered.url, fixture.site.url("/deep/er"));
    assert_eq!(rendered.rendering.navigation, None);
}

#[tokio::test]
async fn navigations_are_reported_and_not_followed() {
    let fixture = Fixture::open();
    for (script, reason, at_once) in [
        ("location = '/next'", "scriptInitiated", true),
        ("location.replace('/next')", "scriptInitiated", true),
        ("setTimeout(() => { location = '/next' }, 2500)", "scriptInitiated", false),
        ("document.head.innerHTML += '<meta http-equiv=refresh content=\"0;url=/next\">'", "metaTagRefresh", true),
    ] {
        let rendered = fixture.render(&with_script(script)).await;
        let navigation = rendered.rendering.navigation.unwrap_or_else(|| panic!("{script}: no navigation"));
        assert_eq!((navigation.url, navigation.reason.as_str()), (fixture.site.url("/next"), reason), "{script}");
        assert_eq!(navigation.at_once, at_once, "{script}");
        assert!(rendered.html.contains("<p>Text</p>"), "the document stays: {}", rendered.html);
    }
    assert!(fixture.site.requests().is_empty());
}

#[tokio::test]
async fn what_failed_is_noted() {
    let fixture = Fixture::open();
    fixture.site.file("/data.json", "application/json", "{}").reset("/reset.js");
    let script = "fetch('/data.json'); fetch('/gone.json'); fetch('http://127.0.0.9:9/api', { mode: 'no-cors' }).catch(() => {});
                  document.head.append(Object.assign(document.createElement('script'), { src: '/reset.js' }));
                  setTimeout(() => { throw new Error('by the timer') }, 100); nowhere.to.go()";
    let rendered = fixture.render(&with_script(script)).await;
    assert_eq!(rendered.rendering.errors, ["ReferenceError: nowhere is not defined", "Error: by the timer"]);
    assert!(rendered.rendering.bytes > 0);
    let mut failed = rendered.rendering.failed;
    failed.sort_by(|one, other| one.url.cmp(&other.url));
    let expected = [
        (fixture.site.url("/gone.json"), FailedReason::Status(404)),
        (fixture.site.url("/reset.js"), FailedReason::Failure(FailureKind::Reset)),
        ("http://127.0.0.9:9/api".to_owned(), FailedReason::Failure(FailureKind::Guarded)),
    ];
    assert_eq!(failed, expected.map(|(url, reason)| FailedRequest { url, reason }));
}

#[tokio::test]
async fn frames_of_the_site_load_and_no_others() {
    let fixture = Fixture::open();
    fixture.site.page("/frame", "<p>Inside</p>");
    let page = "<body><iframe src=/frame></iframe><iframe src=http://127.0.0.9:9/foreign></iframe>";
    let _ = fixture.render(page).await;
    assert_eq!(fixture.site.hits("/frame"), 1);
}

#[tokio::test]
async fn a_list_that_loads_on_and_on_is_noticed_and_a_part_that_loads_once_is_not() {
    let fixture = Fixture::open();
    fixture.site.file("/more.json", "application/json", "[]");
    let list = |after: &str| {
        format!(
            "const end = document.createElement('p'); document.body.append(end);
             new IntersectionObserver((all, observer) => {{
                 fetch('/more.json').then(() => end.before(document.createElement('b'))); {after}
             }}).observe(end)"
        )
    };
    let count = || fixture.site.requests().len();
    assert!(fixture.render(&with_script(&list(""))).await.rendering.scrolls_on);
    assert_eq!(count(), 1, "the list is loaded once, and what follows is not requested");
    assert!(!fixture.render(&with_script(&list("observer.disconnect()"))).await.rendering.scrolls_on);
    assert!(!fixture.render(&with_script(&list("observer.unobserve(end)"))).await.rendering.scrolls_on);
    let animation = "const box = document.createElement('p'); document.body.append(box);
                     new IntersectionObserver(() => box.className = 'shown').observe(box)";
    assert!(!fixture.render(&with_script(animation)).await.rendering.scrolls_on);
}
