//! A bucket on a real server as a mirror of the directory.

use crate::fixture::{Fixture, urls};
use crate::readers::{Holder, churn, locs};
use crate::s3::{Bucket, options};
use mapwright_publish::PublishedSet;
use mapwright_publish::mirror::{Files, MirrorError, MirrorOptions, MirrorTarget, Mirrored, mirror};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn carry(
    fixture: &Fixture,
    published: &PublishedSet,
    place: &MirrorTarget,
    options: &MirrorOptions,
) -> Result<Mirrored, MirrorError> {
    let files = Files::published(&fixture.directory(), published);
    let options = MirrorOptions { now: fixture.plan.now, ..options.clone() };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(mirror(place, &files, &options))
}

#[test]
fn a_bucket_holds_the_bytes_of_the_directory_under_the_right_types() {
    let (mut fixture, bucket) = (Fixture::new(), Bucket::new("types"));
    let published = fixture.publish(&urls(1..=7));
    let mirrored = carry(&fixture, &published, &bucket.place(), &options()).unwrap();
    assert_eq!((mirrored.uploaded, mirrored.kept, mirrored.removed), (4, 0, 0));
    for (name, bytes) in fixture.files() {
        let answer = bucket.get(&name);
        assert!(answer.status == 200 && answer.body == bytes, "{name}: {}", answer.status);
        let expected = if name.ends_with(".gz") { "application/gzip" } else { "application/xml" };
        assert_eq!(answer.headers["content-type"], expected, "{name}");
        assert_eq!(answer.headers.get("content-encoding"), None, "{name}");
        let cached = answer.headers.get("cache-control").map(String::as_str);
        assert_eq!(cached, (name == "sitemap.xml").then_some("max-age=300"), "{name}");
    }
    let again = carry(&fixture, &published, &bucket.place(), &options()).unwrap();
    assert_eq!((again.uploaded, again.kept, again.bytes), (0, 4, 0));
}

#[test]
fn a_plain_text_sitemap_is_plain_text_in_utf_8() {
    let (mut fixture, bucket) = (Fixture::new(), Bucket::new("plain"));
    fixture.plan.series.format = mapwright_sitemap::Format::Text;
    let published = fixture.publish(&urls(1..=2));
    carry(&fixture, &published, &bucket.place(), &options()).unwrap();
    let answer = bucket.get("sitemap.txt");
    assert_eq!(answer.headers["content-type"], "text/plain; charset=utf-8");
    assert_eq!(answer.headers.get("content-encoding"), None);
}

#[test]
fn parts_stay_for_the_grace_period_and_objects_of_others_for_ever() {
    let (mut fixture, bucket) = (Fixture::new(), Bucket::new("grace"));
    for theirs in ["maps/sitemap-99.xml.gz", "maps/deep/sitemap.xml", "other.html"] {
        bucket.put(theirs);
    }
    let options = MirrorOptions { grace: Duration::from_secs(2 * 3600), ..options() };
    let first = fixture.publish(&urls(1..=7));
    carry(&fixture, &first, &bucket.place(), &options).unwrap();
    // Publications are an hour apart.
    let mut removed = Vec::new();
    for _ in 0..4 {
        let published = fixture.publish(&urls(11..=17));
        removed.push(carry(&fixture, &published, &bucket.place(), &options).unwrap().removed);
    }
    assert_eq!(removed, [0, 0, 3, 0], "{:?}", bucket.keys());
    assert!(first.parts.iter().all(|part| bucket.get(part).status == 404));
    let keys = bucket.keys();
    assert!(keys.contains(&"maps/sitemap-99.xml.gz".to_owned()) && keys.len() == 8, "{keys:?}");
}

