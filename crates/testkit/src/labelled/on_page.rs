//! Titles, descriptions, headings, languages and texts of pages, and the form of their URLs.

use super::page::Page;
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![
        titles(),
        descriptions(),
        headings(),
        languages(),
        markup(),
        texts(),
        link_texts(),
        urls(),
        local(),
        unprotected(),
        protected(),
    ]
}

fn titles() -> LabelledSite {
    let mut site = SiteBuilder::new("title-lengths", &["title-missing", "title-several", "title-long", "title-short"]);
    let long = "Garden chairs, tables, hoses, sheds and everything else for a small garden in town";
    site.plain(10)
        .put(Page::at("/none").title("").headings(&["Garden chairs"]))
        .put(Page::at("/empty").title("").head("<title> </title>").headings(&["Garden tables"]))
        .put(Page::at("/drawing").title("").body("<svg><title>A chair</title></svg>"))
        .put(Page::at("/two").head("<title>Another title</title>"))
        .put(Page::at("/gate").body("<svg><title>A gate</title></svg>"))
        .put(Page::at("/long").title(long))
        .put(Page::at("/wide").title(&"WWWMM ".repeat(8)))
        .put(Page::at("/short").title("Chairs"))
        .put(Page::at("/fits").title("Garden chairs, tables, hoses and sheds for a small garden"))
        .put(Page::at("/hidden").title("").robots("noindex"))
        .put(Page::at("/variant").title("").canonical("/fits").unlisted())
        .all_have("title-missing", &["/none", "/empty", "/drawing"])
        .expect_code("title-several", "/two")
        .expect_not("title-several", "/gate", "the other title is of a drawing")
        .all_have("title-long", &["/long", "/wide"])
        .expect_code("title-short", "/short")
        .expect_not("title-missing", "/hidden", "no search result shows it")
        .expect_not("title-missing", "/variant", "the title of its canonical counts")
        .expect_not("title-long", "/fits", "it is as long as results show")
        .expect_not("title-short", "/fits", "it says what the page is about");
    site.open()
}

fn descriptions() -> LabelledSite {
    let mut site = SiteBuilder::new("descriptions", &["desc-missing", "desc-several", "desc-long", "desc-duplicate"]);
    let long = "Chairs, tables, hoses and sheds for gardens of every size. ".repeat(4);
    site.plain(10)
        .put(Page::at("/none").description(None))
        .put(Page::at("/empty").description(Some(" ")))
        .put(Page::at("/shared").description(None).head("<meta property=\"og:description\" content=\"Chairs.\">"))
        .put(Page::at("/two").head("<meta name=\"description\" content=\"Another description.\">"))
        .put(Page::at("/og").head("<meta property=\"og:description\" content=\"For others.\">"))
        .put(Page::at("/long").description(Some(&long)))
        .put(Page::at("/narrow").description(Some(&"il ".repeat(60))))
        .put(Page::at("/same").description(Some("The shop for gardens in town.")))
        .put(Page::at("/same-too").description(Some("The shop for gardens in town.")))
        .put(Page::at("/summer").description(Some("The shop for gardens in summer.")))
        .put(Page::at("/hidden").description(None).robots("noindex"))
        .all_have("desc-missing", &["/none", "/empty", "/shared"])
        .expect_code("desc-several", "/two")
        .expect_not("desc-several", "/og", "the other one is of the Open Graph protocol")
        .expect_code("desc-long", "/long")
        .has_group("desc-duplicate", &["/same", "/same-too"])
        .expect_not("desc-missing", "/hidden", "no search result shows it")
        .expect_not("desc-long", "/narrow", "its narrow characters fit")
        .unlike_group("desc-duplicate", &["/same", "/summer"], "the last word differs");
    site.open()
}

fn headings() -> LabelledSite {
    let mut site = SiteBuilder::new("first-headings", &["h1-missing", "h1-empty", "h1-several"]);
    site.plain(10)
        .put(Page::at("/none").headings(&[]))
        .put(Page::at("/second").headings(&[]).body("<h2>Garden chairs</h2>"))
        .put(Page::at("/empty").headings(&[" "]))
        .put(Page::at("/decorated").headings(&["<img src=\"/plain/1\" alt=\"\">"]))
        .put(Page::at("/logo").headings(&["<img src=\"/plain/1\" alt=\"The garden shop\">"]))
        .put(Page::at("/two").headings(&["Garden chairs", "Garden tables"]))
        .put(Page::at("/nested").body("<h2>Garden chairs</h2><h2>Garden tables</h2>"))
        .all_have("h1-missing", &["/none", "/second"])
        .all_have("h1-empty", &["/empty", "/decorated"])
        .expect_code("h1-several", "/two")
        .expect_not("h1-missing", "/logo", "its heading is an image with a text")
        .expect_not("h1-empty", "/logo", "the text of the image is the heading's")
        .expect_not("h1-several", "/nested", "the further headings are of the second level");
    site.open()
}

