use super::*;

#[test]
fn one_origin_keeps_its_base() {
    assert_eq!(Origins::new(1).bases("http://127.0.0.1:80/"), ["http://127.0.0.1:80"]);
    assert_eq!(Origins::new(1).index(IpAddr::from([127, 0, 0, 1])), 0);
}

#[test]
fn each_origin_has_an_address_that_leads_back_to_it() {
    let origins = Origins::new(1_000);
    let bases = origins.bases("http://127.1.0.1:80");
    assert_eq!(
        (bases.len(), bases[0].as_str(), bases[999].as_str()),
        (1_000, "http://127.1.0.1:80", "http://127.1.3.232:80")
    );
    assert_eq!(origins.index(IpAddr::from([127, 1, 3, 232])), 999);
}
