//! The content-addressable store of a server: what it lacks is uploaded, in batches or, if it is large, as a stream; what is downloaded must have
//! the requested digest.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bazel_remote_apis::build::bazel::remote::execution::v2::content_addressable_storage_client::ContentAddressableStorageClient;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    BatchReadBlobsRequest, BatchUpdateBlobsRequest, Digest, FindMissingBlobsRequest, batch_update_blobs_request,
};
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::bytestream::{ReadRequest, WriteRequest};

use super::{Connection, failure};
use crate::hash::Hash;
use crate::remote::{Failure, Input};

/// The bytes of a message of a stream.
const PIECE: usize = 1 << 20;

/// What the server is known to have.
#[derive(Default)]
pub struct Blobs {
    there: Mutex<HashSet<Hash>>,
    /// One upload at a time: tasks that begin together need the same compiler and headers.
    upload: tokio::sync::Mutex<()>,
}

impl Blobs {
    fn there(&self) -> MutexGuard<'_, HashSet<Hash>> {
        self.there.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets all of it: the server has lost some.
    pub fn forget(&self) {
        self.there().clear();
    }
}

/// The digest of bytes.
pub fn digest(hash: &Hash, size: usize) -> Digest {
    Digest { hash: hash.to_string(), size_bytes: size as i64 }
}

impl Connection {
    /// Uploads those of the blobs that the server lacks.
    pub async fn upload(&self, blobs: &[Input]) -> Result<(), Failure> {
        let unknown = || -> Vec<&Input> {
            let there = self.blobs.there();
            let mut seen = HashSet::new();
            blobs.iter().filter(|b| !there.contains(&b.hash) && seen.insert(b.hash)).collect()
        };
        if unknown().is_empty() {
            return Ok(());
        }
        let _one = self.blobs.upload.lock().await;
        let unknown = unknown();
        let limits = self.limits().await?;
        let blob_digests: Vec<Digest> = unknown.iter().map(|b| digest(&b.hash, b.bytes.len())).collect();
        let message = FindMissingBlobsRequest { instance_name: self.instance.clone(), blob_digests, ..FindMissingBlobsRequest::default() };
        let mut client = ContentAddressableStorageClient::new(self.channel.clone());
        let answer = client.find_missing_blobs(self.request(message)).await.map_err(|s| failure(&s))?.into_inner();
        let missing: HashSet<String> = answer.missing_blob_digests.into_iter().map(|d| d.hash).collect();
        let missing: Vec<&Input> = unknown.iter().copied().filter(|b| missing.contains(&b.hash.to_string())).collect();
        let (small, large): (Vec<&Input>, Vec<&Input>) = missing.into_iter().partition(|b| b.bytes.len() < limits.batch);
        let mut rest = &small[..];
        while !rest.is_empty() {
            // Names and lengths take room too.
            let fits = rest.iter().scan(0, |sum, b| {
                *sum += b.bytes.len() + 100;
                Some(*sum <= limits.batch)
            });
            let (batch, later) = rest.split_at(fits.take_while(|fits| *fits).count().max(1));
            self.upload_batch(batch).await?;
            rest = later;
        }
        for blob in large {
            self.upload_stream(blob).await?;
        }
        self.blobs.there().extend(unknown.iter().map(|b| b.hash));
        Ok(())
    }

    async fn upload_batch(&self, batch: &[&Input]) -> Result<(), Failure> {
        let request = |b: &&Input| batch_update_blobs_request::Request {
            digest: Some(digest(&b.hash, b.bytes.len())),
            data: b.bytes.to_vec(),
            ..batch_update_blobs_request::Request::default()
        };
        let requests = batch.iter().map(request).collect();
        let message = BatchUpdateBlobsRequest { instance_name: self.instance.clone(), requests, ..BatchUpdateBlobsRequest::default() };
        let mut client = ContentAddressableStorageClient::new(self.channel.clone());
        let answer = client.batch_update_blobs(self.request(message)).await.map_err(|s| failure(&s))?.into_inner();
        if let Some(refused) = answer.responses.iter().filter_map(|r| r.status.as_ref()).find(|s| s.code != 0) {
            return Err(Failure::Farm(format!("a blob is not taken: {}", refused.message)));
        }
        self.counts.up.fetch_add(batch.iter().map(|b| b.bytes.len() as u64).sum(), Ordering::Relaxed);
        Ok(())
    }

