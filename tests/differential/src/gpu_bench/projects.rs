//! Public projects in the GPU benchmark: a list says which files of which commit are copied next to a scene of ours, and what is changed in them. Nothing that was fetched is kept.
//!
//! ```text
//! # A comment.
//! project NAME OWNER/REPOSITORY COMMIT
//! scene FILE                    of ours, relative to the list
//! copy PATH                     a file or a folder of the checkout; it keeps its path
//! edit PATH                     a file that was copied, in which
//! - OLD                         each occurrence of a part of a line
//! + NEW                         becomes another one
//! ```

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use super::Source;

/// A project of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Project {
    name: String,
    repository: String,
    commit: String,
    scene: String,
    copies: Vec<String>,
    /// A file, a part of a line, and what it becomes.
    edits: Vec<[String; 3]>,
}

/// Copies each project of a list from its checkout, `checkouts/NAME`, to `folder/projects/NAME`, and applies its changes.
///
/// # Errors
/// The list is malformed, a checkout is missing or of another commit, a file cannot be copied, or what is changed is not there.
pub fn projects(list: &Path, checkouts: &Path, folder: &Path) -> Result<Vec<Source>, String> {
    let text = read(list)?;
    let all = parse(&text).map_err(|e| format!("{}:{e}", list.display()))?;
    let ours = list.parent().unwrap_or(Path::new(""));
    let into = folder.join("projects");
    _ = fs::remove_dir_all(&into);
    all.iter()
        .map(|p| p.put(ours, &checkouts.join(&p.name), &into.join(&p.name)).map_err(|e| format!("project `{}`: {e}", p.name)))
        .collect()
}

/// Removes what was copied.
pub fn remove_projects(folder: &Path) {
    _ = fs::remove_dir_all(folder.join("projects"));
}

/// The projects of a list, or the line with the mistake.
fn parse(text: &str) -> Result<Vec<Project>, String> {
    let mut all: Vec<Project> = Vec::new();
    let mut file = String::new();
    // An edit that has no new text yet.
    let mut old: Option<String> = None;
    for (n, line) in text.lines().enumerate() {
        let at = |e: &str| format!("{}: {e}", n + 1);
        let line = line.trim();
        let (word, rest) = line.split_once(' ').map_or((line, ""), |(w, r)| (w, r.trim_start()));
        if word.is_empty() || word.starts_with('#') {
            continue;
        }
        if old.is_some() && word != "+" {
            return Err(at("`- OLD` is followed by `+ NEW`"));
        }
        if word == "project" {
            let [name, repository, commit] = rest.split_whitespace().collect::<Vec<_>>()[..] else {
                return Err(at("a project has a name, a repository and a commit"));
            };
            if name.chars().any(|c| !(c.is_ascii_alphanumeric() || "-_".contains(c))) {
                return Err(at(&format!("`{name}` is no name: it has letters, digits, `-` and `_`")));
            }
            if commit.len() != 40 || commit.chars().any(|c| !c.is_ascii_hexdigit()) {
                return Err(at(&format!("`{commit}` is no commit: it has 40 hexadecimal digits")));
            }
            if all.iter().any(|p| p.name == name) {
                return Err(at(&format!("two projects are called `{name}`")));
            }
            all.push(Project { name: name.into(), repository: repository.into(), commit: commit.into(), ..Project::default() });
            file.clear();
            continue;
        }
        let Some(p) = all.last_mut() else { return Err(at("it begins with `project NAME OWNER/REPOSITORY COMMIT`")) };
        let inside = Path::new(rest).components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
        match word {
            "scene" if !rest.is_empty() => p.scene = rest.into(),
            "copy" | "edit" if rest.is_empty() || !inside => return Err(at(&format!("`{word}` names a path inside of the checkout"))),
            "copy" => p.copies.push(rest.into()),
            "edit" => file = rest.into(),
            "-" if file.is_empty() => return Err(at("`- OLD` follows `edit PATH`")),
            "-" if rest.is_empty() => return Err(at("nothing is replaced")),
            "-" => old = Some(rest.into()),
            "+" => match old.take() {
                Some(old) => p.edits.push([file.clone(), old, rest.into()]),
                None => return Err(at("`+ NEW` follows `- OLD`")),
            },
            _ => return Err(at(&format!("`{word}` is none of `project`, `scene`, `copy`, `edit`, `-` and `+`"))),
        }
    }
    if old.is_some() {
        return Err(format!("{}: `- OLD` is followed by `+ NEW`", text.lines().count()));
    }
    match all.iter().find(|p| p.scene.is_empty() || p.copies.is_empty()) {
        Some(p) => Err(format!("1: project `{}` has no `scene` or no `copy`", p.name)),
        None => Ok(all),
    }
}

