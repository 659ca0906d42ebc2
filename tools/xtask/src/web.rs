//! `cargo xtask web [FOLDER]`: builds the page of `rtc explore` without a server, a static folder with the compiler as WebAssembly. Its check tests the page in a browser.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rtc_oracles::artefacts::workspace_root;
use rtc_oracles::skip::SKIP_LOG;
use serde_json::{Value, json};

use crate::outcome::Outcome;
use crate::plan;
use crate::progress::Step;
use crate::tool::{Tool, require};

const TARGET: &str = "wasm32-unknown-unknown";

const STANDARD_LIBRARY: Tool = Tool {
    what: "the standard library of Rust for WebAssembly",
    present: || sysroot().is_some_and(|root| root.join("lib/rustlib").join(TARGET).join("lib").is_dir()),
    install: "rustup target add wasm32-unknown-unknown",
};

/// The crate, and the name of what it builds.
const CRATE: (&str, &str) = ("rtc-explore-web", "rtc_explore_web.wasm");

/// Arguments of the linker: as much stack as work has elsewhere (`compiler/src/session/stack.rs`), and the most memory.
const LINK: [&str; 4] = ["-C", "link-arg=-zstack-size=16777216", "-C", "link-arg=--max-memory=1073741824"];

/// Builds the folder as people host it.
///
/// # Errors
/// When the target is missing, cargo fails, or a file cannot be written.
pub fn run(folder: Option<&str>) -> Result<(), String> {
    require("cargo xtask web", &[STANDARD_LIBRARY])?;
    let out = folder.map_or_else(|| plan::target_dir().join("web"), PathBuf::from);
    build("web", &out)?;
    let size = |name: &str| fs::metadata(out.join(name)).map_or(0, |m| m.len());
    println!("built {}: rtc.wasm has {:.1} MB", out.display(), size("rtc.wasm") as f64 / 1e6);
    println!("try it: python3 -m http.server --directory {}", out.display());
    Ok(())
}

/// Builds the folder fast, and runs its tests.
pub fn check() -> Outcome {
    if let Err(why) = require("the page without a server", &[STANDARD_LIBRARY]) {
        return Outcome::Skipped(why);
    }
    let out = plan::target_dir().join("web-checked");
    match build("dev", &out).and_then(|()| test(&out)) {
        Ok(skipped) if skipped.is_empty() => Outcome::Passed,
        Ok(skipped) => Outcome::Skipped(skipped),
        Err(e) => Outcome::Failed(e),
    }
}

/// Runs the tests of a folder; returns what was skipped, and why.
fn test(folder: &Path) -> Result<String, String> {
    let log = folder.with_extension("skipped.txt");
    _ = fs::remove_file(&log);
    let mut command = plan::cargo();
    command.args(["test", "--workspace", "--test", "web", "--features", &format!("{},{}/built", plan::test_features(), CRATE.0)]);
    // One after the other: a browser next to other work is slow.
    command.args(plan::lock_flags()).args(["--", "--test-threads=1"]).env("RTC_WEB", folder).env(SKIP_LOG, &log);
    let mut step = Step::new("Testing the page without a server");
    step.run(&mut command)?;
    step.done();
    let lines = fs::read_to_string(&log).unwrap_or_default();
    Ok(lines.lines().map(|l| l.split('\t').skip(1).collect::<Vec<_>>().join(": ")).collect::<Vec<_>>().join("; "))
}

/// Builds the module with a profile of cargo, and writes the folder.
fn build(profile: &str, out: &Path) -> Result<(), String> {
    let mut command = plan::cargo();
    command.args(["rustc", "-p", CRATE.0, "--lib", "--crate-type", "cdylib", "--target", TARGET, "--profile", profile]);
    command.arg("--target-dir").arg(plan::target_dir()).args(plan::lock_flags()).arg("--").args(LINK);
    let mut step = Step::new("Building the compiler as WebAssembly");
    step.run(&mut command)?;
    step.done();
    let made = plan::target_dir().join(TARGET).join(if profile == "dev" { "debug" } else { profile }).join(CRATE.1);
    write_folder(&made, out)
}

