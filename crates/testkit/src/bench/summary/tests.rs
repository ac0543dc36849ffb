use super::*;

fn run(tool: &str, wall: f64) -> BenchRun {
    let mut row = BenchRun::new("10k", tool);
    row.set("wall", wall);
    row.set("pages", 100.0);
    row
}

#[test]
fn the_median_of_each_tool_is_taken() {
    let summary = Summary::of(&[run("a", 3.0), run("b", 10.0), run("a", 1.0), run("b", 20.0), run("a", 2.0)]);
    assert_eq!(summary.workloads(), ["10k"]);
    assert_eq!(summary.tools("10k"), ["a", "b"]);
    assert_eq!(summary.median("10k", "a", "wall"), Some(2.0));
    assert_eq!(summary.median("10k", "b", "wall"), Some(15.0));
    assert_eq!(summary.rate("10k", "a", "pages"), Some(50.0));
    assert_eq!(summary.median("10k", "c", "wall"), None);
    assert_eq!(summary.cpu_per_page("10k", "a"), None);
}
