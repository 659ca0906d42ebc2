//! The tree of files in which a task runs on another machine: the compiler, and the files that the task reads, where its paths find them.

use std::collections::BTreeMap;
use std::path::{Component, Path};

/// The folder of the compiler, at the root.
const COMPILER: &str = ".rtc";

/// The name of the entry that the task makes, in its current folder.
pub const ENTRY: &str = ".rtc-entry";

/// A tree of files; each file has a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    /// Files by name.
    pub files: BTreeMap<String, usize>,
    /// Folders by name.
    pub folders: BTreeMap<String, Tree>,
}

/// A tree, and where a task runs in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The tree. The compiler has the number of the paths.
    pub root: Tree,
    /// The current folder; empty for the root.
    pub folder: String,
    /// The compiler, from there.
    pub compiler: String,
}

/// The layout for a task that reads the files at `paths`, which are relative to the current folder. A path that leaves it by `..` is found because
/// the current folder is as deep as needed. `None` if a path is absolute: it may be another file there.
pub fn layout(paths: &[&str]) -> Option<Layout> {
    // How far paths leave the current folder.
    let mut depth = 0;
    for path in paths {
        let mut level = 0i64;
        for part in Path::new(path).components() {
            match part {
                Component::Normal(_) => level += 1,
                Component::CurDir => {}
                Component::ParentDir => level -= 1,
                Component::RootDir | Component::Prefix(_) => return None,
            }
            depth = depth.max(-level);
        }
    }
    let depth = usize::try_from(depth).ok()?;
    let folder: Vec<&str> = vec!["d"; depth];
    let mut root = Tree::default();
    root.folders.insert(COMPILER.to_owned(), Tree { files: BTreeMap::from([("rtc".to_owned(), paths.len())]), ..Tree::default() });
    // The current folder exists, also if it has no file.
    folder.iter().fold(&mut root, |tree, name| tree.folders.entry((*name).to_owned()).or_default());
    for (number, path) in paths.iter().enumerate() {
        let mut place = folder.clone();
        for part in Path::new(path).components() {
            match part {
                Component::Normal(name) => {
                    place.push(name.to_str()?);
                    // Folders that a path leaves again must be there too.
                    let (name, above) = place.split_last()?;
                    let tree = above.iter().fold(&mut root, |tree, name| tree.folders.entry((*name).to_owned()).or_default());
                    if place.len() > depth && Path::new(path).file_name()?.to_str()? != *name {
                        tree.folders.entry((*name).to_owned()).or_default();
                    }
                }
                Component::ParentDir => _ = place.pop()?,
                _ => {}
            }
        }
        let (name, above) = place.split_last()?;
        let tree = above.iter().fold(&mut root, |tree, name| tree.folders.entry((*name).to_owned()).or_default());
        tree.files.insert((*name).to_owned(), number);
    }
    Some(Layout { root, folder: folder.join("/"), compiler: format!("{}{COMPILER}/rtc", "../".repeat(depth)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree as lines `path number`.
    fn lines(tree: &Tree, above: &str, all: &mut Vec<String>) {
        all.extend(tree.files.iter().map(|(name, n)| format!("{above}{name} {n}")));
        tree.folders.iter().for_each(|(name, below)| lines(below, &format!("{above}{name}/"), all));
    }

    fn found(paths: &[&str]) -> Option<(String, String, Vec<String>)> {
        let layout = layout(paths)?;
        let mut all = Vec::new();
        lines(&layout.root, "", &mut all);
        Some((layout.folder, layout.compiler, all))
    }

    #[test]
    fn paths_are_found_from_the_current_folder() {
        let (folder, compiler, all) = found(&["a.hlsl", "./inc/b.hlsli", "inc/../c.hlsli"]).expect("they are relative");
        assert_eq!((folder.as_str(), compiler.as_str()), ("", ".rtc/rtc"));
        assert_eq!(all, ["a.hlsl 0", "c.hlsli 2", ".rtc/rtc 3", "inc/b.hlsli 1"]);
        let (folder, compiler, all) = found(&["x/a.hlsl", "../b.hlsli", "x/../../../e/c.hlsli"]).expect("they are relative");
        assert_eq!((folder.as_str(), compiler.as_str()), ("d/d", "../../.rtc/rtc"));
        assert_eq!(all, [".rtc/rtc 3", "d/b.hlsli 1", "d/d/x/a.hlsl 0", "e/c.hlsli 2"]);
        assert_eq!(found(&["/a.hlsl"]), None);
    }

    #[test]
    fn folders_that_are_left_again_are_there() {
        let layout = layout(&["only/../a.hlsl"]).expect("it is relative");
        assert!(layout.root.folders.contains_key("only"));
    }
}