    async fn upload_stream(&self, blob: &Input) -> Result<(), Failure> {
        let prefix = if self.instance.is_empty() { String::new() } else { format!("{}/", self.instance) };
        // Another upload of the same blob has another number.
        let number = Hash::of_list([
            &blob.hash.0[..],
            std::process::id().to_string().as_bytes(),
            format!("{:?}", std::time::SystemTime::now()).as_bytes(),
        ]);
        let n = number.to_string();
        let unique = format!("{}-{}-4{}-8{}-{}", &n[..8], &n[8..12], &n[13..16], &n[17..20], &n[20..32]);
        let name = format!("{prefix}uploads/{unique}/blobs/{}/{}", blob.hash, blob.bytes.len());
        let bytes: Arc<[u8]> = blob.bytes.clone();
        let pieces = bytes.len().div_ceil(PIECE);
        let piece = move |n: usize| {
            let range = n * PIECE..((n + 1) * PIECE).min(bytes.len());
            WriteRequest {
                resource_name: if n == 0 { name.clone() } else { String::new() },
                write_offset: range.start as i64,
                finish_write: range.end == bytes.len(),
                data: bytes[range].to_vec(),
            }
        };
        let mut client = ByteStreamClient::new(self.channel.clone());
        let stream = tokio_stream::iter((0..pieces).map(piece));
        let answer = client.write(self.unlimited(stream)).await.map_err(|s| failure(&s))?.into_inner();
        if answer.committed_size != blob.bytes.len() as i64 {
            return Err(Failure::Farm(format!("{} of {} bytes of a blob are taken", answer.committed_size, blob.bytes.len())));
        }
        self.counts.up.fetch_add(blob.bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// The bytes with a digest.
    pub async fn download(&self, wanted: &Digest) -> Result<Vec<u8>, Failure> {
        let size = usize::try_from(wanted.size_bytes).map_err(|_| Failure::Farm("a digest has a negative size".into()))?;
        let limits = self.limits().await?;
        let bytes = if size < limits.batch { self.download_batch(wanted).await? } else { self.download_stream(wanted, size).await? };
        self.counts.down.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        checked(bytes, wanted)
    }

    async fn download_batch(&self, wanted: &Digest) -> Result<Vec<u8>, Failure> {
        let digests = vec![wanted.clone()];
        let message = BatchReadBlobsRequest { instance_name: self.instance.clone(), digests, ..BatchReadBlobsRequest::default() };
        // Room for the message around the blob.
        let mut client = ContentAddressableStorageClient::new(self.channel.clone()).max_decoding_message_size(super::BATCH + (1 << 20));
        let answer = client.batch_read_blobs(self.request(message)).await.map_err(|s| failure(&s))?.into_inner();
        let blob = answer.responses.into_iter().next().ok_or_else(|| Failure::Farm("a blob is missing in the answer".into()))?;
        match blob.status.filter(|s| s.code != 0) {
            Some(status) => Err(Failure::Farm(format!("an output is not there: {}", status.message))),
            None => Ok(blob.data),
        }
    }

    async fn download_stream(&self, wanted: &Digest, size: usize) -> Result<Vec<u8>, Failure> {
        let prefix = if self.instance.is_empty() { String::new() } else { format!("{}/", self.instance) };
        let resource_name = format!("{prefix}blobs/{}/{size}", wanted.hash);
        let mut client = ByteStreamClient::new(self.channel.clone());
        let request = ReadRequest { resource_name, ..ReadRequest::default() };
        let mut stream = client.read(self.unlimited(request)).await.map_err(|s| failure(&s))?.into_inner();
        let mut bytes = Vec::new();
        while let Some(piece) = stream.message().await.map_err(|s| failure(&s))? {
            bytes.extend_from_slice(&piece.data);
            if bytes.len() > size {
                break;
            }
        }
        Ok(bytes)
    }
}

/// The bytes, if they have the digest.
pub fn checked(bytes: Vec<u8>, wanted: &Digest) -> Result<Vec<u8>, Failure> {
    let ok = bytes.len() as i64 == wanted.size_bytes && Hash::of(&bytes).to_string() == wanted.hash;
    if ok { Ok(bytes) } else { Err(Failure::Farm("an output has another digest than the server says".into())) }
}
