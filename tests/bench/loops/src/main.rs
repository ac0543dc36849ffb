//! The bare fetch loop: fetches the URLs of a list with a fixed number of requests in flight, and does nothing else. It
//! is the lower bound for a crawler that fetches the same pages with the same client, so a crawl's cost is compared
//! with it.

use std::cell::Cell;
use std::process::ExitCode;
use std::rc::Rc;

use reqwest::Client;
use reqwest::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};

const USAGE: &str = "usage: bench_loop --urls FILE [--flight N] [--gunzip]

Fetches every URL of FILE, one a line, with N requests in flight (64) over connections that are kept, and prints how
many answered 200 and how many bytes their bodies had. Gzip is requested either way: with --gunzip the client unpacks
it, without it the bytes stay as they came.";

struct Arguments {
    urls: Vec<String>,
    flight: usize,
    gunzip: bool,
}

/// The counters of the loop.
#[derive(Default)]
struct Sum {
    next: Cell<usize>,
    fine: Cell<usize>,
    failed: Cell<usize>,
    bytes: Cell<usize>,
}

// One thread, as the crawler has one core.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments = match parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("bench_loop: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(arguments).await {
        Ok(sum) => {
            println!("{} pages, {} failed, {} bytes", sum.fine.get(), sum.failed.get(), sum.bytes.get());
            if sum.failed.get() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("bench_loop: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> reqwest::Result<Rc<Sum>> {
    let client = client(arguments.gunzip, arguments.flight)?;
    let sum = Rc::new(Sum::default());
    let urls = Rc::new(arguments.urls);
    let lanes = tokio::task::LocalSet::new();
    for _ in 0..arguments.flight {
        let (client, sum, urls) = (client.clone(), Rc::clone(&sum), Rc::clone(&urls));
        lanes.spawn_local(async move {
            while let Some(url) = urls.get(sum.next.replace(sum.next.get() + 1)) {
                match fetch(&client, url).await {
                    Ok(length) => {
                        sum.fine.set(sum.fine.get() + 1);
                        sum.bytes.set(sum.bytes.get() + length);
                    }
                    Err(error) => {
                        eprintln!("bench_loop: {error}");
                        sum.failed.set(sum.failed.get() + 1);
                    }
                }
            }
        });
    }
    lanes.await;
    Ok(sum)
}

fn client(gunzip: bool, flight: usize) -> reqwest::Result<Client> {
    let builder = Client::builder().no_proxy().gzip(gunzip).pool_max_idle_per_host(flight);
    if gunzip {
        return builder.build();
    }
    // The client sends Accept-Encoding only if it decompresses, so the header is set here.
    let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static("gzip"))]);
    builder.default_headers(headers).build()
}

/// The length of the body.
async fn fetch(client: &Client, url: &str) -> reqwest::Result<usize> {
    let answer = client.get(url).send().await?.error_for_status()?;
    Ok(answer.bytes().await?.len())
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments { urls: Vec::new(), flight: 64, gunzip: false };
    while let Some(flag) = words.next() {
        if flag == "--gunzip" {
            arguments.gunzip = true;
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
        match flag.as_str() {
            "--urls" => {
                let text = std::fs::read_to_string(&value).map_err(|error| format!("{value}: {error}"))?;
                arguments.urls = text.lines().map(str::to_owned).collect();
            }
            "--flight" => arguments.flight = value.parse().map_err(|_| format!("--flight {value}: not a number"))?,
            _ => return Err(format!("unknown option {flag}")),
        }
    }
    if arguments.urls.is_empty() {
        return Err("no URLs: give --urls FILE".to_owned());
    }
    Ok(arguments)
}
