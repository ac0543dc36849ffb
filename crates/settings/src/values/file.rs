//! Files and directories.

use crate::error::Fault;
use crate::field::Value;
use crate::kind::ValueKind;
use std::path::PathBuf;

/// The destination of sitemaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Out {
    /// Into this directory.
    Directory(PathBuf),
    /// To standard output, as a single file: `-`.
    Stdout,
}

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// This file.
    File(PathBuf),
    /// Standard input: `-`.
    Stdin,
}

impl Value for Out {
    const KIND: Option<ValueKind> = Some(ValueKind::Out);

    fn read(text: &str, kind: &ValueKind) -> Result<Out, Fault> {
        Ok(if text == "-" { Out::Stdout } else { Out::Directory(PathBuf::read(text, kind)?) })
    }
}

impl Value for Input {
    fn read(text: &str, kind: &ValueKind) -> Result<Input, Fault> {
        Ok(if text == "-" { Input::Stdin } else { Input::File(PathBuf::read(text, kind)?) })
    }
}

impl Value for PathBuf {
    fn read(text: &str, _kind: &ValueKind) -> Result<PathBuf, Fault> {
        match text {
            "" => Err(Fault::new("the path is empty", "name a file or a directory")),
            path if path.contains('\0') => Err(Fault::new("the path holds a NUL character", "remove it")),
            path => Ok(PathBuf::from(path)),
        }
    }
}
