use super::*;

#[test]
fn a_row_reads_back() {
    let mut row = BenchRun::new("10k", "wget2");
    row.set("wall", 1.5);
    row.set("pages", 9_700.0);
    assert_eq!(row.to_string(), "10k\twget2\tpages=9700\twall=1.5");
    assert_eq!(row.to_string().parse(), Ok(row));
    assert!("10k\twget2\tpages".parse::<BenchRun>().is_err());
}
