//! URLs without the user and the password that they may hold.

use mapwright_web::page_url::split_userinfo;

/// A URL without the user and the password that it may hold.
pub(crate) fn without_userinfo(text: &str) -> String {
    split_userinfo(text).0
}