impl Project {
    fn put(&self, ours: &Path, checkout: &Path, to: &Path) -> Result<Source, String> {
        if !checkout.is_dir() {
            return Err(format!("there is no folder {}: it is a checkout of {} at {}", checkout.display(), self.repository, self.commit));
        }
        if checkout.join(".git").exists() {
            let found = Command::new("git")
                .arg("-C")
                .arg(checkout)
                .args(["rev-parse", "HEAD"])
                .output()
                .map_err(|e| format!("cannot start git: {e}"))?;
            let found = String::from_utf8_lossy(&found.stdout).trim().to_string();
            if found != self.commit {
                return Err(format!("{} is at `{found}`, and the list is about {}", checkout.display(), self.commit));
            }
        }
        for path in &self.copies {
            copy(&checkout.join(path), &to.join(path))?;
        }
        for [file, old, new] in &self.edits {
            let file = to.join(file);
            // Sources may have any encoding: what is replaced has no other bytes than the list.
            let bytes = fs::read(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
            let changed = replaced(&bytes, old.as_bytes(), new.as_bytes());
            let changed = changed.ok_or_else(|| format!("`{old}` is not in {}", file.display()))?;
            fs::write(&file, changed).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        }
        let scene = to.join("scene.toml");
        copy(&ours.join(&self.scene), &scene)?;
        Ok(Source { name: self.name.clone(), file: scene })
    }
}

/// The text with each occurrence of `old` replaced; `None` if there is none.
fn replaced(text: &[u8], old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let (mut rest, mut found) = (text, false);
    while let Some(at) = rest.windows(old.len()).position(|w| w == old) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(new);
        rest = &rest[at + old.len()..];
        found = true;
    }
    out.extend_from_slice(rest);
    found.then_some(out)
}

/// Copies a file, or a folder with all that is in it but links.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let fails = |e: std::io::Error| format!("cannot copy {} to {}: {e}", from.display(), to.display());
    let kind = fs::symlink_metadata(from).map_err(fails)?.file_type();
    if kind.is_dir() {
        fs::create_dir_all(to).map_err(fails)?;
        let mut names: Vec<PathBuf> = fs::read_dir(from).map_err(fails)?.flatten().map(|e| e.path()).collect();
        names.sort();
        for path in names {
            copy(&path, &to.join(path.file_name().unwrap_or_default()))?;
        }
    } else if kind.is_file() {
        fs::create_dir_all(to.parent().unwrap_or(to)).map_err(fails)?;
        fs::copy(from, to).map_err(fails)?;
    }
    Ok(())
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn a_project_is_copied_and_changed() {
        let dir = std::env::temp_dir().join(format!("rtc-projects-{}", std::process::id()));
        let (checkout, out) = (dir.join("from/one"), dir.join("out"));
        fs::create_dir_all(checkout.join("src/inner")).expect("a folder");
        fs::write(checkout.join("src/a.hlsl"), b"int a; // \xff\nint a; int b;\n").expect("a file");
        fs::write(checkout.join("src/inner/b.hlsli"), "int c;\n").expect("a file");
        fs::write(dir.join("one.toml"), "[shader]\n").expect("a file");
        let list = dir.join("list.txt");
        let text =
            format!("# public\nproject one owner/one {COMMIT}\n  scene one.toml\n  copy src\n  edit src/a.hlsl\n  - int a;\n  + int d;\n");
        fs::write(&list, &text).expect("a file");
        let made = projects(&list, &dir.join("from"), &out).expect("a project");
        assert_eq!((made[0].name.as_str(), &made[0].file), ("one", &out.join("projects/one/scene.toml")));
        assert_eq!(fs::read(out.join("projects/one/src/a.hlsl")).expect("a file"), b"int d; // \xff\nint d; int b;\n");
        assert!(out.join("projects/one/src/inner/b.hlsli").is_file());
        let error = |text: &str| {
            fs::write(&list, text).expect("a file");
            projects(&list, &dir.join("from"), &out).expect_err("an error")
        };
        assert!(error(&text.replace("- int a;", "- int e;")).contains("`int e;` is not in"));
        assert!(error(&text.replace("project one", "project two")).contains("it is a checkout of owner/one at 0123"));
        assert!(error(&text.replace("copy src", "copy ../src")).contains("list.txt:4: `copy` names a path inside"));
        remove_projects(&out);
        assert!(!out.join("projects").exists());
        _ = fs::remove_dir_all(&dir);
    }

    #[test]
    fn malformed_lists_say_their_line() {
        let head = format!("project a o/a {COMMIT}\n");
        let cases = [
            ("scene x", "1: it begins with"),
            ("project a o/a 12", "1: `12` is no commit"),
            ("project a/b o/a 0", "1: `a/b` is no name"),
            ("project a", "1: a project has"),
            (&format!("{head}scene s\n- x"), "3: `- OLD` follows `edit"),
            (&format!("{head}scene s\ncopy c\nedit c\n- x\nedit d"), "6: `- OLD` is followed"),
            (&format!("{head}scene s\ncopy c\nedit c\n- x"), "5: `- OLD` is followed"),
            (&format!("{head}scene s\ncopy c\n+ x"), "4: `+ NEW` follows"),
            (&format!("{head}scene s\nkeep c"), "3: `keep` is none of"),
            (&format!("{head}copy c"), "has no `scene`"),
            (&format!("{head}scene s\ncopy c\n{head}"), "4: two projects"),
        ];
        for (text, error) in cases {
            let found = parse(text).expect_err(text);
            assert!(found.contains(error), "{text}: {found}");
        }
    }
}
