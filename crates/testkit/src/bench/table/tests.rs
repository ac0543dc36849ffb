use super::*;

fn row(tool: &str, figures: &[(&str, f64)]) -> BenchRun {
    let mut row = BenchRun::new("10k", tool);
    figures.iter().for_each(|(name, figure)| row.set(name, *figure));
    row
}

#[test]
fn thousands_stand_apart() {
    let shown: Vec<String> = [0.0, 7.4, 999.6, 123_456.0, 1_234_567.0].map(count).into();
    assert_eq!(shown, ["0", "7", "1,000", "123,456", "1,234,567"]);
}

#[test]
fn missing_values_are_dashes_and_cut_runs_are_marked() {
    let ours = [("wall", 10.0), ("cpu", 5.0), ("pages", 9_700.0), ("peak", 1e8), ("found", 94.0), ("wanted", 94.0)];
    let theirs = [("wall", 10.0), ("cpu", 10.0), ("pages", 970.0), ("cut", 1.0)];
    let text = tables(&[row("mapwright", &ours), row("scrapy", &theirs)]);
    assert!(text.contains("| mapwright | 1 | 9,700 | 970 | 0.515 | 1.00× | 100.0 MB | 100.00 % | – | – |"), "{text}");
    assert!(text.contains("| scrapy | 1 | 970 (cut) | 97 | 10.309 | 20.00× | – | – | – | – |"), "{text}");
}
