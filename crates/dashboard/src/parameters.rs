//! The URL parameters of a job's newest complete run, read from its record.

use crate::archive;
use crate::deadline::Deadline;
use crate::problem::Problem;
use mapwright_audit::parameter_advice::advice;
use mapwright_store::ParameterRow;
use std::cmp::Reverse;
use std::path::Path;

/// The most parameters that are shown.
pub(crate) const MAX_PARAMETERS: usize = 1_000;

/// A parameter with the advice on it.
#[derive(Debug)]
pub(crate) struct AdvisedParameter {
    pub(crate) row: ParameterRow,
    /// The lines that end the waste, in words.
    pub(crate) advice: Vec<String>,
}

/// The parameters, the most frequent first.
#[derive(Debug)]
pub(crate) struct FoundParameters {
    /// At most [`MAX_PARAMETERS`].
    pub(crate) parameters: Vec<AdvisedParameter>,
    /// The number of all.
    pub(crate) all: u64,
}

/// Reads the parameters of the record in this folder.
///
/// # Errors
/// When there is no record, or it cannot be read.
pub(crate) fn read(folder: &Path, deadline: Deadline) -> Result<FoundParameters, Problem> {
    let rows = archive::open(folder)?.parameters()?;
    deadline.check()?;
    let (all, advice) = (rows.len() as u64, advice(&rows));
    let mut parameters: Vec<_> =
        rows.into_iter().zip(advice).map(|(row, advice)| AdvisedParameter { row, advice }).collect();
    parameters.sort_by_key(|parameter| Reverse(parameter.row.urls));
    parameters.truncate(MAX_PARAMETERS);
    Ok(FoundParameters { parameters, all })
}
