//! What the program tells of its own work, on standard error: the more `-v`, the more.

use crate::terminal::SafeWriter;
use mapwright_settings::Settings;
use tracing_subscriber::filter::LevelFilter;

/// Starts logging as the settings ask for. A second call changes nothing.
pub(crate) fn start(settings: &Settings) {
    start_at(LevelFilter::ERROR, settings);
}

/// The same for a night that is kept by hand or by another's clock: what did not go well shows nowhere else.
pub(crate) fn start_night(settings: &Settings) {
    start_at(LevelFilter::WARN, settings);
}

/// The same for a service, whose log tells by itself how its nights come out.
pub(crate) fn start_service(settings: &Settings) {
    start_at(LevelFilter::INFO, settings);
}

/// Starts logging; `least` is what is told without any `-v`.
fn start_at(least: LevelFilter, settings: &Settings) {
    let level = match settings.output.verbose {
        0 => least,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let level = if settings.output.quiet { LevelFilter::ERROR } else { level };
    // Log lines quote what sites send, so no escape sequence is let through, not even for colour.
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_target(false)
        .with_writer(|| SafeWriter(std::io::stderr()));
    // An error means that logging has been started before.
    let _ = subscriber.try_init();
}
