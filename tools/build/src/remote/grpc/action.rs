//! Actions: messages for a command and its tree, each a blob with its digest.

use bazel_remote_apis::build::bazel::remote::execution::v2::{
    Action, Command, Digest, Directory, DirectoryNode, FileNode, Platform, platform,
};
use prost::Message;

use super::blobs::digest;
use crate::hash::Hash;
use crate::remote::tree::Tree;
use crate::remote::{Input, RemoteSettings, Work};

/// An action with all blobs that it needs.
pub struct Prepared {
    /// The digest of the action.
    pub digest: Digest,
    /// The action itself, the command, the folders, the files.
    pub blobs: Vec<Input>,
}

/// The action for a piece of work.
pub fn prepare(work: &Work, settings: &RemoteSettings) -> Prepared {
    let mut blobs = work.inputs.clone();
    let platform = || Platform {
        // The API requires them sorted.
        properties: {
            let mut all = settings.properties.clone();
            all.sort();
            all.into_iter().map(|(name, value)| platform::Property { name, value }).collect()
        },
    };
    let some_platform = (!settings.properties.is_empty()).then(platform);
    let root = folder(&work.tree, &work.inputs, &mut blobs);
    // Servers of version 2.0 read `output_files`, newer ones `output_paths`.
    let output = vec![work.output.to_owned()];
    #[allow(deprecated)]
    let command = Command {
        arguments: work.command.clone(),
        output_files: output.clone(),
        output_paths: output,
        working_directory: work.folder.clone(),
        platform: some_platform.clone(),
        ..Command::default()
    };
    let command = add(&command, &mut blobs);
    let action = Action { command_digest: Some(command), input_root_digest: Some(root), platform: some_platform, ..Action::default() };
    let digest = add(&action, &mut blobs);
    Prepared { digest, blobs }
}

/// Adds a message to the blobs.
fn add(message: &impl Message, blobs: &mut Vec<Input>) -> Digest {
    let bytes = message.encode_to_vec();
    let hash = Hash::of(&bytes);
    let digest = digest(&hash, bytes.len());
    blobs.push(Input { hash, bytes: bytes.into() });
    digest
}

/// Adds a folder with all that is below.
fn folder(tree: &Tree, inputs: &[Input], blobs: &mut Vec<Input>) -> Digest {
    let directories =
        tree.folders.iter().map(|(name, below)| DirectoryNode { name: name.clone(), digest: Some(folder(below, inputs, blobs)) }).collect();
    let file = |(name, &number): (&String, &usize)| FileNode {
        name: name.clone(),
        digest: Some(digest(&inputs[number].hash, inputs[number].bytes.len())),
        // The compiler is the last one.
        is_executable: number + 1 == inputs.len(),
        ..FileNode::default()
    };
    let files = tree.files.iter().map(file).collect();
    add(&Directory { files, directories, ..Directory::default() }, blobs)
}
