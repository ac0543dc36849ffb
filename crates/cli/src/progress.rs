//! Progress: one live line on a terminal, a plain line every few seconds elsewhere.

use crate::rejection_streak::RejectionStreak;
use crate::stderr;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use mapwright_crawl::CrawlSpeed;
use mapwright_engine::{Event, Observer};
use mapwright_model::Outcome;
use mapwright_settings::Settings;
use mapwright_text::counted;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time between two plain lines.
const PLAIN_EVERY: Duration = Duration::from_secs(10);
/// Maximum refresh rate of the live line, per second.
const LIVE_HZ: u8 = 5;

/// The progress of a crawl, counted from its events.
#[derive(Debug)]
pub(crate) struct Progress {
    began: Instant,
    shown: Shown,
    quiet: bool,
    /// Each request is reported.
    verbose: bool,
    counts: Arc<Counts>,
    /// Time of the last plain line, in milliseconds since the beginning.
    printed: AtomicU64,
}

#[derive(Debug)]
struct Counts {
    speed: Mutex<CrawlSpeed>,
    waiting: RejectionStreak,
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
        let began = Instant::now();
        let counts =
            Arc::new(Counts { speed: Mutex::new(CrawlSpeed::new(began)), waiting: RejectionStreak::default() });
        let shown = match (off, std::io::stderr().is_terminal()) {
            (true, _) => Shown::Nothing,
            (false, true) => Shown::Live(live(Arc::clone(&counts))),
            (false, false) => Shown::Plain,
        };
        let quiet = settings.output.quiet;
        Self { began, shown, quiet, verbose: settings.output.verbose > 0 && !quiet, counts, printed: AtomicU64::new(0) }
    }

    /// Removes the live line.
    pub(crate) fn end(&self) {
        if let Shown::Live(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }

    /// Prints a permanent line above the live one.
    fn print_stderr(&self, text: &str) {
        match &self.shown {
            Shown::Live(bar) => bar.suspend(|| stderr::print_stderr(text)),
            Shown::Plain => stderr::print_stderr(text),
            Shown::Nothing if self.quiet => {}
            Shown::Nothing => stderr::print_stderr(text),
        }
    }

    fn print_if_due(&self) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let before = self.printed.load(Ordering::Relaxed);
        let due = now.saturating_sub(before) >= PLAIN_EVERY.as_millis() as u64;
        if due && self.printed.compare_exchange(before, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            // A closed standard error is ignored.
            let _ = writeln!(std::io::stderr().lock(), "{}", mapwright_text::visible(&self.counts.line()));
        }
    }
}

impl Counts {
    fn see(&self, event: &Event<'_>) {
        if let Event::Visited { is_page: true, status: Some(status), .. } = event {
            self.waiting.record_status(*status);
        }
        self.speed.lock().unwrap_or_else(PoisonError::into_inner).see(event, Instant::now());
    }

    fn line(&self) -> String {
        let now = Instant::now();
        let mut speed = self.speed.lock().unwrap_or_else(PoisonError::into_inner);
        speed.sample(now);
        let rendering = match speed.rendering() {
            0 => String::new(),
            pages => format!(", {pages} rendering"),
        };
        let silent = speed.silence(now).map(|silence| format!(", no answer for {} s", silence.as_secs()));
        format!(
            "{} done, {} queued{rendering}, {:.1} pages/s, {}, {}{}{}",
            speed.pages(),
            speed.queued(),
            speed.rate(now),
            counted(speed.errors(), "error"),
            clock(speed.elapsed(now).as_secs()),
            self.waiting.notice(),
            silent.unwrap_or_default()
        )
    }
}

/// The live line, which is rendered again at each refresh, so that it also shows that a site does not answer.
fn live(counts: Arc<Counts>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(LIVE_HZ));
    let line = move |_: &ProgressState, into: &mut dyn std::fmt::Write| {
        let _ = into.write_str(&counts.line());
    };
    let style = ProgressStyle::with_template("{spinner} {line}").map(|style| style.with_key("line", line));
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

fn clock(seconds: u64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The result of one request as a line.
fn output(url: &str, outcome: Outcome, status: Option<u16>, will_retry: bool) -> String {
    let what = status.map_or_else(|| outcome.as_str().to_owned(), |status| status.to_string());
    let will_retry = if will_retry { " (will be tried again)" } else { "" };
    format!("{what} {url}{will_retry}")
}

impl Observer for Progress {
    fn see(&self, event: &Event<'_>) {
        if let Event::Visited { url, outcome, status, will_retry, .. } = event
            && self.verbose
        {
            self.print_stderr(&output(url, *outcome, *status, *will_retry));
        }
        self.counts.see(event);
        match event {
            // A site that does not answer commits no batch.
            Event::Committed { .. } | Event::Visited { .. } if matches!(self.shown, Shown::Plain) => {
                self.print_if_due()
            }
            Event::Notice { text } => self.print_stderr(text),
            _ => {}
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