fn write_folder(module: &Path, out: &Path) -> Result<(), String> {
    let root = workspace_root().join("tools/explore");
    let write =
        |name: &str, bytes: &[u8]| fs::write(out.join(name), bytes).map_err(|e| format!("cannot write {}: {e}", out.join(name).display()));
    fs::create_dir_all(out).map_err(|e| format!("cannot create {}: {e}", out.display()))?;
    write("rtc.wasm", &read(module)?)?;
    for name in SCRIPTS.into_iter().chain(["style.css", "scene.css"]) {
        write(name, &read(&root.join("assets").join(name))?)?;
    }
    for name in ["web.js", "compiler.js", "editor.js", "files.js", "worker.js", "web.css"] {
        write(name, &read(&root.join("web/assets").join(name))?)?;
    }
    write("index.html", index(&text(&root.join("assets/page.html"))?)?.as_bytes())?;
    write("samples.json", samples()?.to_string().as_bytes())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn text(path: &Path) -> Result<String, String> {
    String::from_utf8(read(path)?).map_err(|_| format!("{} is not UTF-8", path.display()))
}

/// The scripts of the page, in their order.
const SCRIPTS: [&str; 4] = ["explore.js", "findings.js", "scene.js", "permutations.js"];

/// What differs from the page in one file: style and scripts are files, there is no model yet, and the compiler may run.
const DIFFERENCES: &[(&str, &str)] = &[
    ("{title} - rtc explore", "rtc explore"),
    (
        "<style>\n{style}\n</style>",
        "<link rel=\"stylesheet\" href=\"style.css\">\n<link rel=\"stylesheet\" href=\"scene.css\">\n<link rel=\"stylesheet\" href=\"web.css\">",
    ),
    (
        "<script>\n{script}\n</script>",
        "<script src=\"explore.js\"></script>\n<script src=\"findings.js\"></script>\n<script src=\"scene.js\"></script>\n\
         <script src=\"permutations.js\"></script>\n<script type=\"module\" src=\"web.js\"></script>",
    ),
    ("script-src 'unsafe-inline'", "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'"),
    ("style-src 'unsafe-inline'", "style-src 'self' 'unsafe-inline'"),
    ("{live}", "null"),
    ("{model}", "null"),
];

/// The page of the folder, made of the template of the page in one file.
fn index(template: &str) -> Result<String, String> {
    let mut out = template.to_owned();
    for (there, here) in DIFFERENCES {
        if out.matches(there).count() != 1 {
            return Err(format!("tools/explore/assets/page.html does not have `{there}` once"));
        }
        out = out.replace(there, here);
    }
    Ok(out)
}

/// Every sample with the files that it includes, under their names in `samples/`.
fn samples() -> Result<Value, String> {
    let root = workspace_root().join("samples");
    let mut all = Vec::new();
    // The simplest one is what the page begins with.
    let mut list = plan::samples()?;
    list.sort_by_key(|s| s.name != "hello");
    for sample in list {
        let name = format!("{0}/{0}.hlsl", sample.name);
        let mut files = BTreeMap::new();
        let mut wanted = vec![name.clone()];
        while let Some(file) = wanted.pop() {
            if files.contains_key(&file) {
                continue;
            }
            let text = text(&root.join(&file))?;
            wanted.extend(includes(&text).map(|path| normal(&file, path)));
            files.insert(file, text);
        }
        // Without options in its first line it is for the profile of all samples.
        let says = files[&name].starts_with("// rtc -T ");
        let options = (!says).then(|| format!("-T {}", sample.profile));
        all.push(json!({ "title": sample.name, "name": name, "files": files, "options": options }));
    }
    Ok(all.into())
}

/// What a text includes in quotes.
fn includes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|l| l.trim_start().strip_prefix("#include")?.trim_start().strip_prefix('"')?.split('"').next())
}

/// The path of a file that another includes.
fn normal(from: &str, path: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => _ = parts.pop(),
            "." | "" => {}
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The folder of the toolchain that cargo uses.
fn sysroot() -> Option<PathBuf> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let out = std::process::Command::new(rustc).args(["--print", "sysroot"]).current_dir(workspace_root()).output().ok()?;
    Some(PathBuf::from(String::from_utf8(out.stdout).ok()?.trim()))
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn the_template_is_as_expected() {
        let page = index(&text(&workspace_root().join("tools/explore/assets/page.html")).expect("the template")).expect("a page");
        // Nothing of the template is left: `{name}` in text or in an attribute.
        let left =
            page.split('{').skip(1).filter(|rest| rest.split('}').next().is_some_and(|name| name.chars().all(char::is_alphanumeric)));
        assert_eq!(left.count(), 0, "{page}");
        assert!(index("").is_err());
    }

    #[test]
    fn samples_have_what_they_include() {
        let all = samples().expect("samples");
        assert_eq!(all[0]["title"], "hello");
        let with = |name: &str| all.as_array().expect("a list").iter().find(|s| s["title"] == name).expect("it is there")["files"].clone();
        assert!(
            with("pathtracer").as_object().is_some_and(|f| f.contains_key("common/tonemap.hlsli") && f.contains_key("common/core.hlsli"))
        );
        assert_eq!(normal("a/b.hlsl", "../common/./c.hlsli"), "common/c.hlsli");
        assert_eq!(includes("  #include \"x.h\"\n#include <y.h>\n//#include\n").collect::<Vec<_>>(), ["x.h"]);
    }
}
