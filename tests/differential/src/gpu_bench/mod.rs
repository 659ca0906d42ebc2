//! The bundle of the GPU benchmark: scenes, and for each the packages that `rtc run --bench` measures, in one folder.
//!
//! The reference compiler makes modules and no packages: its module takes the place of ours in our package ([`reference`](self::reference())), so that both run in the same
//! runtime, with the same tables and resources. Where it reads other data than ours, there is nothing to compare, and the manifest says why.

mod files;
mod forms;
mod kernels;
mod projects;
mod reference;

use std::fs;
use std::path::{Path, PathBuf};

use rtc_host::Scene;
use rtc_package::Package;
use serde_json::{Value, json};

use forms::{Compiler, Form};
pub use kernels::scenes as kernels;
pub use projects::{projects, remove_projects};
pub use reference::reference;

/// Compiles a source with arguments into a file; the file's bytes, or the messages.
pub type Compile<'a> = dyn Fn(&[String], &Path, &Path) -> Result<Vec<u8>, String> + 'a;

/// What a bundle is made of.
pub struct Bundle<'a> {
    /// Our compiler.
    pub rtc: &'a Compile<'a>,
    /// The reference compiler, or why there is none.
    pub reference: Result<&'a Compile<'a>, String>,
    /// How many times the resolution of the scenes, in each direction.
    pub scale: f64,
    /// How many turns each form has.
    pub turns: u32,
    /// How often each form runs in a turn.
    pub repeat: u32,
    /// Only our first form, and the reference's.
    pub two_forms: bool,
}

/// A scene, or a shader that names one, and its name in reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The name: letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// The file.
    pub file: PathBuf,
}

/// The scenes of this repository that trace rays: samples, and the shaders of `lit-tests/gpu-bench`.
///
/// # Errors
/// A folder or a scene cannot be read.
pub fn own(workspace: &Path) -> Result<Vec<Source>, String> {
    let list = |folder: &Path| -> Result<Vec<PathBuf>, String> {
        let entries = fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
        let mut all: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        all.sort();
        Ok(all)
    };
    let mut out = Vec::new();
    for folder in list(&workspace.join("samples"))? {
        let scene = folder.join("scene.toml");
        if scene.is_file() && Scene::read(&scene).map_err(|e| e.to_string())?.draws.is_empty() {
            out.push(Source { name: name_of(&folder), file: scene });
        }
    }
    for file in list(&workspace.join("lit-tests/gpu-bench"))? {
        if file.extension().is_some_and(|e| e == "hlsl") {
            out.push(Source { name: name_of(&file.with_extension("")), file });
        }
    }
    Ok(out)
}

