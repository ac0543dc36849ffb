//! `[serve]`: the service that runs jobs, and access to its dashboard.

use crate::commands::OptionCommands;
use crate::kind::ValueKind;
use crate::section_macro::section;
use crate::values::LogFormat;
use std::path::PathBuf;
use std::time::Duration;

section! {
    /// The service that runs jobs, and access to its dashboard.
    pub struct ServeSection in Serve;

    /// Serve the dashboard at this address; an empty value serves none.
    ///
    /// Any address but a loopback address (127.0.0.0/8, ::1) needs `--token-file` or `--users-file`, and `--tls-cert`
    /// or `--behind-proxy`.
    listen: Option<String> = "127.0.0.1:8470",
        kind ValueKind::Text { name: "ADDRESS:PORT", example: "127.0.0.1:8470" }, for OptionCommands::SERVE;

    /// Keep the records of all jobs, and the job store with their runs, below this directory.
    ///
    /// Without it, `$STATE_DIRECTORY` (which systemd sets), else `$XDG_STATE_HOME/mapwright/`, else
    /// `~/.local/state/mapwright/`.
    state_root: Option<PathBuf> = "",
        kind ValueKind::Path { name: "DIR", example: "/var/lib/mapwright" }, for OptionCommands::SERVICE;

    /// Give clients that present the token in this file access as an operator.
    token_file: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "/etc/mapwright/token" }, for OptionCommands::SERVE;

    /// Give the users in this file access: one line each, `NAME:ROLE:HASH`, the role being `reader` or `operator`.
    ///
    /// `mapwright jobs hash-password` makes the hash (argon2) from a password on standard input.
    users_file: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "/etc/mapwright/users" }, for OptionCommands::SERVE;

    /// The public origin of the dashboard if a reverse proxy in front of it terminates TLS.
    behind_proxy: Option<String> = "", kind ValueKind::BaseUrl, for OptionCommands::SERVE;

    /// Further host names by which the dashboard may be requested.
    server_name: Vec<String> = "",
        kind ValueKind::Name { name: "HOST", example: "ops.example" }, for OptionCommands::SERVE;

    /// Certificate chain of the dashboard, PEM; with `--tls-key`, the dashboard serves HTTPS itself.
    tls_cert: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "/etc/mapwright/dashboard.pem" }, for OptionCommands::SERVE;

    /// Private key of the dashboard's certificate, PEM.
    tls_key: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "/etc/mapwright/dashboard.key" }, for OptionCommands::SERVE;

    /// Run at most this many jobs at the same time.
    max_jobs: u32 = "2", kind ValueKind::Count { min: 1, max: 1000 }, for OptionCommands::SERVE;

    /// On SIGTERM, give running jobs at most this long to save their state.
    drain: Duration = "30s", kind ValueKind::Duration { min: Duration::from_secs(1) }, for OptionCommands::SERVE;

    /// Write each line of the service's log as text with time and level, or as an object of JSON.
    log_format: LogFormat = "text", for OptionCommands::SERVE;
}
