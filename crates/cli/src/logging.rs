//! Logging to standard error: each `-v` adds detail.

use crate::terminal_escape::{SafeJsonWriter, SafeWriter};
use mapwright_settings::{LogFormat, Settings};
use tracing_subscriber::filter::LevelFilter;

/// Starts logging at the level of the settings. A second call changes nothing.
pub(crate) fn start(settings: &Settings) {
    start_at(LevelFilter::ERROR, false, settings);
}

/// Starts logging for a job run by hand or from a timer, with warnings, which are shown nowhere else.
pub(crate) fn start_day(settings: &Settings) {
    start_at(LevelFilter::WARN, false, settings);
}

/// Starts logging for a service, whose log reports the result of every run.
pub(crate) fn start_service(settings: &Settings) {
    start_at(LevelFilter::INFO, settings.serve.log_format == LogFormat::Json, settings);
}

/// Starts logging in text or JSON; `least` is the level without any `-v`.
fn start_at(least: LevelFilter, is_json: bool, settings: &Settings) {
    let level = match settings.output.verbose {
        0 => least,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let level = if settings.output.quiet { LevelFilter::ERROR } else { level };
    if is_json {
        let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_current_span(false);
        let subscriber = subscriber.with_span_list(false).with_max_level(level).with_target(false);
        let _ = subscriber.with_writer(|| SafeJsonWriter(std::io::stderr())).try_init();
        return;
    }
    // Log lines quote text of sites, so no escape sequence is written, not even for colour.
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_target(false)
        .with_writer(|| SafeWriter(std::io::stderr()));
    // An error means that logging was started before.
    let _ = subscriber.try_init();
}
