//! The kernels of the GPU benchmark, `lit-tests/gpu-kernels`: small shaders of one idiom each, and the scenes that run them.
//!
//! A kernel is a function in a file of its kind. The line `// variants:` above it lists what it is compiled with: each word is a variant of its own, with definitions between commas.

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::Source;

/// What makes a line the list of variants of the function below it.
const VARIANTS: &str = "// variants:";
/// How a kernel begins, in compute and ray generation shaders, and in others.
const BEGINS: [(&str, &str); 2] = [("float4 ", "(uint t)"), ("void ", "(inout P p)")];
/// What all kernels include.
const SHARED: &str = "kernels.hlsli";
/// The scenes of kernels, by what their file says.
const TEMPLATES: [(&str, &str); 2] = [("#define PROCEDURAL", "procedural.toml"), ("#define RAYS", "rays.toml")];
/// The scene of the others.
const COMPUTE: &str = "compute.toml";
/// How many numbers the input buffers have.
const NUMBERS: u32 = 4096;

/// A kernel with its definitions.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Kernel {
    name: String,
    defines: Vec<String>,
    /// Its lines in the file, from 0 on.
    lines: Range<usize>,
}

/// Writes a folder for each kernel into `folder/kernels`: scene, source and data.
///
/// # Errors
/// A folder cannot be read or written, or a file has no kernels.
pub fn scenes(workspace: &Path, folder: &Path) -> Result<Vec<Source>, String> {
    let from = workspace.join("lit-tests/gpu-kernels");
    let to = folder.join("kernels");
    _ = fs::remove_dir_all(&to);
    let list = fs::read_dir(&from).map_err(|e| format!("cannot read {}: {e}", from.display()))?;
    let mut files: Vec<PathBuf> = list.flatten().map(|e| e.path()).filter(|f| f.extension().is_some_and(|e| e == "hlsl")).collect();
    files.sort();
    let shared = read(&from.join(SHARED))?;
    let data = read(&from.join("data.toml"))?;
    let mut out = Vec::new();
    for file in &files {
        let text = read(file)?;
        let template = TEMPLATES.iter().find(|(says, _)| text.contains(says)).map_or(COMPUTE, |t| t.1);
        let template = read(&from.join(template))?;
        let kernels = kernels(&text);
        if kernels.is_empty() {
            return Err(format!("{} has no kernels", file.display()));
        }
        let kind = file.file_stem().unwrap_or_default().to_string_lossy();
        for k in &kernels {
            let name = format!("{kind}.{}", k.full_name());
            let dir = to.join(&name);
            fs::create_dir_all(&dir).map_err(|e| format!("cannot create {}: {e}", dir.display()))?;
            let write = |file: &str, bytes: &[u8]| {
                fs::write(dir.join(file), bytes).map_err(|e| format!("cannot write {file} in {}: {e}", dir.display()))
            };
            write("scene.toml", template.replace("@DEFINES@", &k.quoted()).replace("@DATA@", &data).as_bytes())?;
            write("kernel.hlsl", alone(&text, k, &kernels).as_bytes())?;
            write(SHARED, shared.as_bytes())?;
            write("numbers.bin", &numbers())?;
            out.push(Source { name, file: dir.join("scene.toml") });
        }
    }
    Ok(out)
}

/// The text without other kernels, whose definitions are missing. Lines keep their numbers.
fn alone(text: &str, kernel: &Kernel, all: &[Kernel]) -> String {
    let others: Vec<&Range<usize>> = all.iter().map(|k| &k.lines).filter(|l| **l != kernel.lines).collect();
    let keep = |(n, line)| if others.iter().any(|o| o.contains(&n)) { "\n".to_string() } else { format!("{line}\n") };
    text.lines().enumerate().map(keep).collect()
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()))
}

/// Fractions from 0 to below 1, the same in every run.
fn numbers() -> Vec<u8> {
    let fraction = |n: u32| ((n.wrapping_mul(2_654_435_761) >> 8) as f32 / 16_777_216.0).to_le_bytes();
    (0..NUMBERS).flat_map(fraction).collect()
}

impl Kernel {
    /// The name and the values of its definitions.
    fn full_name(&self) -> String {
        self.defines.iter().fold(self.name.clone(), |mut all, d| {
            _ = write!(all, "-{}", d.split_once('=').map_or(d.as_str(), |(_, value)| value));
            all
        })
    }

    /// The definitions as strings of TOML.
    fn quoted(&self) -> String {
        let all = std::iter::once(format!("KERNEL={}", self.name)).chain(self.defines.iter().cloned());
        all.map(|d| format!("\"{d}\"")).collect::<Vec<_>>().join(", ")
    }
}

/// The kernels of a file.
fn kernels(text: &str) -> Vec<Kernel> {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = Vec::new();
    let mut variants: Vec<Vec<String>> = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        if let Some(list) = line.strip_prefix(VARIANTS) {
            variants = list.split_whitespace().map(|v| v.split(',').map(str::to_string).collect()).collect();
            continue;
        }
        let Some(name) = BEGINS.iter().find_map(|(before, after)| line.strip_prefix(before)?.split_once(after)) else { continue };
        // A declaration ends at once.
        if name.1.starts_with(';') {
            continue;
        }
        let length = if line.ends_with('}') { 0 } else { lines[n..].iter().position(|l| *l == "}").unwrap_or(0) };
        let all = if variants.is_empty() { vec![Vec::new()] } else { std::mem::take(&mut variants) };
        out.extend(all.into_iter().map(|defines| Kernel { name: name.0.to_string(), defines, lines: n..n + length + 1 }));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_belong_to_the_next_kernel() {
        let text =
            "float4 KERNEL(uint t);\n// variants: T=int T=float,N=3\nfloat4 a(uint t) { }\nvoid b(inout P p)\n{\n}\nfloat c(uint t) {}\n";
        let names: Vec<String> = kernels(text).iter().map(Kernel::full_name).collect();
        assert_eq!(names, ["a-int", "a-float-3", "b"]);
        assert_eq!(kernels(text)[1].quoted(), r#""KERNEL=a", "T=float", "N=3""#);
    }

    #[test]
    fn a_kernel_stands_alone() {
        let text = "float4 a(uint t) { }\nstatic int x;\nfloat4 b(uint t)\n{\n}\n";
        let all = kernels(text);
        assert_eq!(alone(text, &all[0], &all), "float4 a(uint t) { }\nstatic int x;\n\n\n\n");
        assert_eq!(alone(text, &all[1], &all), "\nstatic int x;\nfloat4 b(uint t)\n{\n}\n");
    }

    #[test]
    fn there_are_hundreds_of_kernels() {
        let dir = std::env::temp_dir().join(format!("rtc-kernels-{}", std::process::id()));
        let all = scenes(&rtc_oracles::artefacts::workspace_root(), &dir).expect("kernels");
        let mut names: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert!(all.len() >= 300 && names.len() == all.len(), "{} kernels, {} names", all.len(), names.len());
        for s in &all {
            rtc_host::Scene::read(&s.file).unwrap_or_else(|e| panic!("{}: {e}", s.name));
        }
        _ = fs::remove_dir_all(&dir);
    }
}
