//! `rtc.toml`: shaders with permutations, targets, and templates that shaders inherit from.
//!
//! | table | what it says |
//! |---|---|
//! | top | `out`: the folder of outputs (`shaders` if it is not said) |
//! | `[defaults]` | settings that every shader inherits |
//! | `[template.NAME]` | settings for shaders and templates that say `inherits = "NAME"` |
//! | `[target.NAME]` | `options`, `defines` and the file `extension` of a target; without a target there is one, DXIL |
//! | `[shader.NAME]` | a shader: settings |
//! | `[cache]` | `url`: the shared cache; `write`: whether it is written (`true` if it is not said); `timeout`: the seconds that a request may take |
//!
//! A source may be a list or a pattern ([`crate::glob`]): each file is a shader with the table's settings, called by the table's name and its path.
//! The settings are members of [`Settings`]. Of a value the nearest one counts; `options` and `include_dirs`, `exclude` and `include` are those of
//! the template followed by those of the shader; `defines` and `matrix` are merged by macro. Paths are relative to the description's folder.

mod inherit;
mod places;
mod settings;
mod sources;

use std::path::{Component, Path};

use indexmap::IndexMap;
use serde::Deserialize;

use super::{Count, Limits, folder_of, plain, short, within};
use crate::error::Error;
use crate::matrix::{Matrix, Permutation, Value};
use crate::plan::{Bundle, BundleKind, Header, Plan, Task};
use crate::shared::{Location, SharedSettings, time_limit};

use places::{Mistake, line_and_column};
pub use settings::{OneOrMany, Output, Settings};
use sources::Source;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    #[serde(default = "out")]
    out: String,
    #[serde(default)]
    defaults: Settings,
    #[serde(default)]
    template: IndexMap<String, Settings>,
    #[serde(default)]
    target: IndexMap<String, Target>,
    #[serde(default)]
    shader: IndexMap<String, Settings>,
    cache: Option<SharedCache>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SharedCache {
    url: String,
    #[serde(default = "yes")]
    write: bool,
    timeout: Option<f64>,
}

fn yes() -> bool {
    true
}

