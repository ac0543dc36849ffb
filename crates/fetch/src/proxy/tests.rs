use super::*;

fn variables(https: Option<&str>, http: Option<&str>, no_proxy: Option<&str>) -> ProxyVariables {
    ProxyVariables {
        https: https.map(str::to_owned),
        http: http.map(str::to_owned),
        no_proxy: no_proxy.map(str::to_owned),
    }
}

fn rules(variables: &ProxyVariables) -> ProxyRules {
    ProxyRules::new(None, variables).unwrap()
}

fn proxy_of(rules: &ProxyRules, url: &str) -> Option<String> {
    rules.proxy_for(&Url::parse(url).unwrap()).map(Url::to_string)
}

#[test]
fn each_scheme_has_its_variable() {
    let rules = rules(&variables(Some("http://secure:1"), Some("plain:2"), None));
    assert_eq!(proxy_of(&rules, "https://a.example/").as_deref(), Some("http://secure:1/"));
    assert_eq!(proxy_of(&rules, "http://a.example/").as_deref(), Some("http://plain:2/"));
}

#[test]
fn the_option_is_for_everything_and_the_variables_are_not_looked_at() {
    let variables = variables(Some("ftp://unused"), None, Some("*"));
    let rules = ProxyRules::new(Some("proxy.example:3128"), &variables).unwrap();
    assert_eq!(proxy_of(&rules, "http://127.0.0.1/").as_deref(), Some("http://proxy.example:3128/"));
    assert_eq!(proxy_of(&rules, "https://a.example/").as_deref(), Some("http://proxy.example:3128/"));
    assert!(rules.any());
}

#[test]
fn hosts_of_no_proxy_are_reached_directly() {
    let list = "Intranet.example, .dot.example,*.star.example, 10.0.0.0/8,::1";
    let rules = rules(&variables(None, Some("p:1"), Some(list)));
    for direct in ["intranet.example", "www.intranet.example", "dot.example", "a.star.example", "10.9.8.7", "[::1]"] {
        assert_eq!(proxy_of(&rules, &format!("http://{direct}/")), None, "{direct}");
    }
    for proxied in ["notintranet.example", "example", "11.0.0.1", "[::2]"] {
        assert!(proxy_of(&rules, &format!("http://{proxied}/")).is_some(), "{proxied}");
    }
}

#[test]
fn a_star_means_no_proxy_at_all() {
    let rules = rules(&variables(Some("p:1"), Some("p:1"), Some("*")));
    assert!(!rules.any());
    assert_eq!(proxy_of(&rules, "http://a.example/"), None);
}

#[test]
fn empty_variables_are_none() {
    assert!(!rules(&variables(Some(""), Some("  "), Some(""))).any());
}

#[test]
fn a_proxy_that_cannot_be_used_is_refused_without_its_password() {
    for proxy in ["socks5://user:secret@p:1", "http://user:secret@:1"] {
        let Err(error) = ProxyRules::new(Some(proxy), &ProxyVariables::default()) else { panic!("{proxy} was taken") };
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