#[test]
fn every_index_that_a_reader_holds_resolves_through_fifty_publications() {
    let (mut fixture, bucket) = (Fixture::new(), Bucket::new("readers"));
    fixture.plan.series.limits.urls = 60;
    let mut holder = Holder::new(24);
    let (place, options) = (bucket.place(), options());
    let published = fixture.publish(&churn(0));
    carry(&fixture, &published, &place, &options).unwrap();
    let (over, mut removed) = (AtomicBool::new(false), 0);
    let get = |name: &str| {
        let answer = bucket.get(name);
        (answer.status == 200).then_some(answer.body)
    };
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut walks = 0;
            while !over.load(Ordering::Relaxed) || walks == 0 {
                for part in locs(&get("sitemap.xml").expect("an index")) {
                    assert!(get(&part).is_some_and(|bytes| !locs(&bytes).is_empty()), "{part}");
                }
                walks += 1;
            }
            walks
        });
        for day in 1..=50 {
            let published = fixture.publish(&churn(day));
            removed += carry(&fixture, &published, &place, &options).unwrap().removed;
            holder.take(&get("sitemap.xml").unwrap());
            // All files of each index of the last day are read at times, because that is slow.
            if day % 12 == 0 {
                holder.assert_all_resolve(get);
            }
        }
        over.store(true, Ordering::Relaxed);
        assert!(reader.join().unwrap() > 5);
    });
    assert!(removed > 100, "what left the set is removed: {removed}");
}

#[test]
fn a_bucket_that_is_not_there_is_named() {
    let mut fixture = Fixture::new();
    let published = fixture.publish(&urls(1..=2));
    let error =
        carry(&fixture, &published, &MirrorTarget::parse("s3://missing/maps").unwrap(), &options()).unwrap_err();
    assert!(
        error.to_string().starts_with("s3://missing/maps: ") && error.to_string().contains("NoSuchBucket"),
        "{error}"
    );
}

#[test]
fn an_error_shows_no_credentials_though_the_server_repeats_them() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map(Result::unwrap) {
            let mut request = [0; 16_384];
            let length = stream.read(&mut request).unwrap_or_default();
            let said = String::from_utf8_lossy(&request[..length]).into_owned();
            let body = format!("<Error><Code>Denied</Code>s3cret-of-the-tests t0ken-of-the-tests {said}</Error>");
            let head =
                format!("HTTP/1.1 400 Bad Request\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all((head + &body).as_bytes());
        }
    });
    let mut options = options();
    options.environment.retain(|(name, _)| name != "AWS_ENDPOINT");
    let more =
        [("AWS_ENDPOINT", format!("http://127.0.0.1:{port}")), ("AWS_SESSION_TOKEN", "t0ken-of-the-tests".to_owned())];
    options.environment.extend(more.map(|(name, value)| (name.to_owned(), value)));
    let mut fixture = Fixture::new();
    let published = fixture.publish(&urls(1..=2));
    let place = MirrorTarget::parse("s3://bucket/maps").unwrap();
    let error = carry(&fixture, &published, &place, &options).unwrap_err().to_string();
    assert!(error.contains("Denied"), "{error}");
    for secret in ["s3cret-of-the-tests", "t0ken-of-the-tests", "AKIATESTTESTTEST"] {
        assert!(!error.contains(secret), "{error}");
    }
    assert!(!format!("{options:?}").contains("s3cret-of-the-tests"));
}

#[test]
fn a_store_that_does_not_answer_is_given_up_when_time_is_over() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut options = MirrorOptions { timeout: Duration::from_millis(300), ..options() };
    options.environment.retain(|(name, _)| name != "AWS_ENDPOINT");
    let endpoint = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
    options.environment.push(("AWS_ENDPOINT".to_owned(), endpoint));
    let mut fixture = Fixture::new();
    let published = fixture.publish(&urls(1..=2));
    let error = carry(&fixture, &published, &MirrorTarget::parse("s3://bucket/maps").unwrap(), &options).unwrap_err();
    assert!(matches!(error, MirrorError::Late { .. }), "{error}");
}
