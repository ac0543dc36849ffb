use super::*;

#[test]
fn distinct_pages_of_each_origin_count_once() {
    let plan = SitePlan::new(200, 1);
    let tally = ServedCounts::new(&plan, Origins::new(3));
    let odd = (1..200).find(|number| plan.kind(*number) == PageKind::NoIndex).unwrap();
    for (origin, number) in [(0, 0), (0, 0), (1, 0), (2, 0), (2, odd)] {
        tally.answered(10);
        tally.page(&plan, origin, number);
    }
    let served = tally.take(&plan);
    assert_eq!((served.requests, served.bytes, served.pages, served.belonging), (5, 50, 4, 3));
    let again = tally.take(&plan);
    assert_eq!((again.requests, again.bytes, again.pages, again.belonging), (0, 0, 0, 0));
}

#[test]
fn reported_counts_parse_back() {
    let served = Served { requests: 1, bytes: 2, pages: 3, belonging: 4, micros: 5 };
    assert_eq!(served.to_string().parse(), Ok(served));
    assert_eq!("1 2 3".parse::<Served>(), Err(()));
}
