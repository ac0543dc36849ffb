//! Texts of a site that try to be more than text.

use crate::made::{HOSTILE, Made};
use crate::served::Served;
use mapwright_service::Live;

/// Asserts that a page contains no markup or control characters of the site.
fn assert_is_tame(path: &str, page: &str) {
    for foreign in ["<hostile-mark", "<img", "<iframe", "<svg onload", "window.hostile=1</script", "<!--"] {
        assert!(!page.contains(foreign), "{path}: {foreign} in {page}");
    }
    let acting = |c: char| {
        (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200f}')
    };
    assert!(!page.contains(acting), "{path}: characters of the site act");
    for (_, rest) in page.match_indices("href=\"").map(|(at, found)| (at, &page[at + found.len()..])) {
        let link = rest.split('"').next().unwrap();
        let is_known = link.starts_with('/') || link.starts_with("http://") || link.starts_with("https://");
        assert!(is_known || link.starts_with('#'), "{path}: a link to {link}");
    }
    let own = |name: &str| page.matches(&format!("<script src=\"/assets/{name}\" defer></script>")).count();
    let own = ["times.js", "dashboard.js", "refresh.js"].map(own);
    assert!(own.iter().all(|count| *count <= 1), "{path}: {page}");
    assert_eq!(page.matches("<script").count(), own.iter().sum::<usize>(), "{path}: {page}");
}

#[tokio::test]
async fn crawled_texts_stay_texts() {
    let made = Made::crawled().await;
    let latest = HOSTILE.iter().map(|text| (format!("http://a.test/{text}"), (*text).to_owned())).collect();
    made.runs(Live { latest, ..Live::default() });
    for run in made.runs.lock().unwrap().iter_mut().take(8) {
        run.reason = HOSTILE[usize::try_from(run.number % 8).unwrap()].to_owned();
    }
    for (job, text) in made.jobs.lock().unwrap().iter_mut().zip(HOSTILE) {
        job.schedule = text.to_owned();
        job.urls.push(text.to_owned());
        job.urls.push(HOSTILE[7].to_owned());
    }
    let served = Served::open(made).await;
    let mut reported = String::new();
    let site = served.made.site.as_ref().unwrap().url("");
    let mut paths: Vec<String> = [
        "/",
        "/jobs/shop",
        "/jobs/shop/runs/75",
        "/jobs/shop/findings",
        "/jobs/shop/urls",
        "/jobs/shop/parameters",
        "/jobs/shop/settings",
        "/jobs/shop/compare?a=1&b=2",
        "/jobs/shop/files",
    ]
    .map(str::to_owned)
    .to_vec();
    paths.extend((0..HOSTILE.len()).map(|n| format!("/jobs/shop/explain?url={site}/twin/{n}/a")));
    for text in HOSTILE {
        let text: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        paths.extend([
            format!("/jobs/shop/explain?url={text}"),
            format!("/jobs/shop/findings?q={text}&code={text}&state={text}"),
            format!("/jobs/shop/urls?q={text}&state={text}&reason={text}"),
            format!("/jobs/shop/urls?q={text}"),
            format!("/?q={text}&state={text}&sort={text}"),
            format!("/jobs/{text}"),
            format!("/jobs/shop/files/reports/{text}"),
            format!("/nowhere/{text}?{text}"),
            format!("/login?next={text}"),
        ]);
    }
    for path in paths {
        let page = served.get(&path).await;
        assert!(page.status < 500, "{path}: {}", page.status);
        assert_is_tame(&path, &page.body);
        reported.push_str(&page.body);
    }
    for text in ["&lt;hostile-mark&gt;", "safe\\u202egpj.exe", "bell\\u0007\\u001b[31m"] {
        let numeric = text.replace("&lt;", "&#60;").replace("&gt;", "&#62;");
        assert!(
            reported.contains(text) || reported.contains(&numeric),
            "no page shows {text}, so that this is no test"
        );
    }
}

#[tokio::test]
async fn texts_of_a_login_stay_texts() {
    let served = Served::closed(Made::bare()).await;
    for text in HOSTILE {
        let text: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let page = served.log_in(&format!("name={text}&token=x&next={text}")).await.is(401);
        assert_is_tame("/login", &page.body);
    }
}
