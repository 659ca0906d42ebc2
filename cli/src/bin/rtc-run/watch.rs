//! `--watch`: runs again whenever a source, a file that it includes, or a file of the scene changes.

use crate::arguments::Arguments;
use crate::{Failure, compile, labelled, once, read};
use rtc_build::watch::{Stamps, wait};
use rtc_host::scene::Scene;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs a scene, then again after each change, until the process is stopped. An error is printed; files that were written before stay.
///
/// # Errors
/// None: it returns only if the process is stopped.
pub fn watch(file: &Path, a: &Arguments) -> Result<ExitCode, Failure> {
    // What was read last: a scene that is wrong now depends on the same files.
    let mut files = vec![file.to_path_buf()];
    loop {
        let before = Stamps::of(&files);
        let scene = read(file, a);
        if let Ok(scene) = &scene {
            inputs(file, scene, a, &mut files);
        }
        if let Err(Failure::Error(message) | Failure::NoDevice(message)) = once(file, scene, a) {
            eprintln!("{}", labelled(&message, "error"));
        }
        // What changed while it ran is a change.
        let seen = Stamps::of(&files).or_older(&before);
        eprintln!("rtc run: waiting for changes of {} files", seen.len());
        wait(&seen);
    }
}

/// The files that a picture depends on; if the compiler does not tell, those of before stay.
pub fn inputs(file: &Path, scene: &Scene, a: &Arguments, files: &mut Vec<PathBuf>) {
    let includes = compile::includes(scene, a);
    if includes.is_some() {
        files.clear();
    }
    files.extend([file.to_path_buf(), scene.path.clone()]);
    files.extend(scene.shader.source.as_ref().map(|source| scene.dir().join(source)));
    files.extend(scene.files());
    files.extend(includes.into_iter().flatten());
    files.sort();
    files.dedup();
}
