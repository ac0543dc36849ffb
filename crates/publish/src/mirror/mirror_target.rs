//! The place of a mirror.

use mapwright_web::percent_decoded;
use std::path::Path;
use url::Url;

/// A place that files are uploaded to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MirrorTarget {
    /// Object storage: bucket or container, and a prefix.
    Cloud(Url),
    /// A command that uploads them.
    Command(String),
}

/// The reason why a place cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MirrorTargetError {
    /// An unknown kind of place.
    #[error(
        "{0:?} is not a mirror target; give s3://bucket/prefix, gs://bucket/prefix, az://container/prefix, or command:/path/to/hook --with arguments"
    )]
    Unknown(String),
    /// More than a bucket and a prefix.
    #[error("{0} holds more than a bucket and a prefix; credentials are read from the environment")]
    Excess(String),
    /// A command that cannot be split into words.
    #[error("the command {0:?}… cannot be split into words; is a quotation mark missing?")]
    Words(String),
    /// A program that does not exist.
    #[error("the program {0:?} is not there")]
    Missing(String),
    /// A program with a relative path, whose base is unknown.
    #[error("the command {0:?} is neither found by the PATH nor an absolute path; give /path/to/{0}")]
    Relative(String),
}

impl MirrorTarget {
    /// Reads a place:
    ///
    /// * `s3://bucket/prefix`: S3 and compatible services (`AWS_ENDPOINT`);
    /// * `gs://bucket/prefix`: Google Cloud Storage;
    /// * `az://container/prefix`: Azure, of the account `AZURE_STORAGE_ACCOUNT_NAME`; with the account in it,
    ///   `abfss://container@account.dfs.core.windows.net/prefix`;
    /// * `command:/path/to/hook --with arguments`: split into words as a shell would, and run without one.
    ///
    /// # Errors
    /// When it is none of these, or contains a possible credential.
    pub fn parse(text: &str) -> Result<Self, MirrorTargetError> {
        if let Some(line) = text.strip_prefix("command:") {
            words(line)?;
            return Ok(Self::Command(line.trim().to_owned()));
        }
        let unknown = || MirrorTargetError::Unknown(label(text));
        let url = Url::parse(text).map_err(|_| unknown())?;
        if !matches!(url.scheme(), "s3" | "gs" | "az" | "abfs" | "abfss") || url.host_str().is_none_or(str::is_empty) {
            return Err(unknown());
        }
        let named = url.username().is_empty() || url.scheme().starts_with("abfs");
        if !named
            || url.password().is_some()
            || url.query().is_some()
            || url.fragment().is_some()
            || url.port().is_some()
        {
            return Err(MirrorTargetError::Excess(label(text)));
        }
        Ok(Self::Cloud(url))
    }

    /// Checks, without network access, that the place can be used.
    ///
    /// # Errors
    /// When the program of a command does not exist.
    pub fn check(&self) -> Result<(), MirrorTargetError> {
        let Self::Command(line) = self else { return Ok(()) };
        let program = words(line)?.into_iter().next().unwrap_or_default();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = match program.contains('/') {
            true => Path::new(&program).is_file(),
            false => std::env::split_paths(&path).any(|folder| folder.join(&program).is_file()),
        };
        if found { Ok(()) } else { Err(MirrorTargetError::Missing(program)) }
    }

    /// The canonical form of a place in object storage: escapes and trailing slashes make no other prefix, and the
    /// names of Azure's scheme make no other container. None for a command, whose input may select the place.
    #[must_use]
    pub fn identity(&self) -> Option<String> {
        let Self::Cloud(url) = self else { return None };
        let scheme = if url.scheme().starts_with("ab") { "az" } else { url.scheme() };
        let account = if url.username().is_empty() { String::new() } else { format!("{}@", url.username()) };
        let prefix = percent_decoded(url.path());
        Some(format!("{scheme}://{account}{}/{}", url.host_str().unwrap_or_default(), prefix.trim_matches('/')))
    }

