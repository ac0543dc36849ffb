//! A request of the browser that waits for its answer.

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
    /// The `Origin` header, if the request has one.
    pub(crate) origin: Option<String>,
    /// The header fields that a preflight names.
    pub(crate) wanted_headers: Option<String>,
}

impl Paused {
    /// Reads the event; `None` if it lacks something.
    pub(crate) fn read(params: &Value) -> Option<Paused> {
        let text = |pointer: &str| params.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let header = |name: &str| {
            let headers = params.pointer("/request/headers")?.as_object()?;
            let (_, value) = headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?;
            value.as_str().map(str::to_owned)
        };
        Some(Paused {
            id: text("/requestId")?,
            url: text("/request/url")?,
            method: text("/request/method")?,
            kind: text("/resourceType").unwrap_or_default(),
            frame: text("/frameId").unwrap_or_default(),
            origin: header("origin"),
            wanted_headers: header("access-control-request-headers"),
        })
    }

    /// Reports whether it is for the document of a frame.
    pub(crate) fn is_document(&self) -> bool {
        self.kind == "Document"
    }
}
