//! What the program tells of its own work, on standard error: the more `-v`, the more.

use crate::terminal::{SafeJsonWriter, SafeWriter};
use mapwright_settings::{LogFormat, Settings};
use tracing_subscriber::filter::LevelFilter;

/// Starts logging as the settings ask for. A second call changes nothing.
pub(crate) fn start(settings: &Settings) {
    start_at(LevelFilter::ERROR, false, settings);
}

/// The same for a night that is kept by hand or by another's clock: what did not go well shows nowhere else.
pub(crate) fn start_night(settings: &Settings) {
    start_at(LevelFilter::WARN, false, settings);
}

/// The same for a service, whose log tells by itself how its nights come out.
pub(crate) fn start_service(settings: &Settings) {
    start_at(LevelFilter::INFO, settings.serve.log_format == LogFormat::Json, settings);
}

/// Starts logging, in text or in JSON; `least` is what is told without any `-v`.
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
    // Log lines quote what sites send, so no escape sequence is let through, not even for colour.
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_target(false)
        .with_writer(|| SafeWriter(std::io::stderr()));
    // An error means that logging has been started before.
    let _ = subscriber.try_init();
}