fn out() -> String {
    "shaders".to_owned()
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Target {
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    defines: IndexMap<String, Value>,
    extension: Option<String>,
}

/// The plan of the description `text`, which is in `file`.
///
/// # Errors
/// The description is wrong, there are too many permutations, or two tasks have the same output.
pub fn plan(file: &str, text: &str, limits: &Limits) -> Result<Plan, Error> {
    let description: Description = ::toml::from_str(text).map_err(|e| wrong(file, text, &e))?;
    let error = |m: Mistake| Error::Description { file: file.to_owned(), place: m.place(text), message: m.message };
    let folder = folder_of(file);
    let implicit = IndexMap::from([(String::new(), Target::default())]);
    let targets = if description.target.is_empty() { &implicit } else { &description.target };
    let mut shaders = Vec::new();
    let mut count = Count::default();
    if description.shader.is_empty() {
        return Err(error(Mistake::at(&[], "there is no shader; a table `[shader.NAME]` describes one")));
    }
    for (name, own) in &description.shader {
        let s = inherit::settle(name, own, &description.defaults, &description.template).map_err(error)?;
        for t in s.targets.iter().flatten() {
            if !description.target.contains_key(t) {
                let near = rtc_base::similar::nearest(t, description.target.keys().map(String::as_str));
                let message = format!("shader `{name}`: there is no target `{t}`{}", did_you_mean(near));
                return Err(error(Mistake::at(&["shader", name, "targets"], message)));
            }
        }
        let matrix = Matrix { axes: s.matrix.clone(), exclude: s.exclude.clone(), include: s.include.clone() };
        let macros = s.defines.keys().chain(matrix.axes.keys()).chain(matrix.include.iter().flat_map(|rule| rule.keys()));
        if let Some(wrong) = macros.chain(targets.values().flat_map(|t| t.defines.keys())).find(|m| !is_identifier(m)) {
            let key = if s.matrix.contains_key(wrong) { "matrix" } else { "defines" };
            return Err(error(Mistake::at(&["shader", name, key, wrong], format!("shader `{name}`: `{wrong}` is no name of a macro"))));
        }
        let unknown = matrix.exclude.iter().flat_map(|rule| rule.keys()).find(|name| !matrix.axes.contains_key(*name));
        if let Some(unknown) = unknown {
            let near = rtc_base::similar::nearest(unknown, matrix.axes.keys().map(String::as_str));
            let message = format!("shader `{name}`: `exclude` names `{unknown}`, which is no axis of `matrix`{}", did_you_mean(near));
            return Err(error(Mistake::at(&["shader", name, "exclude"], message)));
        }
        let chosen = targets.iter().filter(|t| s.targets.as_ref().is_none_or(|all| all.contains(t.0))).count();
        let entries = s.entry.as_ref().map_or(1, |e| e.iter().count());
        let sources = sources::of(name, s.source.as_ref(), &folder).map_err(error)?;
        count.add(matrix.count().saturating_mul((chosen * entries * sources.files.len()) as u128));
        matrix.axes.iter().for_each(|(axis, values)| count.axis(name, axis, values.len()));
        shaders.push((name, s, matrix, sources));
    }
    count.check(limits)?;
    let mut permutations = Vec::new();
    for (name, _, matrix, _) in &shaders {
        let all = matrix.permutations();
        if all.is_empty() {
            let message = format!("shader `{name}`: no permutation is left; `exclude` or an axis without values leaves out all");
            return Err(error(Mistake::at(&["shader", name, "matrix"], message)));
        }
        permutations.push(all);
    }
    let shared = description.cache.as_ref().map(shared).transpose().map_err(error)?;
    let mut plan =
        Plan { shared, out: within(&folder, &description.out), descriptions: vec![file.to_owned()], whole: true, ..Plan::default() };
    for ((name, settings, _, sources), permutations) in shaders.iter().zip(&permutations) {
        plan.folders.extend(sources.folders.iter().cloned());
        for source in &sources.files {
            add(&mut plan, name, source, settings, permutations, targets, &folder).map_err(error)?;
        }
    }
    plan.folders.sort();
    plan.folders.dedup();
    plan.check()?;
    Ok(plan)
}

/// The shared cache of a description.
fn shared(table: &SharedCache) -> Result<SharedSettings, Mistake> {
    let fail = |key: &'static str| move |text: String| Mistake::at(&["cache", key], format!("`[cache]`: {text}"));
    Location::parse(&table.url).map_err(fail("url"))?;
    let mut settings = SharedSettings { write: table.write, credentials: false, ..SharedSettings::new(&table.url) };
    if let Some(seconds) = table.timeout {
        settings.time_limit = time_limit(seconds).map_err(fail("timeout"))?;
    }
    Ok(settings)
}

/// Adds the tasks and bundles of a source of the shader `table`.
fn add(
    plan: &mut Plan,
    table: &str,
    source: &Source,
    s: &Settings,
    permutations: &[Permutation],
    targets: &IndexMap<String, Target>,
    folder: &str,
) -> Result<(), Mistake> {
    let name = &source.shader;
    let wrong = |key: &str, message: String| Mistake::at(&["shader", table, key], message);
    let profile = s.profile.as_ref().ok_or_else(|| wrong("profile", format!("shader `{table}` has no `profile`")))?;
    // `cs` with `model = "6_6"` is `cs_6_6`.
    let profile = match (profile.contains('_'), &s.model) {
        (false, Some(model)) => format!("{profile}_{}", model.replace('.', "_")),
        (false, None) => {
            let message = format!("shader `{table}`: profile `{profile}` has no version; write `{profile}_6_6` or set `model`");
            return Err(wrong("profile", message));
        }
        (true, _) => profile.clone(),
    };
    rtc::Profile::parse(&profile).map_err(|e| wrong("profile", format!("shader `{table}`: {e}")))?;
    let library = profile.starts_with("lib_");
    let entries: Vec<&str> = match &s.entry {
        Some(entries) => entries.iter().collect(),
        None if library => vec![""],
        None => vec!["main"],
    };
    let outputs = s.outputs.clone().unwrap_or_else(|| if s.archive.is_some() { Vec::new() } else { vec![Output::Object] });
    let asks = |o: Output| outputs.contains(&o);
    if outputs.is_empty() && s.archive.is_none() {
        return Err(wrong("outputs", format!("shader `{table}` has no `outputs` and no `archive`")));
    }
    if asks(Output::Header) && asks(Output::DxcHeader) {
        return Err(wrong(
            "outputs",
            format!("shader `{table}`: `header` and `dxc-header` are two forms of the same file; leave one of them out"),
        ));
    }
    // Of several sources each has its path in the folder of the shader's name.
    let stem = plain(&s.name.as_ref().map_or_else(|| name.clone(), |stem| format!("{stem}{}", &name[table.len()..])));
    for (key, file) in [("name", Some(&stem)), ("archive", s.archive.as_ref())] {
        let Some(file) = file else { continue };
        let inside = Path::new(file).components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
        if !inside || Path::new(file).file_name().is_none() {
            return Err(wrong(key, format!("shader `{table}`: `{file}` is no name of a file in the folder of outputs")));
        }
    }
    for (target_name, target) in targets {
        if s.targets.as_ref().is_some_and(|all| !all.contains(target_name)) {
            continue;
        }
        let common: Vec<String> = [&s.options, &target.options].into_iter().flatten().cloned().collect();
        let spirv = common.iter().any(|o| matches!(o.trim_start_matches(['-', '/']), "spirv"));
        let extension = target.extension.clone().unwrap_or_else(|| if spirv { "spv" } else { "dxil" }.to_owned());
        let path = |file: String| if target_name.is_empty() { file } else { format!("{target_name}/{file}") };
        for entry in &entries {
            let base = if s.entry.as_ref().is_some_and(|e| e.iter().count() > 1) { format!("{stem}_{entry}") } else { stem.clone() };
            let first = plan.tasks.len();
            for permutation in permutations {
                let named = if permutation.is_empty() { base.clone() } else { format!("{base}_{}", short(&permutation.key())) };
                let mut arguments = vec!["-T".to_owned(), profile.clone()];
                if !entry.is_empty() {
                    arguments.extend(["-E".to_owned(), (*entry).to_owned()]);
                }
                arguments.extend(common.iter().cloned());
                arguments.extend(s.include_dirs.iter().flat_map(|dir| ["-I".to_owned(), within(folder, dir)]));
                let fixed = Permutation::new(s.defines.iter().chain(&target.defines).map(|(n, v)| (n.clone(), v.clone())));
                arguments.extend(fixed.defines().chain(permutation.defines()).flat_map(|d| ["-D".to_owned(), d]));
                plan.tasks.push(Task {
                    shader: name.clone(),
                    target: target_name.clone(),
                    entry: (*entry).to_owned(),
                    permutation: permutation.clone(),
                    source: within(folder, &source.path),
                    arguments,
                    object: asks(Output::Object).then(|| path(format!("{named}.{extension}"))),
                    header: (asks(Output::Header) || asks(Output::DxcHeader)).then(|| Header {
                        file: path(format!("{named}.{extension}.h")),
                        variable: variable(&named, &extension),
                        listed: asks(Output::DxcHeader),
                    }),
                    pdb: asks(Output::Pdb).then(|| path(format!("{named}.pdb"))),
                });
            }
            let tasks: Vec<usize> = (first..plan.tasks.len()).collect();
            let mut bundle = |kind, file: String| plan.bundles.push(Bundle { kind, file: path(file), tasks: tasks.clone() });
            if asks(Output::Blob) {
                bundle(BundleKind::Blob, format!("{base}.blob"));
            }
            if asks(Output::BlobHeader) {
                bundle(BundleKind::BlobHeader(variable(&base, "blob")), format!("{base}.blob.h"));
            }
            if let Some(archive) = &s.archive {
                let file = path(format!("{}.rtca", plain(archive)));
                match plan.bundles.iter_mut().find(|b| b.kind == BundleKind::Archive && b.file == file) {
                    Some(known) => known.tasks.extend(tasks),
                    None => plan.bundles.push(Bundle { kind: BundleKind::Archive, file, tasks }),
                }
            }
        }
    }
    Ok(())
}

fn is_identifier(name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(word) && name.starts_with(|c: char| !c.is_ascii_digit())
}

/// The name of an array in a C header.
fn variable(name: &str, extension: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    format!("g_{name}_{extension}").chars().map(plain).collect()
}

fn did_you_mean(near: Option<String>) -> String {
    near.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default()
}

/// An error of the TOML reader, with its place, and with the known key that is nearest to an unknown one.
fn wrong(file: &str, text: &str, e: &::toml::de::Error) -> Error {
    let place = e.span().map(|span| line_and_column(text, span.start));
    // The reader's message of an unknown key is: unknown field `a`, expected one of `b`, `c`.
    let mut quoted = e.message().split('`').skip(1).step_by(2);
    let message = match (e.message().starts_with("unknown field"), quoted.next()) {
        (true, Some(unknown)) => {
            let known: Vec<&str> = quoted.collect();
            let near = rtc_base::similar::nearest(unknown, known.iter().copied());
            format!("unknown key `{unknown}`{}; known here: {}", did_you_mean(near), known.join(", "))
        }
        _ => e.message().trim_end().replace('\n', "; "),
    };
    Error::Description { file: file.to_owned(), place, message }
}

#[cfg(test)]
mod tests;
