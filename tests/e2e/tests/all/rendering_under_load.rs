//! Rendering while other programs take all processors: the same pages, down to the last link.

use mapwright_e2e::scripted_app::scripted_app;
use mapwright_e2e::{Command, Workspace};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const PAGES: usize = if cfg!(feature = "full") { 1_000 } else { 40 };
/// Loops without end, beside the browser.
const LOOPS: usize = 4;
/// The record of a crawl, without times.
const VIEWS: [&str; 4] = [
    "SELECT url, status, outcome, redirect, canonical, noindex, nofollow, depth, inlinks, title, description, listed,
            reason FROM v_pages ORDER BY url",
    "SELECT source, target, kind, region, anchor FROM v_links ORDER BY source, target, kind, anchor",
    "SELECT url, reason, evidence FROM v_excluded ORDER BY url",
    "SELECT url, requests, cut, failure, failed, errors FROM v_rendered ORDER BY url",
];

#[test]
fn a_loaded_machine_renders_the_same_pages_every_time() {
    let site = scripted_app(PAGES);
    let load = Load::begin();
    let [first, second, third] = [(); 3].map(|()| {
        let workspace = Workspace::new();
        let words = ["crawl", &site.url("/p/1"), "--out", "out", "--state", "state", "--render", "always"];
        let _ = Command::new(words).within(&workspace).run().exited(0);
        VIEWS.map(|view| workspace.query(view))
    });
    drop(load);
    assert_eq!(first[0].iter().filter(|row| row[11] == "1").count(), PAGES, "{:?}", first[0]);
    assert!(first[3].iter().all(|row| row[2] == "0"), "some pages did not come to rest");
    assert!(first == second, "the second crawl differs");
    assert!(first == third, "the third crawl differs");
}

/// Threads that compute until this is dropped.
struct Load(Arc<AtomicBool>);

impl Load {
    fn begin() -> Load {
        let goes_on = Arc::new(AtomicBool::new(true));
        for _ in 0..LOOPS {
            let goes_on = Arc::clone(&goes_on);
            thread::spawn(move || {
                while goes_on.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Load(goes_on)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
