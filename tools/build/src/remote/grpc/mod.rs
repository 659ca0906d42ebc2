//! A client of the Bazel Remote Execution API, version 2.
//!
//! The first action asks for the capabilities of the server: its versions, its hash function, the size of its batches. Then, for each action:
//! the action cache; what blobs the server lacks, and their upload; the execution, whose stream is taken up again if it breaks; the download of the
//! output, which must have the digest that the server says.

mod action;
mod blobs;
mod execution;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2::capabilities_client::CapabilitiesClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::digest_function::Value as DigestFunction;
use bazel_remote_apis::build::bazel::remote::execution::v2::{GetCapabilitiesRequest, ServerCapabilities};
use tokio::runtime::Runtime;
use tokio::sync::OnceCell;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, ClientTlsConfig, Endpoint};
use tonic::{Code, Request, Status};

use super::{Address, Executor, Failure, FarmTraffic, RemoteSettings, Token, Work};
use blobs::Blobs;

/// How long a request may take that does not wait for a worker.
const REQUEST: Duration = Duration::from_secs(20);

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);

/// The size of a batch if the server does not say: the limit of gRPC, less room for names.
const BATCH: usize = (4 << 20) - (64 << 10);

/// The client.
pub struct Client {
    runtime: Runtime,
    connection: Connection,
    settings: RemoteSettings,
}

/// What requests need.
struct Connection {
    channel: Channel,
    instance: String,
    token: Credential,
    limits: OnceCell<Limits>,
    blobs: Blobs,
    counts: Counts,
}

/// What the server can do.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// The bytes of a batch.
    batch: usize,
}

/// Counts of what was done.
#[derive(Default)]
struct Counts {
    executed: AtomicUsize,
    known: AtomicUsize,
    up: AtomicU64,
    down: AtomicU64,
}

/// A bearer token, which is read again when it is refused.
struct Credential {
    source: Token,
    value: Mutex<Option<MetadataValue<Ascii>>>,
}

impl Credential {
    fn new(source: &Token) -> Result<Self, String> {
        let credential = Credential { source: source.clone(), value: Mutex::new(None) };
        credential.read()?;
        Ok(credential)
    }

    /// Reads the token. Says whether it is another one than before.
    fn read(&self) -> Result<bool, String> {
        let text = match &self.source {
            Token::None => return Ok(false),
            Token::Text(text) => text.clone(),
            Token::File(file) => {
                let read = std::fs::read_to_string(file);
                read.map_err(|e| format!("the token in `{file}` cannot be read: {}", rtc::arguments::reason(&e)))?
            }
        };
        // The error would have the token.
        let mut header: MetadataValue<Ascii> =
            format!("Bearer {}", text.trim()).parse().map_err(|_| "the token has characters that no token has")?;
        header.set_sensitive(true);
        let old = self.value.lock().unwrap_or_else(PoisonError::into_inner).replace(header.clone());
        Ok(old != Some(header))
    }
}

impl Client {
    /// A client; no request is made.
    ///
    /// # Errors
    /// The address or the token is of no use; the text says why.
    pub fn open(address: &Address, settings: &RemoteSettings) -> Result<Self, String> {
        // The first one that is installed counts; another part of the program may have done it.
        _ = rustls::crypto::ring::default_provider().install_default();
        let fail = |e: &dyn std::fmt::Display| format!("`{address}`: {e}");
        let scheme = if address.tls { "https" } else { "http" };
        let endpoint = Endpoint::from_shared(format!("{scheme}://{}:{}", address.host, address.port)).map_err(|e| fail(&e))?;
        let mut endpoint = endpoint.connect_timeout(CONNECT).http2_keep_alive_interval(Duration::from_secs(20)).keep_alive_timeout(REQUEST);
        if address.tls {
            endpoint = endpoint.tls_config(ClientTlsConfig::new().with_native_roots()).map_err(|e| fail(&e))?;
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).thread_name("rtc farm").enable_all().build();
        let runtime = runtime.map_err(|e| fail(&e))?;
        // The channel belongs to the runtime that is current when it is made.
        let channel = runtime.block_on(async { endpoint.connect_lazy() });
        let connection = Connection {
            channel,
            instance: address.instance.clone(),
            token: Credential::new(&settings.token)?,
            limits: OnceCell::new(),
            blobs: Blobs::default(),
            counts: Counts::default(),
        };
        Ok(Client { runtime, connection, settings: settings.clone() })
    }
}

impl Executor for Client {
    fn execute(&self, work: &Work) -> Result<Vec<u8>, Failure> {
        let limit = self.settings.time_limit;
        let done = self.runtime.block_on(async { tokio::time::timeout(limit, self.connection.act(work, &self.settings)).await });
        done.unwrap_or_else(|_| Err(Failure::Farm(format!("no worker was done in {} s", limit.as_secs_f64()))))
    }

    fn traffic(&self) -> FarmTraffic {
        let c = &self.connection.counts;
        FarmTraffic {
            executed: c.executed.load(Ordering::Relaxed),
            known: c.known.load(Ordering::Relaxed),
            fallbacks: 0,
            bytes_up: c.up.load(Ordering::Relaxed),
            bytes_down: c.down.load(Ordering::Relaxed),
        }
    }
}

