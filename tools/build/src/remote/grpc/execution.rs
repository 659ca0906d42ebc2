//! The execution of an action: its outcome may be known; else the stream of its operation is followed, and taken up again if it breaks.

use std::sync::atomic::Ordering;
use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2::action_cache_client::ActionCacheClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::execution_client::ExecutionClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    ActionResult, Digest, ExecuteRequest, ExecuteResponse, GetActionResultRequest, WaitExecutionRequest,
};
use bazel_remote_apis::google::longrunning::{Operation, operation};
use prost::Message;
use tonic::{Code, Status, Streaming};

use super::{Connection, action, blobs, failure};
use crate::remote::{Failure, RemoteSettings, Work};

/// How often a stream is taken up again, and how often blobs are uploaded again that the server has lost.
const TRIES: u32 = 3;

/// What an execution ends with.
enum End {
    /// Its result.
    Done(Box<ExecuteResponse>),
    /// The server lacks blobs that it had.
    BlobsLost,
}

impl Connection {
    /// The bytes of the output of a piece of work.
    pub async fn act(&self, work: &Work, settings: &RemoteSettings) -> Result<Vec<u8>, Failure> {
        self.limits().await?;
        let prepared = action::prepare(work, settings);
        if let Some(result) = self.known(&prepared.digest, work.output).await?
            && result.exit_code == 0
            && let Ok(bytes) = self.output(&result, work.output).await
        {
            self.counts.known.fetch_add(1, Ordering::Relaxed);
            return Ok(bytes);
        }
        for _ in 0..TRIES {
            self.upload(&prepared.blobs).await?;
            let done = match self.run(&prepared.digest, work.output).await? {
                End::Done(done) => done,
                End::BlobsLost => {
                    self.blobs.forget();
                    continue;
                }
            };
            let result = done.result.ok_or_else(|| Failure::Farm("an execution ends without a result".into()))?;
            if result.exit_code != 0 {
                // A signal is the worker's fault, or that of the machine it runs on.
                return Err(if result.exit_code == 1 { Failure::Command } else { broken(&result) });
            }
            let bytes = self.output(&result, work.output).await?;
            let count = if done.cached_result { &self.counts.known } else { &self.counts.executed };
            count.fetch_add(1, Ordering::Relaxed);
            return Ok(bytes);
        }
        Err(Failure::Farm("it loses blobs again and again".into()))
    }

    /// The result that the server has of an earlier execution.
    async fn known(&self, digest: &Digest, output: &str) -> Result<Option<ActionResult>, Failure> {
        let message = GetActionResultRequest {
            instance_name: self.instance.clone(),
            action_digest: Some(digest.clone()),
            inline_output_files: vec![output.to_owned()],
            ..GetActionResultRequest::default()
        };
        let ask = async || ActionCacheClient::new(self.channel.clone()).get_action_result(self.request(message.clone())).await;
        let none_if_missing = async || match ask().await {
            Ok(answer) => Ok(Some(answer.into_inner())),
            // A server without an action cache executes always.
            Err(status) if matches!(status.code(), Code::NotFound | Code::Unimplemented) => Ok(None),
            Err(status) => Err(status),
        };
        self.with_token(none_if_missing).await
    }

    /// Executes, and follows the operation to its end.
    async fn run(&self, digest: &Digest, output: &str) -> Result<End, Failure> {
        let message = ExecuteRequest {
            instance_name: self.instance.clone(),
            action_digest: Some(digest.clone()),
            inline_output_files: vec![output.to_owned()],
            ..ExecuteRequest::default()
        };
        let mut client = ExecutionClient::new(self.channel.clone());
        let mut stream = match client.execute(self.unlimited(message)).await {
            Ok(answer) => answer.into_inner(),
            Err(status) if status.code() == Code::FailedPrecondition => return Ok(End::BlobsLost),
            Err(status) => return Err(failure(&status)),
        };
        let mut name = String::new();
        let mut broken = 0;
        loop {
            let why = match follow(&mut stream, &mut name).await {
                Ok(done) => return end(done),
                Err(status) => status,
            };
            broken += 1;
            let again = matches!(
                why.code(),
                Code::Unavailable | Code::Unknown | Code::Internal | Code::Cancelled | Code::DeadlineExceeded | Code::Aborted
            );
            if name.is_empty() || !again || broken > TRIES {
                return Err(failure(&why));
            }
            tokio::time::sleep(Duration::from_millis(100) * broken).await;
            let wait = self.unlimited(WaitExecutionRequest { name: name.clone() });
            stream = client.wait_execution(wait).await.map_err(|s| failure(&s))?.into_inner();
        }
    }

    /// The bytes of the output of a result.
    async fn output(&self, result: &ActionResult, name: &str) -> Result<Vec<u8>, Failure> {
        let missing = || Failure::Farm("a result lacks the output".into());
        let file = result.output_files.iter().find(|f| f.path == name).ok_or_else(missing)?;
        let digest = file.digest.as_ref().ok_or_else(missing)?;
        if file.contents.is_empty() { self.download(digest).await } else { blobs::checked(file.contents.clone(), digest) }
    }
}

/// Reads operations until one is done; `name` is that of the operation.
async fn follow(stream: &mut Streaming<Operation>, name: &mut String) -> Result<operation::Result, Status> {
    while let Some(operation) = stream.message().await? {
        name.clone_from(&operation.name);
        if operation.done {
            return operation.result.ok_or_else(|| Status::data_loss("an operation ends without a result"));
        }
    }
    Err(Status::unavailable("the stream ended before the operation"))
}

/// The end that an operation says.
fn end(result: operation::Result) -> Result<End, Failure> {
    let status = |code: i32, message: String| failure(&Status::new(Code::from(code), message));
    let response = match result {
        operation::Result::Error(e) if e.code == Code::FailedPrecondition as i32 => return Ok(End::BlobsLost),
        operation::Result::Error(e) => return Err(status(e.code, e.message)),
        operation::Result::Response(any) => {
            ExecuteResponse::decode(&any.value[..]).map_err(|_| Failure::Farm("a result cannot be read".into()))?
        }
    };
    match &response.status {
        Some(s) if s.code == Code::FailedPrecondition as i32 => Ok(End::BlobsLost),
        Some(s) if s.code != 0 => Err(status(s.code, s.message.clone())),
        _ => Ok(End::Done(Box::new(response))),
    }
}

/// A command that did not end as `rtc` ends.
fn broken(result: &ActionResult) -> Failure {
    let said = String::from_utf8_lossy(&result.stderr_raw);
    let line: String = said.lines().next().unwrap_or_default().chars().take(200).collect();
    let colon = if line.is_empty() { "" } else { ": " };
    Failure::Farm(format!("the command ends there with {}{colon}{line}", result.exit_code))
}
