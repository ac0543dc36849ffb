use std::io::Read;

use flate2::read::GzDecoder;

use super::*;
use crate::bench::LINKS;

fn print(press: &PageGenerator, number: u64, body: Body) -> Vec<u8> {
    let mut out = Vec::new();
    press.print(number, body, &mut out);
    out
}

fn text(press: &PageGenerator, number: u64) -> String {
    String::from_utf8(print(press, number, Body::Plain)).unwrap()
}

#[test]
fn gzip_unpacks_to_the_plain_page() {
    let press = PageGenerator::new(SitePlan::new(1_000, 1));
    for number in 0..200 {
        let mut packed = Vec::new();
        press.print(number, Body::Gzip, &mut packed);
        let mut unpacked = String::new();
        // Reading to the end checks the checksum and the length too.
        GzDecoder::new(packed.as_slice()).read_to_string(&mut unpacked).unwrap();
        assert_eq!(unpacked, text(&press, number));
        assert!(packed.len() * 2 < unpacked.len(), "{} of {}", packed.len(), unpacked.len());
    }
}

#[test]
fn pages_have_the_promised_size_and_links() {
    let press = PageGenerator::new(SitePlan::new(100_000, 1));
    let (mut sum, mut count) = (0, 0);
    for number in (0..100_000).step_by(97) {
        let page = text(&press, number);
        assert_eq!(page.matches("<a href=").count(), LINKS);
        assert!((23_500..25_500).contains(&page.len()), "page {number}: {} bytes", page.len());
        sum += page.len();
        count += 1;
    }
    let mean = sum / count;
    assert!((24_200..24_800).contains(&mean), "{mean} bytes a page");
}

#[test]
fn directives_are_where_the_plan_says() {
    let plan = SitePlan::new(1_000, 1);
    let press = PageGenerator::new(plan);
    for number in 0..1_000 {
        let page = text(&press, number);
        assert_eq!(page.contains("noindex"), plan.kind(number) == PageKind::NoIndex, "{number}");
        let canonical = format!("<link rel=\"canonical\" href=\"{}\">", plan.path(plan.canonical(number)));
        assert!(page.contains(&canonical), "{number}");
    }
}
