//! The configuration file.

use std::fmt::Write;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

pub(super) const ERROR_LOG: &str = "error.log";
pub(super) const ACCESS_LOG: &str = "access.log";
pub(super) const PID: &str = "nginx.pid";

/// Writes the configuration of one process without root that has all its files in `home`.
///
/// Its own table of media types keeps it independent of what other packages are installed.
pub(super) fn write(home: &Path, address: SocketAddr, mounts: &[(&str, PathBuf)]) -> io::Result<String> {
    let home = quoted(home)?;
    let mut config = format!(
        r#"daemon off;
master_process off;
pid "{home}/{PID}";
error_log "{home}/{ERROR_LOG}" notice;
worker_rlimit_nofile 4096;
events {{ worker_connections 1024; }}
http {{
    log_format targets '$request_method $request_uri $status';
    access_log "{home}/{ACCESS_LOG}" targets;
    client_body_temp_path "{home}/body";
    proxy_temp_path "{home}/proxy";
    fastcgi_temp_path "{home}/fastcgi";
    uwsgi_temp_path "{home}/uwsgi";
    scgi_temp_path "{home}/scgi";
    default_type application/octet-stream;
    types {{
        text/html html htm;
        text/css css;
        text/plain txt;
        text/xml xml;
        application/javascript js;
        application/pdf pdf;
        application/epub+zip epub;
        application/gzip gz;
        image/gif gif;
        image/png png;
        image/jpeg jpeg jpg;
        image/svg+xml svg;
    }}
    gzip on;
    gzip_min_length 256;
    keepalive_requests 100000;
    server {{
        listen {address};
        location / {{ return 404; }}
"#
    );
    for (prefix, directory) in mounts {
        let _ = writeln!(config, "        {}", location(prefix, directory)?);
    }
    config.push_str("    }\n}\n");
    Ok(config)
}

fn location(prefix: &str, directory: &Path) -> io::Result<String> {
    if !prefix.starts_with('/') || !prefix.ends_with('/') {
        return Err(invalid(format!("the URL prefix {prefix:?} must begin and end with a slash")));
    }
    let prefix = quoted(Path::new(prefix))?;
    let directory = quoted(directory)?;
    let directory = directory.trim_end_matches('/');
    // The server block answers 404 at "/", which a second plain location there would contradict; a pattern wins.
    Ok(match prefix.as_str() {
        "/" => format!(r#"location ~ ^/ {{ root "{directory}"; index index.html; }}"#),
        _ => format!(r#"location ^~ "{prefix}" {{ alias "{directory}/"; index index.html; }}"#),
    })
}

/// Quotes a path for double quotes, in which nginx has no way to write a dollar sign.
fn quoted(path: &Path) -> io::Result<String> {
    match path.to_str() {
        Some(text) if !text.contains(['"', '$', '\\', '\n']) => Ok(text.to_owned()),
        _ => Err(invalid(format!("{} cannot be written into nginx's configuration", path.display()))),
    }
}

fn invalid(message: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, message)
}
