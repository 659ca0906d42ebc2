//! Builds that are described for ShaderMake: its arguments, and its configuration as it is.
//!
//! The configuration has a shader in each line, with permutations in braces; comments, `#ifdef`, `#if 0`, `#if 1`, `#else` and `#endif` are
//! understood as ShaderMake does. Outputs have its names, but for the number in the file name of a permutation, which depends on the C++
//! library there. Blobs are byte for byte in its format, with its keys.

mod arguments;
mod line;

use std::path::Path;

use super::{Count, Limits, folder_of, plain, short, within};
use crate::error::Error;
use crate::matrix::{Permutation, Value};
use crate::plan::{Bundle, BundleKind, Header, Plan, Task};

pub use arguments::{Arguments, Platform};
use line::Line;

/// The plan that `arguments` request. `text` is their configuration.
///
/// # Errors
/// A line is wrong, there are too many permutations, or two tasks have the same output.
pub fn plan(arguments: &Arguments, text: &str, limits: &Limits) -> Result<Plan, Error> {
    let file = &arguments.config;
    let folder = if arguments.ignore_config_dir { String::new() } else { folder_of(file) };
    let sources = within(&folder, arguments.source_dir.as_deref().unwrap_or_default()).trim_end_matches('/').to_owned();
    let error = |line: usize, message: String| Error::Description { file: file.clone(), place: Some((line, 1)), message };
    let mut plan = Plan { out: plain(&arguments.out), descriptions: vec![file.clone()], ..Plan::default() };
    let mut open: Vec<Block> = Vec::new();
    let mut count = Count::default();
    let mut lines = Vec::new();
    for (i, text) in text.lines().enumerate() {
        let text = text.trim();
        let number = i + 1;
        if text.is_empty() || text.starts_with("//") {
            continue;
        }
        let active = open.last().is_none_or(|b| b.active);
        if let Some(directive) = text.strip_prefix('#') {
            let (word, rest) = directive.trim_start().split_once(char::is_whitespace).unwrap_or((directive.trim_start(), ""));
            let condition = match (word, rest.trim()) {
                ("ifdef", name) if !name.is_empty() => arguments.defines.iter().any(|d| d == name),
                ("if", "1") => true,
                ("if", "0") => false,
                ("else", _) => {
                    let block = open.last_mut().ok_or_else(|| error(number, "`#else` without `#ifdef` or `#if`".into()))?;
                    block.active = block.outside && !block.active;
                    continue;
                }
                ("endif", _) => {
                    open.pop().ok_or_else(|| error(number, "`#endif` without `#ifdef` or `#if`".into()))?;
                    continue;
                }
                _ => {
                    return Err(error(
                        number,
                        format!("`#{directive}` is not understood; ShaderMake has #ifdef NAME, #if 0, #if 1, #else and #endif"),
                    ));
                }
            };
            open.push(Block { line: number, outside: active, active: active && condition });
        } else if active {
            count.add(line::count(text));
            lines.push((number, text));
        }
    }
    if let Some(block) = open.last() {
        return Err(error(block.line, "this block is not closed with `#endif`".into()));
    }
    count.check(limits)?;
    for (number, text) in lines {
        for expanded in line::expand(text).map_err(|m| error(number, m))? {
            let line = Line::parse(&expanded).map_err(|m| error(number, m))?;
            add(&mut plan, arguments, &line, &sources).map_err(|m| error(number, m))?;
        }
    }
    if plan.tasks.is_empty() {
        return Err(error(1, "there is no shader".into()));
    }
    plan.check_names()?;
    finish_blobs(&mut plan, arguments)?;
    plan.check()?;
    Ok(plan)
}

/// A block of `#ifdef`.
struct Block {
    line: usize,
    outside: bool,
    active: bool,
}

/// Adds the task of a line without braces.
fn add(plan: &mut Plan, a: &Arguments, line: &Line, sources: &str) -> Result<(), String> {
    let mut defines = line.defines.clone();
    defines.sort();
    let value = |d: &String| match d.split_once('=') {
        Some((name, value)) => (name.to_owned(), Value::Text(value.to_owned())),
        None => (d.clone(), Value::Defined),
    };
    let permutation = Permutation::new(defines.iter().map(value));
    let path = Path::new(&line.source);
    let inside: std::path::PathBuf = path.components().filter(|c| matches!(c, std::path::Component::Normal(_))).collect();
    let named = if a.flatten || line.output.is_some() { path.file_name().map(Into::into).unwrap_or_default() } else { inside };
    let mut shader = plain(&named.with_extension("").to_string_lossy());
    if line.entry != "main" {
        shader = format!("{shader}_{}", line.entry);
    }
    shader.push_str(line.suffix.as_deref().unwrap_or_default());
    if let Some(folder) = &line.output {
        shader = within(folder, &shader);
    }
    let key = defines.join(" ");
    let file = if defines.is_empty() { shader.clone() } else { format!("{shader}_{}", short(&key).to_uppercase()) };
    let extension = a.extension();
    let task = plan.tasks.len();
    if a.binary_blob || a.header_blob {
        let mut blob = |kind: BundleKind, file: String| match plan.bundles.iter_mut().find(|b| b.file == file) {
            Some(known) => known.tasks.push(task),
            None => plan.bundles.push(Bundle { kind, file, tasks: vec![task] }),
        };
        if a.binary_blob {
            blob(BundleKind::Blob, format!("{shader}{extension}"));
        }
        if a.header_blob {
            blob(BundleKind::BlobHeader(a.variable(&shader)), format!("{shader}{extension}.h"));
        }
    }
    let arguments = a.of_compiler(line)?;
    let out = |kind: &str| format!("{file}{extension}{kind}");
    plan.tasks.push(Task {
        shader,
        target: String::new(),
        entry: line.entry.clone(),
        permutation,
        source: within(sources, &line.source),
        arguments,
        object: a.binary.then(|| out("")),
        header: a.header.then(|| Header { file: out(".h"), variable: a.variable(&file), listed: false }),
        pdb: (a.pdb && a.platform == Platform::Dxil).then(|| {
            let path = Path::new(&file);
            let name = format!("{}.pdb", path.file_name().unwrap_or_default().to_string_lossy());
            plain(&path.with_file_name("PDB").join(name).to_string_lossy())
        }),
    });
    Ok(())
}

/// A blob of one shader without macros is the shader's object itself. A blob cannot have a permutation without macros together with others.
fn finish_blobs(plan: &mut Plan, a: &Arguments) -> Result<(), Error> {
    let bundles = std::mem::take(&mut plan.bundles);
    for bundle in bundles {
        let bare = bundle.tasks.iter().find(|&&t| plan.tasks[t].permutation.is_empty());
        match (bare, bundle.tasks.as_slice()) {
            (Some(&task), [_]) => {
                let variable = a.variable(&plan.tasks[task].shader);
                match bundle.kind {
                    BundleKind::BlobHeader(_) => plan.tasks[task].header = Some(Header { file: bundle.file, variable, listed: false }),
                    _ => plan.tasks[task].object = Some(bundle.file),
                }
            }
            (Some(&task), _) => {
                let message = format!(
                    "`{}` has permutations with and without macros, which cannot be in one blob; give each of them a macro",
                    plan.tasks[task].shader
                );
                return Err(Error::Description { file: a.config.clone(), place: None, message });
            }
            (None, _) => plan.bundles.push(bundle),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
