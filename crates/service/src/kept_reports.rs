//! The reports of earlier audits: a gzipped copy of `report.json` for each run that the record keeps.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use mapwright_audit::report::json::{ReportLine, ReportReader};
use mapwright_files::{Folder, read};
use mapwright_store::{Record, StoreError};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The report that is copied.
const REPORT: &str = "report.json";
/// The directory of the copies, in the folder of the job's record.
const FOLDER: &str = "audits";
/// The name of a copy behind the number of its run.
const SUFFIX: &str = ".json.gz";
/// Lines of a report in which the audited run is named.
const HEAD: usize = 8;

/// The reports of a job's earlier audits.
#[derive(Debug, Clone)]
pub struct KeptReports {
    record: PathBuf,
}

impl KeptReports {
    /// The reports beside the record in this folder.
    #[must_use]
    pub fn of(record: &Path) -> Self {
        Self { record: record.to_owned() }
    }

    /// Returns the numbers of the runs whose reports are kept, the newest first; none where the directory cannot be
    /// read.
    #[must_use]
    pub fn runs(&self) -> Vec<i64> {
        let entries = self.folder().read_dir().into_iter().flatten().flatten();
        let mut runs: Vec<i64> = entries.filter_map(|entry| run_of(entry.file_name().to_str()?)).collect();
        runs.sort_unstable_by_key(|run| std::cmp::Reverse(*run));
        runs
    }

    /// Opens the `report.json` of a run.
    ///
    /// # Errors
    /// When it is not kept, or cannot be opened.
    pub fn open(&self, run: i64) -> io::Result<impl Read + use<>> {
        Ok(GzDecoder::new(BufReader::new(read(&self.folder().join(name(run)))?)))
    }

    /// Copies the report in `reports` if it is about this run, and removes the reports of runs that the record no
    /// longer keeps.
    ///
    /// # Errors
    /// When the report cannot be read, the copy cannot be written, or the record cannot be read.
    pub fn keep(&self, reports: &Path, run: i64) -> io::Result<()> {
        let report = reports.join(REPORT);
        if audited_run(&report)? != Some(run) {
            return Ok(());
        }
        let folder = Folder::create(&self.folder())?;
        folder.remove_stale_temp_files();
        let (draft, file) = folder.draft()?;
        copy(&report, file).inspect_err(|_| drop(folder.discard(&draft)))?;
        folder.persist(&draft, &name(run))?;
        let kept = kept_runs(&self.record).map_err(io::Error::other)?;
        let dropped = self.runs().into_iter().filter(|run| !kept.contains(run));
        dropped.for_each(|run| drop(folder.remove(&name(run))));
        folder.sync()
    }

    fn folder(&self) -> PathBuf {
        self.record.join(FOLDER)
    }
}

fn name(run: i64) -> String {
    format!("{run}{SUFFIX}")
}

fn run_of(name: &str) -> Option<i64> {
    name.strip_suffix(SUFFIX)?.parse().ok()
}

/// Returns the run that a report is about; `None` where there is no report, or none that can be read.
fn audited_run(report: &Path) -> io::Result<Option<i64>> {
    let file = match read(report) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    for line in ReportReader::new(BufReader::new(file)).take(HEAD) {
        if let ReportLine::Run(run) = line? {
            return Ok(Some(run.number));
        }
    }
    Ok(None)
}

/// Copies a file, gzipped at the fastest level: what is kept is read rarely, and a run should end soon.
fn copy(from: &Path, to: File) -> io::Result<()> {
    let mut packed = GzEncoder::new(to, Compression::fast());
    io::copy(&mut read(from)?, &mut packed)?;
    packed.finish()?.sync_all()
}

fn kept_runs(record: &Path) -> Result<Vec<i64>, StoreError> {
    Ok(Record::open_to_read(record)?.runs()?.iter().map(|run| run.run).collect())
}