    /// The name of the place in messages. The arguments of a command are left out, because they may contain secrets.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Cloud(url) => url.to_string(),
            Self::Command(line) => {
                let program = words(line).ok().and_then(|words| words.into_iter().next());
                format!("command:{}", program.unwrap_or_default())
            }
        }
    }
}

/// The program and its arguments; at least one word.
pub(crate) fn words(line: &str) -> Result<Vec<String>, MirrorTargetError> {
    let words = shlex::split(line).ok_or_else(|| MirrorTargetError::Words(program_of(line)))?;
    match words.first() {
        None => Err(MirrorTargetError::Unknown("command:".to_owned())),
        Some(program) if program.contains('/') && !Path::new(program).is_absolute() => {
            Err(MirrorTargetError::Relative(program.clone()))
        }
        Some(_) => Ok(words),
    }
}

/// The first word of a line that cannot be split: its arguments may contain secrets.
fn program_of(line: &str) -> String {
    line.split_whitespace().next().unwrap_or_default().to_owned()
}

/// A place that cannot be parsed, without parts that may be secrets.
fn label(text: &str) -> String {
    let text = text.split(['?', '#']).next().unwrap_or_default();
    match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://…@{host}"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_and_called_by_their_names() {
        for text in [
            "s3://bucket/maps/site",
            "gs://my_bucket",
            "az://container/maps",
            "abfss://container@account.dfs.core.windows.net/maps",
        ] {
            assert_eq!(MirrorTarget::parse(text).unwrap().label(), text);
        }
        let command = MirrorTarget::parse("command:/usr/bin/env --token 'a b'").unwrap();
        assert_eq!(command.label(), "command:/usr/bin/env");
        assert_eq!(words("/x 'a b' c\\ d").unwrap(), ["/x", "a b", "c d"]);
    }

    #[test]
    fn a_place_is_the_same_however_it_is_spelled() {
        let identity = |text: &str| MirrorTarget::parse(text).unwrap().identity();
        for (one, other) in [
            ("s3://bucket/maps", "s3://bucket/maps/"),
            ("s3://bucket", "s3://bucket/"),
            ("gs://bucket/maps/a", "gs://bucket/x/../maps/./a"),
            ("s3://bucket/maps", "s3://bucket/m%61ps"),
            ("az://container/maps", "abfss://container/maps"),
            ("abfs://c@a.dfs.core.windows.net/maps", "abfss://c@a.dfs.core.windows.net/maps/"),
        ] {
            assert_eq!(identity(one), identity(other), "{one} {other}");
        }
        for (one, other) in [
            ("s3://bucket/maps", "gs://bucket/maps"),
            ("s3://bucket/maps", "s3://bucket/maps/a"),
            ("s3://bucket/maps", "s3://bucket/Maps"),
            ("abfss://c@a.dfs.core.windows.net/", "abfss://c@b.dfs.core.windows.net/"),
        ] {
            assert_ne!(identity(one), identity(other), "{one} {other}");
        }
        assert_eq!(identity("command:/usr/bin/env"), None);
    }

    #[test]
    fn what_is_no_place_is_named_without_the_secrets_in_it() {
        for text in ["/srv/www", "ftp://host/x", "s3:///x", "command:", "command:'", "command:bin/hook", "file:///srv"]
        {
            assert!(MirrorTarget::parse(text).is_err(), "{text}");
        }
        for text in
            ["s3://key:s3cret@bucket/x", "s3://bucket/x?secret=s3cret", "abfss://c:s3cret@a.dfs.core.windows.net/"]
        {
            let error = MirrorTarget::parse(text).unwrap_err();
            assert!(matches!(error, MirrorTargetError::Excess(_)), "{error}");
            assert!(!error.to_string().contains("s3cret"), "{error}");
        }
    }
}
