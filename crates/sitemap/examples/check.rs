//! Checks a sitemap file by the protocol; with a URL, as if it were served from there.
//!
//! `cargo run --example check -- sitemap.xml [https://www.example.com/sitemap.xml]`

use std::fs::File;
use std::process::ExitCode;

use jiff::Timestamp;
use mapwright_sitemap::{DocumentContext, check};

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a sitemap file")?;
    let url = std::env::args().nth(2).map(|url| url::Url::parse(&url)).transpose()?;
    let report = check(File::open(path)?, &DocumentContext { url, ..DocumentContext::default() }, Timestamp::now());
    for fault in &report.faults {
        println!("{fault}");
    }
    for remark in &report.remarks {
        println!("remark: {remark}");
    }
    println!("{} entries, {} faults", report.entries, report.faults.len());
    Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
