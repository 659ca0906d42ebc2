//! Services of the network, through OpenDAL. A request that takes longer than the time limit is given up.

use std::time::Duration;

use opendal::{ErrorKind, Operator, services};
use tokio::runtime::Runtime;

use super::SharedSettings;
use super::location::Location;
use super::store::{Item, Problem, Store};

/// A service.
#[derive(Debug)]
pub struct Network {
    runtime: Runtime,
    operator: Operator,
    time_limit: Duration,
    can_write: bool,
}

/// The user, password and token that environment variables give.
struct Credentials {
    user: Option<String>,
    password: Option<String>,
    token: Option<String>,
}

impl Credentials {
    /// Those of the URL, then those of the environment, if these may be sent there.
    fn of(location: &Location, settings: &SharedSettings) -> Self {
        let var = |name: &str| std::env::var(name).ok().filter(|v| settings.credentials && !v.is_empty());
        let user = location.user.clone().or_else(|| var("RTC_CACHE_USER"));
        let password = location.password.clone().or_else(|| var("RTC_CACHE_PASSWORD"));
        Credentials { user, password, token: var("RTC_CACHE_TOKEN") }
    }
}

/// Opens the service of a URL.
///
/// # Errors
/// A setting is missing or wrong; the text says which.
pub fn open(location: &Location, settings: &SharedSettings) -> Result<Network, String> {
    // The first one that is installed counts; another part of the program may have done it.
    _ = rustls::crypto::ring::default_provider().install_default();
    let fail = |e: opendal::Error| format!("`{location}`: {}", e.message());
    let operator = operator(location, &Credentials::of(location, settings)).map_err(fail)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).thread_name("rtc cache").enable_all().build();
    let runtime = runtime.map_err(|e| format!("`{location}`: {e}"))?;
    let can_write = operator.info().full_capability().write;
    Ok(Network { runtime, operator, time_limit: settings.time_limit, can_write })
}

fn operator(location: &Location, credentials: &Credentials) -> opendal::Result<Operator> {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let (user, password, token) = (text(&credentials.user), text(&credentials.password), text(&credentials.token));
    let setting = |name: &str| location.setting(name).unwrap_or_default();
    let anonymous = location.setting("anonymous").is_some_and(|v| v != "false");
    let environment = |names: &[&str]| names.iter().find_map(|n| std::env::var(n).ok().filter(|v| !v.is_empty()));
    let (bucket, root) = (location.authority.as_str(), location.path.as_str());
    Ok(match location.scheme.as_str() {
        "s3" => {
            let mut service = services::S3::default().bucket(bucket).root(root).endpoint(setting("endpoint"));
            let region = location.setting("region").map(str::to_owned).or_else(|| environment(&["AWS_REGION", "AWS_DEFAULT_REGION"]));
            service = service.region(region.as_deref().unwrap_or("us-east-1"));
            Operator::new(if anonymous { service.skip_signature() } else { service })?.finish()
        }
        "gs" => {
            let service = services::Gcs::default().bucket(bucket).root(root).endpoint(setting("endpoint"));
            Operator::new(if anonymous { service.skip_signature() } else { service })?.finish()
        }
        "azblob" => {
            let account = location.setting("account").map(str::to_owned);
            let account = account.or_else(|| environment(&["AZURE_STORAGE_ACCOUNT_NAME", "AZBLOB_ACCOUNT_NAME"])).unwrap_or_default();
            let public = if account.is_empty() { String::new() } else { format!("https://{account}.blob.core.windows.net") };
            let endpoint = location.setting("endpoint").unwrap_or(&public);
            let service = services::Azblob::default().container(bucket).root(root).endpoint(endpoint).account_name(&account);
            Operator::new(if anonymous { service.skip_signature() } else { service })?.finish()
        }
        "redis" => {
            let database = root.trim_matches('/');
            let wrong = || opendal::Error::new(ErrorKind::ConfigInvalid, format!("the path `{root}` is no number of a database"));
            let number = if database.is_empty() { 0 } else { database.parse::<i64>().map_err(|_| wrong())? };
            let prefix = location.setting("prefix").unwrap_or("rtc/");
            let service = services::Redis::default().endpoint(&format!("redis://{bucket}")).db(number).root(prefix);
            Operator::new(service.username(&user).password(&password))?.finish()
        }
        scheme @ ("dav" | "davs") => {
            let endpoint = format!("{}://{bucket}", if scheme == "dav" { "http" } else { "https" });
            let service = services::Webdav::default().endpoint(&endpoint).root(root);
            Operator::new(service.username(&user).password(&password).token(&token))?.finish()
        }
        scheme => {
            let service = services::Http::default().endpoint(&format!("{scheme}://{bucket}")).root(root);
            Operator::new(service.username(&user).password(&password).token(&token))?.finish()
        }
    })
}

