//! `[publish]`: copies of published sitemaps in other places, and search engines to notify.

use crate::commands::OptionCommands;
use crate::kind::ValueKind;
use crate::section_macro::section;
use std::path::PathBuf;
use std::time::Duration;

section! {
    /// Copies of published sitemaps in other places, and search engines to notify.
    pub struct PublishSection in Publish;

    /// Write URLs of one host as those of another, `staging.example=www.example.com`.
    rewrite_host: Vec<String> = "",
        kind ValueKind::Name { name: "FROM=TO", example: "staging.example=www.example.com" },
        for OptionCommands::SITEMAPS;

    /// Keep files that are no longer part of the sitemap for this long, for readers that hold an older index.
    ///
    /// Without it, a crawl keeps them until the next one has published, and a job for a day.
    grace: Option<Duration> = "", kind ValueKind::Duration { min: Duration::ZERO }, for OptionCommands::SITEMAPS;

    /// Copy the published files to this place too: `s3://BUCKET/PREFIX`, `gs://…`, `az://…`, or `command:PROGRAM …`,
    /// which receives a list of the files on its standard input.
    ///
    /// Credentials are taken from the environment: `AWS_…`, `GOOGLE_…`, `AZURE_…`.
    mirror: Vec<String> = "",
        kind ValueKind::Place { name: "PLACE", example: "s3://bucket/sitemaps" }, for OptionCommands::JOB;

    /// Give up copying files to a place after this long.
    mirror_timeout: Duration = "10m", kind ValueKind::Duration { min: Duration::from_secs(1) }, for OptionCommands::JOB;

    /// Notify this IndexNow endpoint of changed URLs.
    indexnow: Vec<String> = "",
        kind ValueKind::Text { name: "URL", example: "https://api.indexnow.org/indexnow" }, for OptionCommands::JOB;

    /// The file that holds the IndexNow key; the site must serve it as `KEY.txt`.
    indexnow_key_file: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "/etc/mapwright/indexnow-key" }, for OptionCommands::JOB;

    /// The URL of the IndexNow key, if it is not at the root of the site's host.
    indexnow_key_location: Option<String> = "",
        kind ValueKind::Text { name: "URL", example: "https://www.example.com/keys/KEY.txt" }, for OptionCommands::JOB;

    /// Submit the sitemap to this property of the Search Console: `sc-domain:example.com`, or a URL.
    search_console: Option<String> = "",
        kind ValueKind::Text { name: "PROPERTY", example: "sc-domain:example.com" }, for OptionCommands::JOB;

    /// The key file of a service account that has access to the property in the Search Console.
    search_console_key_file: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "/etc/mapwright/search-console.json" }, for OptionCommands::JOB;

    /// The base URL of the Search Console API.
    search_console_api: String = "https://www.googleapis.com/", kind ValueKind::BaseUrl, for OptionCommands::JOB;

    /// Request this URL after a sitemap changed; `{sitemap}` in it stands for the sitemap's own, percent-encoded.
    ping: Vec<String> = "",
        kind ValueKind::Place { name: "URL", example: "https://engine.example/ping?sitemap={sitemap}" },
        for OptionCommands::JOB;
}
