//! A request of the browser that waits for its answer.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mapwright_fetch::Headers;
use serde_json::Value;

/// A paused request (`Fetch.requestPaused`).
#[derive(Debug, Clone)]
pub(crate) struct Paused {
    /// The name under which it is answered.
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) method: String,
    /// The kind of resource, as Chromium names it.
    pub(crate) kind: String,
    /// The frame that requests it.
    pub(crate) frame: String,
    pub(crate) headers: Headers,
    /// The body; `None` if it has one that is not given.
    pub(crate) body: Option<Vec<u8>>,
}

impl Paused {
    /// Reads the event; `None` if it lacks something.
    pub(crate) fn read(params: &Value) -> Option<Paused> {
        let text = |pointer: &str| params.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let fields = params.pointer("/request/headers").and_then(Value::as_object).into_iter().flatten();
        let pairs = fields.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
        Some(Paused {
            id: text("/requestId")?,
            url: text("/request/url")?,
            method: text("/request/method")?,
            kind: text("/resourceType").unwrap_or_default(),
            frame: text("/frameId").unwrap_or_default(),
            headers: Headers::from_pairs(pairs),
            body: body(params),
        })
    }

    /// Reports whether it is for a page that may follow.
    pub(crate) fn is_prefetch(&self) -> bool {
        let purposes = self.headers.get("sec-purpose").or_else(|| self.headers.get("purpose"));
        purposes.is_some_and(|purpose| purpose.starts_with("prefetch"))
    }

    /// Reports whether it is for events without end (HTML 9.2.4): answers arrive complete or not at all.
    pub(crate) fn is_stream(&self) -> bool {
        self.headers.get("accept").is_some_and(|accept| accept.starts_with("text/event-stream"))
    }

    /// Reports whether it is for the document of a frame.
    pub(crate) fn is_document(&self) -> bool {
        self.kind == "Document"
    }
}

/// Returns the body of a request; `None` if it is not given, as that of a file or a stream.
fn body(params: &Value) -> Option<Vec<u8>> {
    if params.pointer("/request/hasPostData").and_then(Value::as_bool) != Some(true) {
        return Some(Vec::new());
    }
    let parts = params.pointer("/request/postDataEntries")?.as_array()?;
    let decoded = parts.iter().map(|part| BASE64_STANDARD.decode(part.get("bytes")?.as_str()?).ok());
    decoded.collect::<Option<Vec<_>>>().map(|parts| parts.concat())
}
