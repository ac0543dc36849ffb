//! Removes credentials from messages.

/// The maximum number of characters shown of another program's message.
const MAX_MESSAGE: usize = 600;
/// Shorter values are not masked: they are no secrets and occur in many words.
const SHORTEST: usize = 4;
/// Substrings of the names of variables that hold secrets.
const MARKS: [&str; 7] = ["KEY", "SECRET", "TOKEN", "SAS", "PASSWORD", "SIGNATURE", "CREDENTIAL"];
/// The prefix of mapwright's own variables, which may hold any secret of the configuration: no command receives them
/// and no message shows them.
const OURS: &str = "MAPWRIGHT_";

/// The values that no message shows.
#[derive(Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    /// The secrets of the environment.
    pub(crate) fn of(environment: &[(String, String)]) -> Self {
        let secret = |(name, value): &&(String, String)| {
            let name = name.to_ascii_uppercase();
            value.len() >= SHORTEST && (is_ours(&name) || MARKS.iter().any(|mark| name.contains(mark)))
        };
        let mut values: Vec<String> = environment.iter().filter(secret).map(|(_, value)| value.clone()).collect();
        // Longer values first, because one may contain another.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self(values)
    }

    /// Masks the secrets in a text.
    pub(crate) fn mask(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "***"))
    }

    /// The end of a command's output, with secrets masked; a long text loses its beginning.
    pub(crate) fn tail(&self, text: &str) -> String {
        let text = self.mask(text);
        match text.char_indices().rev().nth(MAX_MESSAGE - 1) {
            Some((at, _)) if at > 0 => format!("…{}", text.get(at..).unwrap_or_default()),
            _ => text,
        }
    }

    /// One line of another program's message: secrets are masked, and the queries of URLs, which may be signed, are
    /// removed; a long line is truncated.
    pub(crate) fn hide(&self, text: &str) -> String {
        let words: Vec<&str> = text.split_whitespace().map(without_query).collect();
        let mut line = self.mask(&words.join(" "));
        line.retain(|c| !c.is_control());
        match line.char_indices().nth(MAX_MESSAGE) {
            Some((cut, _)) => format!("{}…", line.get(..cut).unwrap_or_default()),
            None => line,
        }
    }
}

/// Returns true if a variable is one of mapwright's own.
pub(crate) fn is_ours(name: &str) -> bool {
    name.to_ascii_uppercase().starts_with(OURS)
}

fn without_query(word: &str) -> &str {
    match word.split_once('?') {
        Some((url, _)) if url.contains("://") => url,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_signed_queries_are_taken_out_of_one_short_line() {
        let environment = [
            ("AWS_SECRET_ACCESS_KEY", "s3cr3t/value"),
            ("AZURE_STORAGE_SAS_KEY", "sv=2020&sig=abcd"),
            ("AWS_REGION", "eu-west-1"),
            ("AWS_SESSION_TOKEN", "x"),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let secrets = Secrets::of(&environment);
        let reported =
            secrets.hide("GET https://b.example/x?sv=1&sig=zz failed\n in eu-west-1: <Key>s3cr3t/value</Key>\x1b[0m x");
        assert_eq!(reported, "GET https://b.example/x failed in eu-west-1: <Key>***</Key>[0m x");
        assert_eq!(secrets.hide(&"é".repeat(5_000)).chars().count(), MAX_MESSAGE + 1);
        assert_eq!(secrets.tail("out of s3cr3t/value"), "out of ***");
        let tail = secrets.tail(&format!("{}end", "é".repeat(5_000)));
        assert!(tail.ends_with("end") && tail.chars().count() == MAX_MESSAGE + 1, "{tail}");
    }
}
