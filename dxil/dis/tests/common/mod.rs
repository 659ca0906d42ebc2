//! The reference containers, for the tests that compare with them.

use std::path::{Path, PathBuf};

use rtc_oracles::facts;

/// Name and contents of every reference container.
pub fn containers() -> Vec<(String, Vec<u8>)> {
    let paths = files(&facts::reference(), "dxil");
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read(&path).expect("a container can be read"))
    };
    paths.into_iter().map(read).collect()
}

/// The files of a folder that have this extension, in order.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut all: Vec<_> = paths.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    all.sort();
    all
}

/// The bitcode in a part of a container. The test of listings does not need it.
#[allow(dead_code)]
pub fn bitcode<'a>(container: &'a [u8], part: &[u8; 4]) -> Option<&'a [u8]> {
    let word = |at: usize| {
        let bytes = container.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
    };
    let at = (0..word(28)?).filter_map(|i| word(32 + 4 * i)).find(|&at| container.get(at..at + 4) == Some(part))?;
    let header = at + 8;
    let start = header + 8 + word(header + 16)?;
    container.get(start..start + word(header + 20)?)
}
