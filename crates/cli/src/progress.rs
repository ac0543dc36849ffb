//! Progress: one live line on a terminal, a plain line every few seconds elsewhere.

use crate::waiting::Waiting;
use crate::{failure, terminal};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mapwright_engine::{Event, Observer, Outcome};
use mapwright_jobs::counted;
use mapwright_settings::Settings;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time between two plain lines.
const PLAIN_EVERY: Duration = Duration::from_secs(10);
/// Times a second that the live line is drawn, at most.
const LIVE_HZ: u8 = 5;

/// How the crawl goes, counted from its events.
#[derive(Debug)]
pub(crate) struct Progress {
    began: Instant,
    shown: Shown,
    quiet: bool,
    /// Each request is told.
    verbose: bool,
    pages: AtomicU64,
    errors: AtomicU64,
    queued: AtomicU64,
    waiting: Waiting,
    /// When the last plain line was printed, in milliseconds since the beginning.
    printed: AtomicU64,
}

#[derive(Debug)]
enum Shown {
    Nothing,
    Live(ProgressBar),
    Plain,
}

impl Progress {
    pub(crate) fn start(settings: &Settings) -> Self {
        let off = settings.output.quiet || settings.output.no_progress;
        let shown = match (off, std::io::stderr().is_terminal()) {
            (true, _) => Shown::Nothing,
            (false, true) => Shown::Live(live()),
            (false, false) => Shown::Plain,
        };
        let zero = || AtomicU64::new(0);
        let quiet = settings.output.quiet;
        Self {
            began: Instant::now(),
            shown,
            quiet,
            verbose: settings.output.verbose > 0 && !quiet,
            pages: zero(),
            errors: zero(),
            queued: zero(),
            waiting: Waiting::default(),
            printed: zero(),
        }
    }

    /// Takes the live line away.
    pub(crate) fn end(&self) {
        if let Shown::Live(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }

    /// A line that stays, above the live one.
    fn say(&self, text: &str) {
        match &self.shown {
            Shown::Live(bar) => bar.suspend(|| failure::say(text)),
            Shown::Plain => failure::say(text),
            Shown::Nothing if self.quiet => {}
            Shown::Nothing => failure::say(text),
        }
    }

    fn line(&self) -> String {
        let seconds = self.began.elapsed().as_secs_f64();
        let pages = self.pages.load(Ordering::Relaxed);
        let rate = if seconds > 0.0 { pages as f64 / seconds } else { 0.0 };
        format!(
            "{pages} done, {} queued, {rate:.1} pages/s, {}, {}{}",
            self.queued.load(Ordering::Relaxed),
            counted(self.errors.load(Ordering::Relaxed), "error"),
            clock(seconds as u64),
            self.waiting.told()
        )
    }

    fn show(&self) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Live(bar) => bar.set_message(self.line()),
            Shown::Plain => self.print_if_due(),
        }
    }

    fn print_if_due(&self) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let before = self.printed.load(Ordering::Relaxed);
        let due = now.saturating_sub(before) >= PLAIN_EVERY.as_millis() as u64;
        if due && self.printed.compare_exchange(before, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            // Where standard error is gone there is nobody to tell.
            let _ = writeln!(std::io::stderr().lock(), "{}", terminal::line(&self.line()));
        }
    }
}

fn live() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(LIVE_HZ));
    bar.set_style(ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

fn clock(seconds: u64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// What became of one request, in a line.
fn told(url: &str, outcome: Outcome, status: Option<u16>, again: bool) -> String {
    let what = status.map_or_else(|| outcome.as_str().to_owned(), |status| status.to_string());
    let again = if again { " (will be tried again)" } else { "" };
    format!("{what} {url}{again}")
}

impl Observer for Progress {
    fn see(&self, event: &Event<'_>) {
        if let Event::Visited { url, outcome, status, again, .. } = event
            && self.verbose
        {
            self.say(&told(url, *outcome, *status, *again));
        }
        if let Event::Visited { is_page: true, status: Some(status), .. } = event {
            self.waiting.answered(*status);
        }
        match event {
            Event::Visited { is_page: true, outcome, status, again: false, .. } => {
                self.pages.fetch_add(u64::from(*outcome != Outcome::Refused), Ordering::Relaxed);
                let failed = matches!(outcome, Outcome::NoAnswer | Outcome::Broken | Outcome::Failed)
                    || status.is_some_and(|status| status >= 400);
                self.errors.fetch_add(u64::from(failed), Ordering::Relaxed);
            }
            Event::Committed { queued } => {
                self.queued.store(*queued, Ordering::Relaxed);
                self.show();
            }
            Event::Notice { text } => self.say(text),
            Event::Visited { .. } | Event::ScopeMoved { .. } | Event::StartLeft { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn elapsed_time_reads_like_a_clock() {
        assert_eq!(clock(0), "0:00:00");
        assert_eq!(clock(3 * 3600 + 4 * 60 + 5), "3:04:05");
    }
}
