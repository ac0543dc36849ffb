//! `[publish]`: where sitemaps go beyond a directory, and which search engines hear of them.

use crate::definition::{Audience, section};
use crate::kind::Kind;
use std::path::PathBuf;
use std::time::Duration;

section! {
    /// Where sitemaps go beyond a directory, and which search engines hear of them.
    pub struct PublishSection in Publish;

    /// Write URLs of one host as those of another, `staging.example=www.example.com`.
    rewrite_host: Vec<String> = "", Kind::Name { name: "FROM=TO", example: "staging.example=www.example.com" },
        Audience::SITEMAPS;

    /// Keep files that left the set for this long, for readers that hold an older index.
    ///
    /// Without it, a crawl keeps them until the next one has published, and a job for a day.
    grace: Option<Duration> = "", Kind::Duration { min: Duration::ZERO }, Audience::SITEMAPS;

    /// Bring the published files to this place too: `s3://BUCKET/PREFIX`, `gs://…`, `az://…`, or `command:PROGRAM …`,
    /// which gets a list of the files on its standard input.
    ///
    /// Credentials are taken from the environment: `AWS_…`, `GOOGLE_…`, `AZURE_…`.
    mirror: Vec<String> = "", Kind::Place { name: "PLACE", example: "s3://bucket/sitemaps" }, Audience::JOB;

    /// Give up bringing files to a place after this long.
    mirror_timeout: Duration = "10m", Kind::Duration { min: Duration::from_secs(1) }, Audience::JOB;

    /// Tell this IndexNow endpoint which URLs changed.
    indexnow: Vec<String> = "", Kind::Text { name: "URL", example: "https://api.indexnow.org/indexnow" }, Audience::JOB;

    /// The file that holds the IndexNow key; the site must serve it as `KEY.txt`.
    indexnow_key_file: Option<PathBuf> = "", Kind::Path { name: "FILE", example: "/etc/mapwright/indexnow-key" },
        Audience::JOB;

    /// Where the site serves the IndexNow key, if not at the root of its host.
    indexnow_key_location: Option<String> = "",
        Kind::Text { name: "URL", example: "https://www.example.com/keys/KEY.txt" }, Audience::JOB;

    /// Submit the sitemap to this property of the Search Console: `sc-domain:example.com`, or a URL.
    search_console: Option<String> = "", Kind::Text { name: "PROPERTY", example: "sc-domain:example.com" },
        Audience::JOB;

    /// The key file of the service account that the Search Console knows.
    search_console_key_file: Option<PathBuf> = "",
        Kind::Path { name: "FILE", example: "/etc/mapwright/search-console.json" }, Audience::JOB;

    /// Where the API of the Search Console is reached.
    search_console_api: String = "https://www.googleapis.com/", Kind::BaseUrl, Audience::JOB;

    /// Ask for this URL once a sitemap changed; `{sitemap}` in it stands for the sitemap's own, percent-encoded.
    ping: Vec<String> = "", Kind::Place { name: "URL", example: "https://engine.example/ping?sitemap={sitemap}" },
        Audience::JOB;
}
