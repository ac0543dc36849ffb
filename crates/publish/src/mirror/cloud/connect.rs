//! Connects to the store of a place.

use crate::mirror::MirrorOptions;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreScheme, RetryConfig};
use std::time::Duration;
use url::Url;

/// The maximum time for retries of a request: its credentials and signatures are valid for some minutes.
const MAX_RETRY: Duration = Duration::from_secs(180);

/// The store of a place, and the prefix in it.
pub(super) fn connect(url: &Url, options: &MirrorOptions) -> object_store::Result<(Box<dyn ObjectStore>, Path)> {
    let (scheme, path) = ObjectStoreScheme::parse(url)?;
    let retry = RetryConfig { retry_timeout: options.timeout.min(MAX_RETRY), ..RetryConfig::default() };
    // A large part on a slow connection takes long: only the total time is limited.
    let patience = [("timeout".to_owned(), format!("{}s", options.timeout.as_secs().max(1)))];
    // Only variables with the store's prefix are settings.
    let of = |prefix: &'static str| {
        let ours = options.environment.iter().filter(move |(name, _)| name.to_ascii_uppercase().starts_with(prefix));
        let ours = ours.map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
        patience.clone().into_iter().chain(ours)
    };
    // Variables that are no setting of the store are ignored.
    macro_rules! build {
        ($builder:expr, $prefix:literal) => {
            of($prefix)
                .filter_map(|(name, value)| Some((name.parse().ok()?, value)))
                .fold($builder.with_retry(retry), |builder, (key, value)| builder.with_config(key, value))
                .with_url(url.as_str())
                .build()
        };
    }
    let store: Box<dyn ObjectStore> = match scheme {
        ObjectStoreScheme::AmazonS3 => Box::new(build!(AmazonS3Builder::new(), "AWS_")?),
        ObjectStoreScheme::GoogleCloudStorage => Box::new(build!(GoogleCloudStorageBuilder::new(), "GOOGLE_")?),
        ObjectStoreScheme::MicrosoftAzure => Box::new(build!(MicrosoftAzureBuilder::new(), "AZURE_")?),
        _ => {
            return Err(object_store::Error::NotImplemented {
                operation: url.scheme().to_owned(),
                implementer: "mapwright".to_owned(),
            });
        }
    };
    Ok((store, path))
}
