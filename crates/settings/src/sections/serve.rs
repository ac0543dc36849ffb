//! `[serve]`: the nightly service, and who may look at it.

use crate::definition::{Audience, section};
use crate::kind::Kind;
use crate::values::LogFormat;
use std::path::PathBuf;
use std::time::Duration;

section! {
    /// The nightly service, and who may look at it.
    pub struct ServeSection in Serve;

    /// Show the dashboard at this address; empty shows none.
    ///
    /// Any address but one of this machine's own (127.0.0.0/8, ::1) needs `--token-file` or `--users-file`, and
    /// `--tls-cert` or `--behind-proxy`.
    listen: Option<String> = "127.0.0.1:8470", Kind::Text { name: "ADDRESS:PORT", example: "127.0.0.1:8470" },
        Audience::SERVE;

    /// Keep the records of all jobs, and the ledger of their nights, below this directory.
    ///
    /// Without it, `$STATE_DIRECTORY` (which systemd sets), else `$XDG_STATE_HOME/mapwright/`, else
    /// `~/.local/state/mapwright/`.
    state_root: Option<PathBuf> = "", Kind::Path { name: "DIR", example: "/var/lib/mapwright" }, Audience::SERVICE;

    /// Let in whoever knows the token in this file, as an operator.
    token_file: Option<PathBuf> = "", Kind::Path { name: "FILE", example: "/etc/mapwright/token" }, Audience::SERVE;

    /// Let in the users of this file: a line each, `NAME:ROLE:HASH`, the role being `reader` or `operator`.
    ///
    /// `mapwright jobs hash-password` makes the hash (argon2) from a password on standard input.
    users_file: Option<PathBuf> = "", Kind::Path { name: "FILE", example: "/etc/mapwright/users" }, Audience::SERVE;

    /// A proxy in front speaks TLS and passes requests for this origin on.
    behind_proxy: Option<String> = "", Kind::BaseUrl, Audience::SERVE;

    /// Further host names by which the dashboard may be asked for.
    server_name: Vec<String> = "", Kind::Name { name: "HOST", example: "ops.example" }, Audience::SERVE;

    /// Certificate chain of the dashboard, PEM; with `--tls-key` it speaks TLS itself.
    tls_cert: Option<PathBuf> = "", Kind::Path { name: "FILE", example: "/etc/mapwright/dashboard.pem" },
        Audience::SERVE;

    /// Private key of the dashboard's certificate, PEM.
    tls_key: Option<PathBuf> = "", Kind::Path { name: "FILE", example: "/etc/mapwright/dashboard.key" },
        Audience::SERVE;

    /// Jobs that run at the same time, at most.
    max_jobs: u32 = "2", Kind::Count { min: 1, max: 1000 }, Audience::SERVE;

    /// At SIGTERM, let running jobs save what they have for at most this long.
    drain: Duration = "30s", Kind::Duration { min: Duration::from_secs(1) }, Audience::SERVE;

    /// Write each line of the service's log as text with time and level, or as an object of JSON.
    log_format: LogFormat = "text", Kind::Choice(LogFormat::WORDS), Audience::SERVE;
}
