//! The Search Console, through a job.

use crate::fixture::Fixture;
use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mapwright_service::JobRunState;
use mapwright_testkit::{FakeSite, Response};

/// The key file of a service account that gets its tokens at this address.
fn account(token_uri: &str) -> String {
    let key = KeyPair::generate(KeySize::Rsa2048).unwrap();
    let private: Pkcs8V1Der<'static> = key.as_der().unwrap();
    let text = STANDARD.encode(private.as_ref());
    let account = serde_json::json!({
        "type": "service_account",
        "private_key_id": "key-1",
        "private_key": format!("-----BEGIN PRIVATE KEY-----\n{text}\n-----END PRIVATE KEY-----\n"),
        "client_email": "robot@project.iam.gserviceaccount.com",
        "token_uri": token_uri,
    });
    account.to_string()
}

#[tokio::test]
async fn a_changed_sitemap_is_submitted_by_the_service_account() {
    let (fixture, google) = (Fixture::new(), FakeSite::open());
    let token = serde_json::json!({"access_token": "ya29.token", "expires_in": 3599, "token_type": "Bearer"});
    google.answer("/token", Response::new(200).content_type("application/json").body(token.to_string()));
    google.answer("/webmasters/*", Response::new(204));
    std::fs::write(fixture.root.path().join("account"), account(&google.url("/token"))).unwrap();
    let file = format!(
        "[job.shop]\nurl = [\"{{site}}/\"]\n[job.shop.publish]\nsearch-console = \"sc-domain:shop.example\"\n\
         search-console-key-file = \"{{root}}/account\"\nsearch-console-api = \"{}\"\n",
        google.base()
    );
    let (outcome, _) = fixture.run(&file, "shop", "2026-11-01T02:00:00Z").await;
    assert_eq!(outcome.state, JobRunState::Done, "{}", outcome.reason);
    let requests = google.requests();
    let [_, submitted] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!(submitted.method, "PUT");
    let sitemap = fixture.site.url("/sitemap.xml").replace(':', "%3A").replace('/', "%2F");
    assert!(submitted.target.ends_with(&format!("/sites/sc-domain%3Ashop.example/sitemaps/{sitemap}")));
    assert_eq!(submitted.header("authorization"), Some("Bearer ya29.token"));
    fixture.run(&file, "shop", "2026-11-02T02:00:00Z").await;
    assert_eq!(google.requests().len(), 2, "nothing changed");
}
