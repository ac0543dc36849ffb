//! The images, style sheets, scripts and other files that pages load.

use super::page::Page;
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::response::Response;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![broken(), types(), sizes(), blocked(), style_sheets(), minified(), manifests()]
}

fn file(media_type: &str) -> Response {
    Response::new(200).header("Content-Type", media_type)
}

fn broken() -> LabelledSite {
    let mut site = SiteBuilder::new("resources-broken", &["resource-broken", "resource-redirect", "http-4xx"]);
    site.plain(5);
    let images = "<img src=/gone.png alt=Gone><img src=/fine.png alt=Fine><img src=/moved.png alt=Moved>\
                  <video src=/gone.mp4></video><img src=/linked.png alt=Linked><a href=/linked.png>Large</a>\
                  <img srcset='/fine.png 1x, /gone-2x.png 2x' alt=Sharp>";
    let head = "<link rel=stylesheet href=/gone.css><link rel=icon href=/gone.ico><script src=/gone.js></script>\
                <link rel=manifest href=/gone.json><link rel=preload as=font href=/gone.woff2>\
                <link rel=preconnect href=/not-loaded><link rel=amphtml href=/gone.amp>";
    site.put(Page::at("/shows").head(head).body(images));
    let gone = [
        "/gone.png",
        "/gone.mp4",
        "/gone-2x.png",
        "/gone.css",
        "/gone.ico",
        "/gone.js",
        "/gone.json",
        "/gone.woff2",
        "/gone.amp",
    ];
    for path in gone.iter().chain(&["/linked.png", "/not-loaded"]) {
        site.unlinked_answer(path, Response::new(404));
    }
    site.unlinked_answer("/fine.png", file("image/png"));
    site.unlinked_answer("/moved.png", Response::redirect(301, "/fine.png"));
    site.all_have("resource-broken", &gone)
        .expect_code("resource-redirect", "/moved.png")
        .expect_not("resource-broken", "/fine.png", "it is there")
        .expect_not("resource-broken", "/moved.png", "it redirects to one that is there")
        .expect_not("resource-broken", "/linked.png", "it is linked, and reported as a broken link")
        .expect_not("resource-broken", "/not-loaded", "a hint for connections loads nothing")
        .expect_not("resource-redirect", "/fine.png", "it is the final target")
        .expect_code("http-4xx", "/linked.png");
    site.open()
}

fn types() -> LabelledSite {
    let mut site = SiteBuilder::new("resource-types", &["resource-type"]);
    site.plain(5);
    let head = "<link rel=stylesheet href=/fine.css><link rel=stylesheet href=/page.css><script src=/fine.js></script>\
                <script src=/page.js></script><script src=/old.js></script><link rel=amphtml href=/fine.amp>\
                <link rel=amphtml href=/text.amp>";
    site.put(Page::at("/shows").head(head).body("<img src=/fine.png alt=Fine><img src=/page.png alt=Page>"));
    for (path, media_type) in [
        ("/fine.css", "text/css; charset=utf-8"),
        ("/page.css", "text/html"),
        ("/fine.js", "text/javascript"),
        ("/old.js", "application/x-javascript"),
        ("/page.js", "text/html; charset=utf-8"),
        ("/fine.png", "image/webp"),
        ("/page.png", "text/html"),
        ("/fine.amp", "text/html; charset=utf-8"),
        ("/text.amp", "text/plain"),
    ] {
        site.unlinked_answer(path, file(media_type));
    }
    site.all_have("resource-type", &["/page.css", "/page.js", "/page.png", "/text.amp"])
        .expect_not("resource-type", "/fine.amp", "AMP pages are pages")
        .expect_not("resource-type", "/fine.css", "it is a style sheet, whatever its charset")
        .expect_not("resource-type", "/old.js", "browsers know the old type")
        .expect_not("resource-type", "/fine.png", "it is an image, whatever its name");
    site.open()
}

fn sizes() -> LabelledSite {
    let mut site = SiteBuilder::new("resource-sizes", &["resource-oversize", "resource-uncompressed"]);
    site.plain(5);
    let head = "<script src=/plain.js></script><script src=/packed.js></script><script src=/tiny.js></script>";
    let body = "<img src=/large.png alt=Large><img src=/fine.png alt=Fine><video src=/film.mp4></video>";
    site.put(Page::at("/shows").head(head).body(body));
    for (path, media_type, bytes) in [
        ("/plain.js", "text/javascript", 40_000),
        ("/tiny.js", "text/javascript", 400),
        ("/large.png", "image/png", 700_000),
        ("/fine.png", "image/png", 70_000),
        ("/film.mp4", "video/mp4", 900_000),
    ] {
        site.unlinked_answer(path, file(media_type).body(vec![b' '; bytes]));
    }
    site.unlinked_answer("/packed.js", file("text/javascript").body(vec![b' '; 40_000]).gzip());
    site.expect_code("resource-oversize", "/large.png")
        .expect_code("resource-uncompressed", "/plain.js")
        .expect_not("resource-oversize", "/fine.png", "it is small")
        .expect_not("resource-oversize", "/film.mp4", "films are large")
        .expect_not("resource-uncompressed", "/packed.js", "it is compressed")
        .expect_not("resource-uncompressed", "/tiny.js", "compression saves nothing of so little")
        .expect_not("resource-uncompressed", "/large.png", "its format is compressed");
    site.open()
}

