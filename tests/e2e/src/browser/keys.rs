//! The keys of a keyboard that tests press.

use serde_json::{Value, json};

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as on a keyboard")]
pub enum Key {
    Tab,
    Enter,
    Escape,
    End,
    Home,
    ArrowDown,
    ArrowUp,
}

impl Key {
    /// The protocol's events for pressing and releasing the key.
    pub(super) fn events(self) -> [Value; 2] {
        let name = format!("{self:?}");
        let event = |kind: &str| json!({"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": self.code(), "text": self.text()});
        let mut released = event("keyUp");
        released["text"] = json!("");
        [event(if self.text().is_empty() { "rawKeyDown" } else { "keyDown" }), released]
    }

    fn code(self) -> u8 {
        match self {
            Key::Tab => 9,
            Key::Enter => 13,
            Key::Escape => 27,
            Key::End => 35,
            Key::Home => 36,
            Key::ArrowUp => 38,
            Key::ArrowDown => 40,
        }
    }

    fn text(self) -> &'static str {
        if self == Key::Enter { "\r" } else { "" }
    }
}
