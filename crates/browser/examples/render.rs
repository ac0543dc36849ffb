//! Renders one page: `cargo run --package mapwright-browser --example render -- URL [TIMES]`. Prints the document that
//! its scripts made, and on standard error what it took, and how many different documents that many renderings made.
//! Loopback addresses are allowed.

use mapwright_browser::{Document, Program, Render as _, RenderOptions, Rendered, Renderer, Sandbox};
use mapwright_fetch::{Accept, Conditions, DEFAULT_USER_AGENT, Fetch as _, FetchOptions, HttpFetch, Method, Request};
use mapwright_model::Rendering;
use mapwright_web::media::Kinds;
use mapwright_web::{PageUrl, UrlIdentity};
use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).ok_or("name a URL")?;
    let url = PageUrl::parse(&text, &UrlIdentity::default()).map_err(|error| format!("{text}: {error:?}"))?;
    let path: Vec<_> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    let program = Program::find(&path).ok_or("no browser is installed")?;
    let options = || FetchOptions { first_party: vec![url.origin()], ..FetchOptions::default() };
    let request = Request {
        method: Method::Get,
        url: url.clone(),
        spelling: None,
        conditions: Conditions::default(),
        accept: Accept::Page,
        max_body: 16 << 20,
        full_body_kinds: Kinds::ALL,
        cookie_wall: false,
        scripted: None,
    };
    let reply = HttpFetch::new(options())?.fetch(request).await.map_err(|failure| failure.to_string())?;
    let user_agent = DEFAULT_USER_AGENT.to_owned();
    let timeout = Duration::from_secs(20);
    let render_options = RenderOptions { program, sandbox: Sandbox::Auto, tabs: 1, timeout, user_agent };
    let renderer = Renderer::new(HttpFetch::new(options())?, render_options);
    let document = Arc::new(Document { url, headers: reply.headers, body: reply.body });
    let Rendered { html, rendering, .. } = renderer.render(Arc::clone(&document)).await?;
    println!("{html}");
    rendering.errors.iter().for_each(|error| eprintln!("script error: {error}"));
    rendering.failed.iter().for_each(|failed| eprintln!("{:?}: {}", failed.reason, failed.url));
    let times: u32 = std::env::args().nth(2).and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut all = HashMap::from([(html, 1_u32)]);
    let began = Instant::now();
    for _ in 1..times {
        *all.entry(renderer.render(Arc::clone(&document)).await?.html).or_default() += 1;
    }
    if times > 1 {
        let mean = began.elapsed() / (times - 1);
        eprintln!("{times} renderings made these numbers of equal documents: {:?}; {mean:?} each", all.values());
    }
    let version = renderer.browser();
    let Rendering { navigation, requests, took, cut, .. } = rendering;
    eprintln!("{version:?}, {requests} requests, {took:?}, cut: {cut}, navigation: {navigation:?}");
    Ok(())
}
