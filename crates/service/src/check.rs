//! Checks settings before the first request.

use crate::job::{ReadInput, check_of_jobs};
use mapwright_crawl::{AuditPlan, CrawlError, CrawlSpec};
use mapwright_settings::{CrawlSection, Input, Loaded, Out, RecordedSettings, Settings};
use mapwright_web::ScopeKind;

/// Stands for start URLs, which settings do not contain.
const SOMEWHERE: &str = "http://localhost/";

/// Checks that crawls and audits accept the settings; if the file has no tables of jobs (second argument), also that
/// jobs do. Standard input is not read. Shared settings may be incomplete, but each value must be valid.
///
/// # Errors
/// The first setting that is invalid, or that names a file that cannot be read.
pub fn check(loaded: &Loaded, has_no_jobs: bool, read: ReadInput) -> Result<(), CrawlError> {
    let of_crawl = check_of_crawls(&if has_no_jobs { loaded.settings.clone() } else { shared(&loaded.settings) }, read);
    let all = of_crawl.and_then(|()| if has_no_jobs { check_of_jobs(&loaded.settings) } else { Ok(()) });
    all.map_err(|error| error.located(&loaded.origins))
}

fn check_of_crawls(settings: &Settings, read: ReadInput) -> Result<(), CrawlError> {
    let list = |input: &Input, limit| match input {
        Input::Stdin => Ok(SOMEWHERE.to_owned()),
        Input::File(_) => read(input, limit, CrawlSection::url_list),
    };
    let spec = CrawlSpec::new(settings.clone(), RecordedSettings::default(), &[SOMEWHERE.to_owned()], list)?;
    spec.check()?;
    AuditPlan::new(&with_files(settings), read).map(drop)
}

/// Returns the shared settings without the scope `list`, whose list each job may add.
fn shared(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    if settings.crawl.url_list.is_none() {
        settings.crawl.scope = ScopeKind::Path;
    }
    settings
}

/// Returns the settings of an audit that reads and writes files only.
fn with_files(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.output.out = Out::Directory(".".into());
    for input in [&mut settings.audit.baseline, &mut settings.audit.robots_file] {
        input.take_if(|input| *input == Input::Stdin);
    }
    settings
}