fn languages() -> LabelledSite {
    let mut site = SiteBuilder::new("page-languages", &["lang-missing", "lang-malformed"]);
    site.plain(10)
        .put(Page::at("/none").language(""))
        .put(Page::at("/empty").language("lang=\"\""))
        .put(Page::at("/underscore").language("lang=\"pt_BR\""))
        .put(Page::at("/words").language("lang=\"British English\""))
        .put(Page::at("/region").language("lang=\"pt-BR\""))
        .put(Page::at("/script").language("lang=\"zh-Hant-TW\""))
        .all_have("lang-missing", &["/none", "/empty"])
        .all_have("lang-malformed", &["/underscore", "/words"])
        .expect_not("lang-missing", "/script", "it names one, with its script")
        .expect_not("lang-malformed", "/region", "a hyphen joins language and region");
    site.open()
}

fn markup() -> LabelledSite {
    let about = ["viewport-missing", "image-alt", "og-incomplete", "json-ld-malformed"];
    let mut site = SiteBuilder::new("markup", &about);
    let og = |names: &[&str]| -> String {
        names.iter().map(|name| format!("<meta property=\"og:{name}\" content=\"x\">")).collect()
    };
    let json = |text: &str| format!("<script type=\"application/ld+json\">{text}</script>");
    site.plain(10)
        .put(Page::at("/large").without_viewport())
        .put(Page::at("/hidden").without_viewport().robots("noindex"))
        .put(Page::at("/silent").body("<img src=\"/plain/1\"><img src=\"/plain/2\" alt=\"A chair\">"))
        .put(Page::at("/decorated").body("<img src=\"/plain/1\" alt=\"\">"))
        .put(Page::at("/tracked").body("<noscript><img src=\"/plain/1\"></noscript>"))
        .put(Page::at("/begun").head(&og(&["title", "type"])))
        .put(Page::at("/complete").head(&og(&["title", "type", "image", "url"])))
        .put(Page::at("/spare-comma").head(&json("{\"@type\": \"Product\",}")))
        .put(Page::at("/product").head(&json("{\"@type\": \"Product\"}")))
        .expect_code("viewport-missing", "/large")
        .expect_not("viewport-missing", "/hidden", "it is not indexed")
        .expect_code("image-alt", "/silent")
        .expect_not("image-alt", "/decorated", "an empty text says that it decorates")
        .expect_not("image-alt", "/tracked", "those who run scripts have no such image")
        .expect_code("og-incomplete", "/begun")
        .expect_not("og-incomplete", "/complete", "all four are there")
        .expect_code("json-ld-malformed", "/spare-comma")
        .expect_not("json-ld-malformed", "/product", "it is JSON");
    site.open()
}

fn link_texts() -> LabelledSite {
    let mut site = SiteBuilder::new("link-texts", &["link-text-empty", "link-text-vague"]);
    let icon = |attributes: &str| format!("<a href=\"/plain/1\" {attributes}><img src=\"/plain/2\" alt=\"\"></a>");
    let link = |text: &str| format!("<a href=\"/plain/3\">{text}</a>");
    site.plain(10)
        .put(Page::at("/blank").without_navigation().body(&link(" ")))
        .put(Page::at("/icon").without_navigation().body(&icon("")))
        .put(Page::at("/labelled").without_navigation().body(&icon("aria-label=\"Chairs\"")))
        .put(Page::at("/titled").without_navigation().body(&icon("title=\"Chairs\"")))
        .put(
            Page::at("/named")
                .without_navigation()
                .body("<a href=\"/plain/1\"><img src=\"/plain/2\" alt=\"Chairs\"></a>"),
        )
        .put(Page::at("/teaser").without_navigation().body(&(link("Garden chairs") + &link("Read more"))))
        .put(Page::at("/here").without_navigation().body(&format!("<p>For chairs, {}.</p>", link("click here"))))
        .put(Page::at("/weiter").without_navigation().body(&link("Weiterlesen …")))
        .put(Page::at("/about").without_navigation().body(&link("Read more about chairs")))
        .all_have("link-text-empty", &["/blank", "/icon"])
        .all_have("link-text-vague", &["/here", "/weiter"])
        .expect_not("link-text-empty", "/labelled", "the label names the link")
        .expect_not("link-text-empty", "/titled", "the title names the link")
        .expect_not("link-text-empty", "/named", "the text of the image names the link")
        .expect_not("link-text-vague", "/teaser", "the page links the same target by its title")
        .expect_not("link-text-vague", "/about", "it says what there is more of");
    site.open()
}