impl Network {
    /// Waits for the answer to a request, at most for the time limit.
    fn wait<T>(&self, request: impl Future<Output = opendal::Result<T>>) -> Result<Result<T, ErrorKind>, Problem> {
        match self.runtime.block_on(async { tokio::time::timeout(self.time_limit, request).await }) {
            Ok(Ok(answer)) => Ok(Ok(answer)),
            Ok(Err(e)) if e.kind() == ErrorKind::NotFound => Ok(Err(ErrorKind::NotFound)),
            Ok(Err(e)) => Err(problem(&e)),
            Err(_) => Err(Problem(format!("there was no answer in {:.1} s", self.time_limit.as_secs_f64()))),
        }
    }
}

/// An error in a sentence. What services answer may have secrets in URLs, so that only the innermost reason is repeated.
fn problem(e: &opendal::Error) -> Problem {
    let mut innermost: &dyn std::error::Error = e;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let denied = || "access is denied; are there credentials in the environment?".to_owned();
    Problem(match e.kind() {
        ErrorKind::PermissionDenied => denied(),
        ErrorKind::RateLimited => "it answers that there are too many requests".into(),
        ErrorKind::ConfigInvalid => e.message().to_owned(),
        _ if std::error::Error::source(e).is_some() => innermost.to_string(),
        kind => match status(&e.to_string()) {
            Some("401" | "403") => denied(),
            Some(status) => format!("it answers with the status {status}"),
            None => format!("it answers with an error ({kind})"),
        },
    })
}

/// The status of HTTP in the text of an error, which has the parts of the answer.
fn status(text: &str) -> Option<&str> {
    let (_, after) = text.split_once("status: ")?;
    after.get(..3).filter(|s| s.bytes().all(|b| b.is_ascii_digit()))
}

impl Store for Network {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Problem> {
        Ok(self.wait(self.operator.read(name))?.ok().map(|bytes| bytes.to_vec()))
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), Problem> {
        match self.wait(self.operator.write(name, bytes))? {
            Ok(_) => Ok(()),
            Err(_) => Err(Problem("there is no such bucket, container or folder".into())),
        }
    }

    fn list(&self) -> Result<Option<Vec<Item>>, Problem> {
        if !self.operator.info().full_capability().list {
            return Ok(None);
        }
        // Entries are in 256 folders; each has a request of its own, or several.
        let mut items = Vec::new();
        for folder in 0..=u8::MAX {
            let listed = self.wait(self.operator.list(&format!("{folder:02x}/")))?.unwrap_or_default();
            for entry in listed.iter().filter(|e| e.metadata().is_file()) {
                let name = entry.path().to_owned();
                let size = match entry.metadata().content_length() {
                    0 => self.wait(self.operator.stat(&name))?.map_or(0, |m| m.content_length()),
                    size => size,
                };
                items.push(Item { name, size });
            }
        }
        Ok(Some(items))
    }

    fn remove(&self, name: &str) -> Result<(), Problem> {
        self.wait(self.operator.delete(name)).map(|_| ())
    }

    fn can_write(&self) -> bool {
        self.can_write
    }
}