impl Connection {
    /// A request with the token, and the time limit of requests.
    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = self.unlimited(message);
        request.set_timeout(REQUEST);
        request
    }

    /// A request with the token.
    fn unlimited<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(token) = self.token.value.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            request.metadata_mut().insert("authorization", token);
        }
        request
    }

    /// Does a request again with a token that was renewed, if the server refused the one before.
    async fn with_token<T>(&self, mut request: impl AsyncFnMut() -> Result<T, Status>) -> Result<T, Failure> {
        match request().await {
            Err(status) if status.code() == Code::Unauthenticated && self.token.read().map_err(Failure::Farm)? => {
                request().await.map_err(|s| failure(&s))
            }
            other => other.map_err(|s| failure(&s)),
        }
    }

    /// The limits of the server, which are requested once.
    async fn limits(&self) -> Result<Limits, Failure> {
        let ask = || async {
            let message = GetCapabilitiesRequest { instance_name: self.instance.clone() };
            let ask = async || CapabilitiesClient::new(self.channel.clone()).get_capabilities(self.request(message.clone())).await;
            limits_of(self.with_token(ask).await?.get_ref()).map_err(Failure::Farm)
        };
        self.limits.get_or_try_init(ask).await.copied()
    }
}

/// What a server says of itself.
fn limits_of(server: &ServerCapabilities) -> Result<Limits, String> {
    if let (Some(low), Some(high)) = (&server.low_api_version, &server.high_api_version)
        && !(low.major <= 2 && 2 <= high.major)
    {
        let versions = format!("{}.{} to {}.{}", low.major, low.minor, high.major, high.minor);
        return Err(format!("it speaks the versions {versions} of the Remote Execution API, and not version 2"));
    }
    let Some(cache) = &server.cache_capabilities else { return Err("it has no store of blobs".into()) };
    if !cache.digest_functions.contains(&(DigestFunction::Sha256 as i32)) {
        return Err("it does not use SHA-256".into());
    }
    if !server.execution_capabilities.as_ref().is_some_and(|e| e.exec_enabled) {
        return Err("it does not execute commands".into());
    }
    let batch = usize::try_from(cache.max_batch_total_size_bytes).ok().filter(|&b| b > 0).unwrap_or(BATCH);
    Ok(Limits { batch: batch.min(BATCH) })
}

/// An answer of the server in a sentence.
fn failure(status: &Status) -> Failure {
    let mut innermost: Option<&dyn std::error::Error> = std::error::Error::source(status);
    while let Some(source) = innermost.and_then(std::error::Error::source) {
        innermost = Some(source);
    }
    let said = match innermost {
        Some(source) => source.to_string(),
        None => status.message().lines().next().unwrap_or_default().chars().take(200).collect(),
    };
    let what = match status.code() {
        Code::Unauthenticated => "the token is refused or missing",
        Code::PermissionDenied => "access is denied",
        Code::Unavailable => "it cannot be reached",
        Code::DeadlineExceeded => "there was no answer in time",
        Code::Unimplemented => "it does not do what is requested",
        Code::ResourceExhausted => "it is overloaded",
        _ => "it answers with an error",
    };
    Failure::Farm(if said.is_empty() { what.to_owned() } else { format!("{what}: {said}") })
}

#[cfg(test)]
mod tests {
    use bazel_remote_apis::build::bazel::remote::execution::v2::{CacheCapabilities, ExecutionCapabilities};
    use bazel_remote_apis::build::bazel::semver::SemVer;

    use super::*;

    #[test]
    fn servers_say_what_they_can() {
        let version = |major: i32| Some(SemVer { major, ..SemVer::default() });
        let cache = |function: DigestFunction| {
            Some(CacheCapabilities {
                digest_functions: vec![function as i32],
                max_batch_total_size_bytes: 1000,
                ..CacheCapabilities::default()
            })
        };
        let execution = |enabled| Some(ExecutionCapabilities { exec_enabled: enabled, ..ExecutionCapabilities::default() });
        let server = |low, high, cache_capabilities, enabled| ServerCapabilities {
            low_api_version: version(low),
            high_api_version: version(high),
            cache_capabilities,
            execution_capabilities: execution(enabled),
            ..ServerCapabilities::default()
        };
        let found = |s: &ServerCapabilities| limits_of(s).map(|l| l.batch);
        assert_eq!(found(&server(2, 2, cache(DigestFunction::Sha256), true)), Ok(1000));
        let wrong = |s: &ServerCapabilities, expected: &str| assert!(found(s).is_err_and(|e| e.contains(expected)), "{expected}");
        wrong(&server(3, 4, cache(DigestFunction::Sha256), true), "the versions 3.0 to 4.0");
        wrong(&server(2, 3, cache(DigestFunction::Md5), true), "SHA-256");
        wrong(&server(2, 3, cache(DigestFunction::Sha256), false), "does not execute");
        wrong(&server(2, 3, None, true), "no store");
    }

    #[test]
    fn tokens_are_read_again() {
        let file = std::env::temp_dir().join(format!("rtc-token-{}", std::process::id()));
        std::fs::write(&file, "one\n").expect("it can be written");
        let credential = Credential::new(&Token::File(file.to_string_lossy().into_owned())).expect("it is there");
        let now = || credential.value.lock().expect("no thread panicked").as_ref().and_then(|v| v.to_str().ok().map(str::to_owned));
        assert_eq!((now().as_deref(), credential.read()), (Some("Bearer one"), Ok(false)));
        std::fs::write(&file, "two").expect("it can be written");
        assert_eq!((credential.read(), now().as_deref()), (Ok(true), Some("Bearer two")));
        std::fs::remove_file(&file).expect("it is there");
        assert!(credential.read().is_err_and(|e| e.contains("no such file")));
        assert!(Credential::new(&Token::Text("a\nb".into())).is_err());
    }
}