fn style_sheets() -> LabelledSite {
    let mut site = SiteBuilder::new("style-sheets", &["resource-broken", "resource-type", "resource-redirect"]);
    site.plain(5);
    site.put(Page::at("/shows").head("<link rel=stylesheet href=/css/main.css>"));
    let main = "@import 'gone.css'; @import url(more.css) print; /* url(/commented.png) */
        @font-face { font-family: A; src: url(../fonts/gone.woff2), url('../fonts/fine.woff2') }
        body { background: url( \"/img/gone.png\" ) } .a { background: url(/img/fine.png) }
        .b { background: url(data:image/png;base64,AAAA) } .c { content: 'url(/quoted.png)' }
        .d { background: url(/img/page.png) }";
    let more = "@import 'deeper.css'; .e { background: url(/img/too-deep.png) }";
    site.unlinked_answer("/css/main.css", file("text/css").body(main));
    site.unlinked_answer("/css/more.css", file("text/css").body(more));
    site.unlinked_answer("/fonts/fine.woff2", file("font/woff2"));
    site.unlinked_answer("/img/fine.png", file("image/png"));
    site.unlinked_answer("/img/page.png", file("text/html"));
    let gone = ["/css/gone.css", "/fonts/gone.woff2", "/img/gone.png"];
    let others = ["/commented.png", "/quoted.png", "/css/deeper.css", "/img/too-deep.png"];
    for path in gone.iter().chain(&others) {
        site.unlinked_answer(path, Response::new(404));
    }
    site.all_have("resource-broken", &gone)
        .expect_code("resource-type", "/img/page.png")
        .expect_not("resource-broken", "/css/more.css", "it is there")
        .expect_not("resource-broken", "/img/fine.png", "it is there")
        .expect_not("resource-broken", "/commented.png", "a comment loads nothing")
        .expect_not("resource-broken", "/quoted.png", "a string loads nothing")
        .expect_not("resource-broken", "/img/too-deep.png", "style sheets are read one level deep");
    site.open()
}

fn minified() -> LabelledSite {
    let mut site = SiteBuilder::new("minified-files", &["resource-unminified"]);
    site.plain(5);
    let head = "<link rel=stylesheet href=/long.css><link rel=stylesheet href=/short.css><script src=/long.js></script>\
                <script src=/minified.js></script><script src=/packed.js></script>";
    site.put(Page::at("/shows").head(head));
    let css = |count| (0..count).map(|n| format!(".a{n} {{\n        color: red;\n}}\n")).collect::<String>();
    let js = (0..1_500).map(|n| format!("// step {n}\nf({n});\n")).collect::<String>();
    let minified = (0..5_000).map(|n| format!("f({n});")).collect::<String>();
    site.unlinked_answer("/long.css", file("text/css").body(css(2_000)));
    site.unlinked_answer("/short.css", file("text/css").body(css(20)));
    site.unlinked_answer("/long.js", file("text/javascript").body(js.clone()));
    site.unlinked_answer("/packed.js", file("text/javascript").body(js).gzip());
    site.unlinked_answer("/minified.js", file("text/javascript").body(minified));
    site.all_have("resource-unminified", &["/long.css", "/long.js", "/packed.js"])
        .expect_not("resource-unminified", "/short.css", "little can be saved")
        .expect_not("resource-unminified", "/minified.js", "it is minified");
    site.open()
}

fn manifests() -> LabelledSite {
    let mut site = SiteBuilder::new("manifests", &["manifest-malformed"]);
    site.plain(5);
    let manifest = |path: &str| Page::at(&format!("/with{path}")).head(&format!("<link rel=manifest href={path}>"));
    let good = "{\"name\": \"Shop\", \"icons\": []}";
    for (path, media_type, text) in [
        ("/good.webmanifest", "application/manifest+json", good),
        ("/plain/manifest.json", "text/plain", good),
        ("/comma.webmanifest", "application/manifest+json", "{\"name\": \"Shop\",}"),
        ("/comment/manifest.json", "application/json", "// The shop\n{\"name\": \"Shop\"}"),
        ("/list.webmanifest", "application/octet-stream", "[]"),
    ] {
        site.put(manifest(path));
        site.unlinked_answer(path, file(media_type).body(text));
    }
    site.put(Page::at("/shows").body("<img src=/photo.webmanifest alt=Photo>"));
    site.unlinked_answer("/photo.webmanifest", file("image/png").body("no JSON"));
    site.all_have("manifest-malformed", &["/comma.webmanifest", "/comment/manifest.json", "/list.webmanifest"])
        .expect_not("manifest-malformed", "/good.webmanifest", "it is a JSON object")
        .expect_not("manifest-malformed", "/plain/manifest.json", "browsers do not look at the type")
        .expect_not("manifest-malformed", "/photo.webmanifest", "no page loads it as a manifest");
    site.open()
}

fn blocked() -> LabelledSite {
    let mut site = SiteBuilder::new("resources-blocked", &["resource-blocked"]);
    site.plain(5).rules("User-agent: *\nDisallow: /cgi/\n\nUser-agent: Googlebot\nDisallow: /assets/\n");
    let head = "<link rel=stylesheet href=/assets/page.css><script src=/cgi/page.js></script>\
                <script src=/scripts/page.js></script><link rel=icon href=/assets/icon.png>";
    site.put(Page::at("/shows").head(head));
    for (path, media_type) in
        [("/assets/page.css", "text/css"), ("/cgi/page.js", "text/javascript"), ("/scripts/page.js", "text/javascript")]
    {
        site.unlinked_answer(path, file(media_type));
    }
    site.unlinked_answer("/assets/icon.png", file("image/png"));
    site.expect_code("resource-blocked", "/assets/page.css")
        .expect_not("resource-blocked", "/cgi/page.js", "the group of the search engine allows it")
        .expect_not("resource-blocked", "/scripts/page.js", "no group disallows it")
        .expect_not("resource-blocked", "/assets/icon.png", "the page is complete without its icon");
    site.open()
}
