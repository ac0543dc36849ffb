//! Detection of the sitemap in robots.txt.

use mapwright_publish::robots_names;
use proptest::prelude::*;
use url::Url;

use crate::stand_in::url;

const SITEMAP: &str = "https://example.com/sitemap.xml";

fn named(robots: impl AsRef<[u8]>) -> bool {
    robots_names(robots.as_ref(), &url(SITEMAP))
}

#[test]
fn the_line_is_found_however_it_is_written() {
    let good = [
        "Sitemap: https://example.com/sitemap.xml",
        "\u{feff}sitemap:https://example.com/sitemap.xml",
        "User-agent: *\nDisallow: /\n\nSITEMAP :\thttps://example.com/sitemap.xml   # ours\r\nAllow: /",
        "a\rSiteMap: HTTPS://EXAMPLE.com:443/./sitemap.xml\r",
        "Sitemap: https://example.com/other.xml\nSitemap: https://example.com/sitemap.xml",
    ];
    for robots in good {
        assert!(named(robots), "{robots:?}");
    }
}

#[test]
fn other_lines_do_not_name_it() {
    let bad = [
        "",
        "# Sitemap: https://example.com/sitemap.xml",
        "Sitemap:",
        "Sitemap: /sitemap.xml",
        "Sitemap: //example.com/sitemap.xml",
        "Sitemap: http://example.com/sitemap.xml",
        "Sitemap: https://example.com/sitemap.xml.gz",
        "Sitemap: https://example.com/Sitemap.xml",
        "Disallow: https://example.com/sitemap.xml",
        "<html>Sitemap: https://example.com/sitemap.xml</html>",
    ];
    for robots in bad {
        assert!(!named(robots), "{robots:?}");
    }
    assert!(!named([0xff, 0xfe, 0, 13]));
}

#[test]
fn a_file_is_read_up_to_its_bound() {
    let line = format!("Sitemap: {SITEMAP}\n");
    let padding = |bytes: usize| "# filler\n".repeat(bytes / 9);
    assert!(named(padding(400 * 1024) + &line));
    assert!(!named(padding(600 * 1024) + &line));
}

/// The line as a person reads it.
fn naive(robots: &str, sitemap: &Url) -> bool {
    robots.trim_start_matches('\u{feff}').split(['\n', '\r']).any(|line| {
        let statement = line.split('#').next().unwrap_or_default();
        statement.split_once(':').is_some_and(|(field, value)| {
            field.trim().eq_ignore_ascii_case("sitemap") && Url::parse(value.trim()).is_ok_and(|url| url == *sitemap)
        })
    })
}

fn line() -> impl Strategy<Value = String> {
    let field =
        prop::sample::select(vec!["Sitemap", "sItEmAp", " SITEMAP ", "# Sitemap", "Disallow", "User-agent", "Site"]);
    let colon = prop::sample::select(vec![":", ": ", "\t:\t", "::"]);
    let value = prop::sample::select(vec![
        SITEMAP,
        "HTTPS://Example.COM/sitemap.xml",
        "https://example.com:443/a/../sitemap.xml",
        "https://example.com/sitemap.xml # here",
        "https://example.com/sitemap.xml#here",
        "https://example.com/sitemap.xml?a",
        "/sitemap.xml",
        "sitemap.xml",
        "*",
        "ü",
        "",
    ]);
    let end = prop::sample::select(vec!["\n", "\r\n", "\r", " \n\n"]);
    (field, colon, value, end).prop_map(|(field, colon, value, end)| format!("{field}{colon}{value}{end}"))
}

proptest! {
    #[test]
    fn lines_are_read_as_a_person_reads_them(lines in prop::collection::vec(line(), 0..8), bom: bool) {
        let robots = if bom { "\u{feff}" } else { "" }.to_owned() + &lines.concat();
        prop_assert_eq!(named(&robots), naive(&robots, &url(SITEMAP)), "{:?}", robots);
    }

    #[test]
    fn any_bytes_are_a_robots_txt(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        named(&bytes);
    }
}
