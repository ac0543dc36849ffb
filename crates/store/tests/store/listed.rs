//! The listed and the excluded URLs of a run, in their order.

use crate::crawled::{Failed, ReadRecord};
use mapwright_store::{Cell, Export, PartRow};
use mapwright_testcrawl::Web;
use mapwright_verdict::Reason;

#[test]
fn listed_urls_come_in_the_order_of_their_octets() {
    let paths = ["/a", "/B", "/a/b", "/a-b", "/a.b", "/%C3%A9", "/~", "/a?x", "/aa", "/10", "/9", "/Z%20"];
    let site = paths.iter().fold(Web::default().links("/", &paths), |site, path| site.links(path, &[]));
    let mut expected: Vec<String> = paths.iter().map(|path| (*path).to_owned()).chain(["/".to_owned()]).collect();
    expected.sort_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
    assert_eq!(site.crawled().listed(), expected);
}

#[test]
fn renamed_urls_come_in_the_order_of_their_new_names_each_name_once() {
    let paths = ["/a", "/b", "/c"];
    let site = paths.iter().fold(Web::default().links("/", &paths), |site, path| site.links(path, &[]));
    let rename = |url: &str| match url.strip_prefix("http://example.com/")? {
        "a" => Some("http://www.example/z".to_owned()),
        "b" => Some("http://example.com/c".to_owned()),
        "" => Some("http://www.example/".to_owned()),
        _ => None,
    };
    let (crawled, mut taken) = (site.crawled(), Vec::new());
    for _ in 0..2 {
        taken.clear();
        let take = |listed: mapwright_store::Listed| {
            taken.push((listed.url, listed.depth));
            Ok::<_, Failed>(())
        };
        crawled.record().listed_as(&rename, take).unwrap();
    }
    let expected =
        [("http://example.com/c", Some(1)), ("http://www.example/", Some(0)), ("http://www.example/z", Some(1))];
    assert_eq!(taken, expected.map(|(url, depth)| (url.to_owned(), depth)));
}

#[test]
fn a_clock_that_was_set_back_leaves_no_time_between_changes() {
    let mut crawled = Web::default().links("/", &["/a"]).links("/a", &[]).crawled();
    crawled.again(&Web::default().links("/", &["/a"]).page("/a", "another text altogether"));
    crawled.reader().execute("UPDATE memory SET checked = first - 1, changes = 1", []).unwrap();
    let mut every = Vec::new();
    let take = |listed: mapwright_store::Listed| {
        every.push(listed.changes_every);
        Ok::<_, Failed>(())
    };
    crawled.record().listed(take).unwrap();
    assert_eq!(every, [Some(0), Some(0)]);
}

#[test]
fn excluded_urls_come_by_reason_in_the_order_of_precedence_and_then_by_url() {
    let site =
        Web::default().links("/", &["/z-gone", "/a-gone", "/moved", "http://b.example/"]).redirect("/moved", "/");
    let mut order = Vec::new();
    site.crawled()
        .record()
        .export(Export::Excluded, |row| {
            let [Cell::Text(url), Cell::Text(word), ..] = row else { panic!("{row:?}") };
            let reason = Reason::ALL.iter().find(|reason| reason.as_str() == *word).unwrap();
            order.push((*reason, (*url).to_owned()));
            Ok::<_, Failed>(())
        })
        .unwrap();
    assert!(order.is_sorted(), "{order:?}");
    assert!(order.first().is_some_and(|(reason, _)| *reason == Reason::OutOfScope));
}

#[test]
fn an_excluded_url_is_exported_with_its_status_or_failure() {
    let site = Web::default().links("/", &["/gone", "/dead"]).fails("/dead", mapwright_model::FailureKind::Tls);
    let mut reported = Vec::new();
    let note = |row: &[Cell<'_>]| {
        let [Cell::Text(url), _, _, status, failure] = row else { panic!("{row:?}") };
        reported.push(((*url).to_owned(), format!("{status:?} {failure:?}")));
        Ok::<_, Failed>(())
    };
    site.crawled().record().export(Export::Excluded, note).unwrap();
    assert!(reported.contains(&("http://example.com/gone".to_owned(), "Number(404) None".to_owned())), "{reported:?}");
    assert!(
        reported.contains(&("http://example.com/dead".to_owned(), "None Text(\"tls\")".to_owned())),
        "{reported:?}"
    );
}

#[test]
fn reading_stops_at_the_first_error_of_the_reader() {
    #[derive(Debug)]
    struct Enough;
    impl From<mapwright_store::StoreError> for Enough {
        fn from(error: mapwright_store::StoreError) -> Self {
            panic!("{error}")
        }
    }
    let crawled = Web::default().links("/", &["/a", "/b"]).links("/a", &[]).links("/b", &[]).crawled();
    let mut taken = 0;
    let stop = |_| {
        taken += 1;
        if taken == 2 { Err(Enough) } else { Ok(()) }
    };
    assert!(crawled.record().listed(stop).is_err());
    assert_eq!(taken, 2);
}

#[test]
fn counts_agree_with_the_lists_and_count_files_that_are_not_pages() {
    let site = Web::default()
        .links("/", &["/a", "/gone", "/also-gone", "/denied", "/failing", "/sitemap.xml"])
        .links("/a", &[])
        .replies("/denied", 403, &[], "")
        .replies("/failing", 503, &[], "");
    let crawled = site.crawled();
    let counts = crawled.record().counts().unwrap();
    assert_eq!((counts.fetched, counts.ok, counts.denied, counts.refused, counts.listed), (7, 2, 1, 1, 2));
    let excluded: u64 = counts.excluded.iter().map(|(_, count)| count).sum();
    assert_eq!(excluded as usize, crawled.excluded().len());
    // The robots file; a page links to the sitemap.
    assert_eq!(counts.excluded_files.values().sum::<u64>(), 1);
    assert!(counts.excluded.is_sorted());
}

#[test]
fn published_parts_are_kept_with_the_highest_number_ever_used() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut record = mapwright_store::Record::open(folder.path()).unwrap();
    assert_eq!((record.parts().unwrap(), record.last_serial().unwrap()), (Vec::new(), 0));
    let part = |name: &str| PartRow { name: name.to_owned(), live: true, urls: 7, ..PartRow::default() };
    record.set_parts(&[part("sitemap-1.xml.gz"), part("sitemap-12.xml.gz")], &[], 12).unwrap();
    record.set_parts(&[part("sitemap-1.xml.gz")], &["sitemap.xml".to_owned()], 12).unwrap();
    drop(record);
    let record = mapwright_store::Record::open(folder.path()).unwrap();
    assert_eq!(record.parts().unwrap(), [part("sitemap-1.xml.gz")]);
    assert_eq!(record.last_serial().unwrap(), 12);
}