/// The scenes of a list: a file in each line, relative to the list, and after it a name if it is not that of its folder. `#` starts a comment.
/// This is how shaders that are not part of the repository come in.
///
/// # Errors
/// The list cannot be read, or a name is no file's name.
pub fn listed(list: &Path) -> Result<Vec<Source>, String> {
    let text = fs::read_to_string(list).map_err(|e| format!("cannot read {}: {e}", list.display()))?;
    let dir = list.parent().unwrap_or(Path::new(""));
    let mut out = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace().take_while(|w| !w.starts_with('#'));
        let Some(file) = words.next() else { continue };
        let file = dir.join(file);
        let of_file = if file.extension().is_some_and(|e| e == "toml") { file.parent().unwrap_or(&file) } else { &file.with_extension("") };
        let name = words.next().map_or_else(|| name_of(of_file), str::to_string);
        if name.is_empty() || name.chars().any(|c| !(c.is_ascii_alphanumeric() || "-_.".contains(c))) {
            return Err(format!("{}:{}: `{name}` is no name: it has letters, digits, `-`, `_` and `.`", list.display(), n + 1));
        }
        out.push(Source { name, file });
    }
    Ok(out)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Bundle<'_> {
    /// Makes the bundle in `folder`, which is emptied of earlier scenes and packages, and writes `manifest.json`. `progress` hears of each scene.
    ///
    /// # Errors
    /// A scene cannot be read, rtc does not compile a scene's first form, or a file cannot be written. What else does not compile is left out with
    /// its reason.
    pub fn make(&self, sources: &[Source], folder: &Path, mut progress: impl FnMut(&str)) -> Result<PathBuf, String> {
        let fails = |path: &Path, e: std::io::Error| format!("cannot write {}: {e}", path.display());
        for (n, s) in sources.iter().enumerate() {
            if sources[..n].iter().any(|t| t.name == s.name) {
                return Err(format!("two scenes are called `{}`", s.name));
            }
        }
        for part in ["scenes", "packages"] {
            let dir = folder.join(part);
            _ = fs::remove_dir_all(&dir);
            fs::create_dir_all(&dir).map_err(|e| fails(&dir, e))?;
        }
        let mut jobs = Vec::new();
        for source in sources {
            progress(&source.name);
            jobs.push(self.job(source, folder).map_err(|e| format!("{}: {e}", source.name))?);
        }
        let manifest = json!({ "version": 1, "turns": self.turns, "repeat": self.repeat, "scale": self.scale, "jobs": jobs });
        let path = folder.join("manifest.json");
        fs::write(&path, format!("{manifest:#}\n")).map_err(|e| fails(&path, e))?;
        Ok(path)
    }

    /// The entry of one scene in the manifest.
    fn job(&self, source: &Source, folder: &Path) -> Result<Value, String> {
        let scene = Scene::of(&source.file).map_err(|e| e.to_string())?;
        let copied = files::copy(source, &scene, folder)?;
        let hlsl = scene.shader.source.as_ref().ok_or("its scene names a package and no source, so that nothing can be compiled")?;
        let hlsl = scene.dir().join(hlsl);
        let text = fs::read_to_string(&hlsl).map_err(|e| format!("cannot read {}: {e}", hlsl.display()))?;
        let (mut made, mut left_out): (Vec<(Form, Package)>, Vec<Value>) = (Vec::new(), Vec::new());
        let mut entries = Vec::new();
        for form in forms::of(&scene, &text).into_iter().take(if self.two_forms { 2 } else { usize::MAX }) {
            let file = format!("packages/{}.{}.rtp", source.name, form.name.trim_start_matches('-'));
            let done = self.form(&form, &made, &hlsl, &folder.join(&file));
            let package = match done {
                Ok(package) => package,
                Err(why) if made.is_empty() => return Err(why),
                Err(why) => {
                    left_out.push(json!({ "form": form.name, "reason": why }));
                    continue;
                }
            };
            if let Some((same, _)) = made.iter().find(|(_, p)| p.spirv == package.spirv && p.forms == package.forms) {
                left_out.push(json!({ "form": form.name, "reason": format!("the module is that of `{}`", same.name) }));
                _ = fs::remove_file(folder.join(&file));
                continue;
            }
            let bytes = package.write().map_err(|e| e.to_string())?;
            fs::write(folder.join(&file), bytes).map_err(|e| format!("cannot write {file}: {e}"))?;
            entries.push(json!({ "name": form.name, "options": form.shown(), "package": file }));
            made.push((form, package));
        }
        Ok(json!({ "name": source.name, "scene": copied, "forms": entries, "left_out": left_out }))
    }

    /// Compiles one form. The reference's takes its place in the package of the first.
    fn form(&self, form: &Form, made: &[(Form, Package)], hlsl: &Path, out: &Path) -> Result<Package, String> {
        let read = |bytes: &[u8]| Package::read(bytes).map_err(|e| e.to_string());
        match form.compiler {
            Compiler::Rtc => read(&(self.rtc)(&form.args, hlsl, out).map_err(|e| first_line(&e))?),
            Compiler::Reference => {
                let compile = self.reference.as_ref().map_err(Clone::clone)?;
                let like = &made.first().ok_or("there is no form of ours to compare with")?.1;
                reference(like, |args| {
                    let args: Vec<String> = form.args.iter().cloned().chain(args).collect();
                    let file = out.with_extension("spv");
                    let bytes = compile(&args, hlsl, &file).map_err(|e| first_line(&e));
                    _ = fs::remove_file(&file);
                    bytes
                })
            }
        }
    }
}

/// The line of messages that says what is wrong.
fn first_line(messages: &str) -> String {
    let mut lines = messages.lines().map(str::trim).filter(|l| !l.is_empty());
    let first = lines.next().unwrap_or("it does not compile, and says nothing").to_string();
    lines.chain([first.as_str()]).find(|l| l.contains("error")).unwrap_or(&first).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_names() {
        let dir = std::env::temp_dir().join(format!("rtc-gpu-list-{}", std::process::id()));
        fs::create_dir_all(&dir).expect("a folder");
        let list = dir.join("list");
        fs::write(&list, "# public\na/scene.toml\n\nb/c.hlsl # a shader\nd/scene.toml other\n").expect("a file");
        let names: Vec<String> = listed(&list).expect("a list").into_iter().map(|s| s.name).collect();
        assert_eq!(names, ["a", "c", "other"]);
        fs::write(&list, "a.toml x/y\n").expect("a file");
        assert!(listed(&list).is_err_and(|e| e.contains(":1: `x/y`")));
        _ = fs::remove_dir_all(&dir);
    }

    #[test]
    fn the_line_with_the_error_counts() {
        assert_eq!(first_line("a.hlsl:1: warning: w\na.hlsl:2: error: e\n note"), "a.hlsl:2: error: e");
        assert_eq!(first_line("  \n"), "it does not compile, and says nothing");
        assert_eq!(first_line("Some(139) \n"), "Some(139)");
    }
}
