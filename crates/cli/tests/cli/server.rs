//! A fake site whose responses are written out, with a few words for its own URL and for lengths.

use mapwright_testkit::FakeSite;

/// A fake site at a known URL.
pub(crate) struct Server {
    site: FakeSite,
    pub(crate) base: String,
}

impl Server {
    /// Serves complete responses, by path, on a free port of this address; `@B@` in one stands for the server's URL.
    pub(crate) fn new(address: &str, answers: &[(&str, String)]) -> Server {
        let site = FakeSite::at((address, 0));
        let server = Server { base: site.base(), site };
        answers.iter().for_each(|(path, answer)| server.answer(path, answer));
        server
    }

    /// Adds a response from now on.
    pub(crate) fn answer(&self, path: &str, answer: &str) {
        self.site.raw(path, expanded(answer, &self.base));
    }

    /// The requested paths, in order.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.site.requests().iter().map(|request| request.target.clone()).collect()
    }
}

/// Fills in the server's address and the length of the body.
fn expanded(answer: &str, base: &str) -> String {
    let answer = answer.replace("@B@", base);
    let length = answer.split_once("\r\n\r\n").map_or(0, |(_, body)| body.len());
    answer.replace("@L@", &length.to_string())
}

/// A 200 with this body; `@L@` stands for its length.
pub(crate) fn ok(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: @L@\r\nConnection: close\r\n\r\n{body}"
    )
}

/// A 302 to this location.
pub(crate) fn redirect(location: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}
