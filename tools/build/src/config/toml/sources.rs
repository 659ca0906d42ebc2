//! The sources of a shader: one, those of a list, or those that match a pattern.

use std::path::{Component, Path, PathBuf};

use super::places::Mistake;
use super::settings::OneOrMany;
use crate::glob;

/// A source of a shader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The shader's name: that of the table, and for one of several the path from the folder that all have in common, without extension.
    pub shader: String,
    /// The path, relative to the description.
    pub path: String,
}

/// The sources of a shader, and the folders in which a pattern looked for them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    /// At least one.
    pub files: Vec<Source>,
    /// The folders.
    pub folders: Vec<String>,
}

/// The sources of the shader `name`, whose description is in `folder`.
///
/// # Errors
/// There is none, a pattern matches nothing, or two have the same name.
pub fn of(name: &str, given: Option<&OneOrMany>, folder: &str) -> Result<Sources, Mistake> {
    let wrong = |message: String| Mistake::at(&["shader", name, "source"], message);
    let given = given.ok_or_else(|| wrong(format!("shader `{name}` has no `source`")))?;
    if let OneOrMany::One(path) = given
        && !glob::is_pattern(path)
    {
        return Ok(Sources { files: vec![Source { shader: name.to_owned(), path: path.clone() }], folders: Vec::new() });
    }
    let (mut paths, mut folders, mut fixed) = (Vec::new(), Vec::new(), Vec::new());
    for text in given.iter() {
        fixed.push(plain(glob::fixed_folder(&text.replace('\\', "/"))));
        if !glob::is_pattern(text) {
            paths.push(text.to_owned());
            continue;
        }
        let (found, looked_at) = glob::files(folder, text);
        if found.is_empty() {
            return Err(wrong(format!("shader `{name}`: no file matches `{text}`")));
        }
        paths.extend(found);
        folders.extend(looked_at);
    }
    if paths.is_empty() {
        return Err(wrong(format!("shader `{name}`: the list of sources is empty")));
    }
    // A pattern may find what the list names, too.
    let mut seen = std::collections::HashSet::new();
    paths.retain(|p| seen.insert(plain(p)));
    let common = common(&fixed);
    let mut files: Vec<Source> = Vec::new();
    for path in paths {
        let whole = plain(&path);
        let inside = whole.strip_prefix(&common).unwrap_or(&whole).with_extension("");
        let shader = format!("{name}/{}", inside.to_string_lossy().replace('\\', "/"));
        if let Some(other) = files.iter().find(|f| f.shader == shader) {
            return Err(wrong(format!(
                "shader `{name}`: `{}` and `{path}` would have the same outputs; describe one of them by a table of its own",
                other.path
            )));
        }
        files.push(Source { shader, path });
    }
    Ok(Sources { files, folders })
}

/// A path without `.`.
fn plain(path: &str) -> PathBuf {
    Path::new(path).components().filter(|c| *c != Component::CurDir).collect()
}

/// The folder that all of these are in.
fn common(folders: &[PathBuf]) -> PathBuf {
    let Some((first, rest)) = folders.split_first() else { return PathBuf::new() };
    let mut parts: Vec<Component<'_>> = first.components().collect();
    for folder in rest {
        let same = folder.components().zip(&parts).take_while(|(a, b)| a == *b).count();
        parts.truncate(same);
    }
    parts.into_iter().collect()
}
