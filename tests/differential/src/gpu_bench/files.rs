//! Copies of a scene and of the files that it reads, which lie as they did to each other.

use std::fs;
use std::path::{Component, Path, PathBuf};

use rtc_host::Scene;

use super::Source;

/// Copies a scene into `folder`; the path of the scene file in it.
pub fn copy(source: &Source, scene: &Scene, folder: &Path) -> Result<String, String> {
    // Of a shader that names a scene both files are read.
    let mut all = vec![absolute(&source.file)?, absolute(&scene.path)?];
    for file in scene.files() {
        all.push(absolute(&file)?);
    }
    let root = common(&all);
    let mut first = None;
    for file in &all {
        let inner = file.strip_prefix(&root).map_err(|e| e.to_string())?;
        let relative = Path::new("scenes").join(&source.name).join(inner);
        let to = folder.join(&relative);
        let fails = |e| format!("cannot copy {} to {}: {e}", file.display(), to.display());
        fs::create_dir_all(to.parent().unwrap_or(folder)).map_err(fails)?;
        fs::copy(file, &to).map_err(fails)?;
        first.get_or_insert(relative);
    }
    // With slashes on every system: manifests travel.
    let relative = first.unwrap_or_default();
    Ok(relative.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/"))
}

/// The path without `..`.
fn absolute(file: &Path) -> Result<PathBuf, String> {
    file.canonicalize().map_err(|e| format!("cannot find {}: {e}", file.display()))
}

/// The innermost folder that has all files.
fn common(files: &[PathBuf]) -> PathBuf {
    let mut root: Vec<Component<'_>> = files[0].parent().map_or_else(Vec::new, |p| p.components().collect());
    for f in files {
        let same = root.iter().zip(f.components()).take_while(|(a, b)| **a == *b).count();
        root.truncate(same);
    }
    root.iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_folder() {
        let root = |files: &[&str]| common(&files.iter().map(PathBuf::from).collect::<Vec<_>>()).display().to_string();
        assert_eq!(root(&["/a/b/s.toml"]), "/a/b");
        assert_eq!(root(&["/a/b/s.toml", "/a/textures/x.png"]), "/a");
        assert_eq!(root(&["/a/b/s.toml", "/a/b/c/x.png"]), "/a/b");
        assert_eq!(root(&["/a/b/s.toml", "/c/x.png"]), "/");
    }
}
