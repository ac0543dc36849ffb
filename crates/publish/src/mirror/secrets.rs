//! Keeping credentials out of messages.

/// Characters of a foreign message that are told.
const MAX_MESSAGE: usize = 600;
/// Values shorter than this are no secrets, and would be found in many words.
const SHORTEST: usize = 4;
/// What the names of variables that hold secrets have in them.
const MARKS: [&str; 7] = ["KEY", "SECRET", "TOKEN", "SAS", "PASSWORD", "SIGNATURE", "CREDENTIAL"];
/// Our own variables may hold any secret of the file of settings: no command gets them, and none is told.
const OURS: &str = "MAPWRIGHT_";

/// The values that are never told.
#[derive(Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    /// Those of the environment.
    pub(crate) fn of(environment: &[(String, String)]) -> Self {
        let secret = |(name, value): &&(String, String)| {
            let name = name.to_ascii_uppercase();
            value.len() >= SHORTEST && (is_ours(&name) || MARKS.iter().any(|mark| name.contains(mark)))
        };
        let mut values: Vec<String> = environment.iter().filter(secret).map(|(_, value)| value.clone()).collect();
        // One may be part of another.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self(values)
    }

    /// A text with the secrets taken out.
    pub(crate) fn mask(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "***"))
    }

    /// The last words of a command: secrets taken out, and its beginning where it is long.
    pub(crate) fn tail(&self, text: &str) -> String {
        let text = self.mask(text);
        match text.char_indices().rev().nth(MAX_MESSAGE - 1) {
            Some((at, _)) if at > 0 => format!("…{}", text.get(at..).unwrap_or_default()),
            _ => text,
        }
    }

    /// One line of a foreign message: secrets and the queries of URLs taken out, which may be signed; cut where it is
    /// long.
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

/// Whether a variable is one of our own.
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
        let told =
            secrets.hide("GET https://b.example/x?sv=1&sig=zz failed\n in eu-west-1: <Key>s3cr3t/value</Key>\x1b[0m x");
        assert_eq!(told, "GET https://b.example/x failed in eu-west-1: <Key>***</Key>[0m x");
        assert_eq!(secrets.hide(&"é".repeat(5_000)).chars().count(), MAX_MESSAGE + 1);
        assert_eq!(secrets.tail("out of s3cr3t/value"), "out of ***");
        let tail = secrets.tail(&format!("{}end", "é".repeat(5_000)));
        assert!(tail.ends_with("end") && tail.chars().count() == MAX_MESSAGE + 1, "{tail}");
    }
}