fn unprotected() -> LabelledSite {
    let mut site = SiteBuilder::new("without-protection", &["security-headers"]);
    for number in 0..20 {
        site.put(Page::at(&format!("/open/{number}")).unprotected());
    }
    site.plain(5).site_has("security-headers");
    site.open()
}

fn protected() -> LabelledSite {
    let mut site = SiteBuilder::new("with-protection", &["security-headers"]);
    site.plain(10)
        .put(Page::at("/framed").unprotected())
        .site_unlike("security-headers", "one page is an exception, and http has no transport to protect");
    site.open()
}

fn local() -> LabelledSite {
    let mut site = SiteBuilder::new("local-links", &["link-local", "link-file"]);
    site.plain(10)
        .put(Page::at("/notes").links(&["file:///C:/notes.txt"]))
        .put(Page::at("/word").body("<p>file:///C:/notes.txt</p>"))
        .put(Page::at("/network").links(&["http://192.168.77.5/", "http://localhost:9/", "http://192.0.2.7/"]))
        .expect_code("link-file", "/notes")
        .expect_not("link-file", "/word", "it is no link")
        .all_have("link-local", &["http://192.168.77.5/", "http://localhost:9/"])
        .expect_not("link-local", "http://192.0.2.7/", "it is a public address");
    site.open()
}

fn texts() -> LabelledSite {
    let mut site = SiteBuilder::new("texts", &["thin-text", "password-over-http"]);
    let few = || vec!["To be done.".to_owned()];
    let items: String = (0..40).map(|n| format!("<li><a href=\"/plain/1#n{n}\">Chair {n}</a></li>")).collect();
    let field = |kind: &str| format!("<form><input type=\"{kind}\" name=\"word\"></form>");
    site.plain(10)
        .put(Page::at("/thin").paragraphs(few()))
        .put(Page::at("/list").paragraphs(few()).body(&format!("<ul>{items}</ul>")))
        .put(Page::at("/tags").paragraphs(few()).links(&["/plain/7", "/plain/8"]))
        .put(Page::at("/hidden").paragraphs(few()).robots("noindex"))
        .put(Page::at("/login").body(&field("password")))
        .put(Page::at("/box").body(&format!("<header>{}</header>", field("password"))))
        .put(Page::at("/search").body(&field("text")))
        .expect_code("thin-text", "/thin")
        .expect_not("thin-text", "/list", "its links are its content")
        .expect_not("thin-text", "/tags", "an index of two links, with a word beside them")
        .expect_not("thin-text", "/hidden", "it is not indexed")
        .all_have("password-over-http", &["/login", "/box"])
        .expect_not("password-over-http", "/search", "it has no password field");
    site.open()
}

fn urls() -> LabelledSite {
    let mut site = SiteBuilder::new("url-forms", &["url-blank", "url-upper-case", "url-underscore", "url-long"]);
    let long = format!("/{}", "garden-".repeat(20));
    let fits = format!("/{}", "garden-".repeat(10));
    site.plain(10)
        .pages(&["/garden%20chairs", "/Garden", "/garden_chairs", &long, &fits, "/find?Word=garden_chairs%20up"])
        .pages(&["/garden-chairs-9_9", "/_garden"])
        .expect_code("url-blank", "/garden%20chairs")
        .expect_code("url-upper-case", "/Garden")
        .expect_code("url-underscore", "/garden_chairs")
        .expect_code("url-long", &long)
        .expect_not("url-long", &fits, "people can copy it")
        .expect_not("url-underscore", "/garden-chairs-9_9", "it stands between numbers")
        .expect_not("url-underscore", "/_garden", "it joins no words");
    for code in ["url-blank", "url-upper-case", "url-underscore"] {
        site.expect_not(code, "/find?Word=garden_chairs%20up", "the query is left to forms");
    }
    site.open()
}
