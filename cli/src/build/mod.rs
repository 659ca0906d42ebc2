//! `rtc build`: builds the shaders of a description.

mod annotations;
mod arguments;
mod caches;
mod farm;
mod findings;
mod json;
mod person;
mod sarif;
mod watch;

use std::path::Path;

use clap::Parser;
use rtc_base::path::System;
use rtc_build::config::{self, Limits};
use rtc_build::graph::ninja::Again;
use rtc_build::{Event, Observer, Plan, Settings, Summary, glob, graph};

use crate::error::{CommandError, Result};
use crate::output;
use arguments::{Arguments, Emit};

pub use caches::run as cache_command;
pub use farm::task as task_command;
pub use json::error as json_error;

/// The description if none is named.
const DESCRIPTION: &str = "rtc.toml";

/// How many folders above are searched for it.
const MAX_FOLDERS: usize = 64;

/// The nearest description: here, or in a folder above.
fn nearest() -> Result<String> {
    let mut path = DESCRIPTION.to_owned();
    for _ in 0..MAX_FOLDERS {
        if Path::new(&path).is_file() {
            return Ok(path);
        }
        let above = format!("../{path}");
        // The root is its own parent.
        let folder =
            |p: &str| std::fs::canonicalize(Path::new(p).parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."))).ok();
        if folder(&above).is_none() || folder(&above) == folder(&path) {
            break;
        }
        path = above;
    }
    Err(format!("there is no `{DESCRIPTION}` here or in a folder above; name the description, or write one (docs/build.md)").into())
}

/// Builds. Returns `false` if something could not be built.
///
/// # Errors
/// Invalid arguments, a description that is wrong, files that cannot be read or written.
pub fn run(arguments: &[String]) -> Result<bool> {
    if arguments.first().is_some_and(|a| a == "shadermake") {
        return shadermake(&arguments[1..]);
    }
    let a = match Arguments::try_parse_from(arguments) {
        Ok(a) => a,
        Err(e) if !e.use_stderr() => return output::print(e.to_string().as_bytes()).map(|()| true),
        Err(e) => return Err(e.to_string().trim_start_matches("error: ").trim_end().into()),
    };
    let limits = Limits { permutations: a.max };
    let make_plan = || -> Result<Plan> {
        let file = a.description.clone().map_or_else(nearest, Ok)?;
        let bytes = output::read(&file)?;
        let text = String::from_utf8(bytes).map_err(|e| format!("`{file}` is not UTF-8: {e}"))?;
        let mut plan = config::toml::plan(&file, &text, &limits)?;
        if let Some(out) = &a.out {
            plan.out = out.clone();
        }
        select(&mut plan, &a)?;
        Ok(plan)
    };
    let plan = make_plan()?;
    if a.list {
        let names: Vec<String> = plan.tasks.iter().map(|t| format!("{}\n", t.name())).collect();
        return output::print(names.concat().as_bytes()).map(|()| true);
    }
    if let Some(emit) = a.emit {
        return emit_graph(emit, &plan, &a, arguments);
    }
    if a.clean {
        let removed = rtc_build::clean(&plan)?;
        if !a.quiet {
            eprintln!("rtc: {removed} files removed");
        }
        return Ok(true);
    }
    let settings =
        Settings { force: a.force, cache: caches::local(&a), shared: caches::shared(&a, &plan)?, farm: farm::open(&a)?, ..jobs(a.jobs) };
    if !a.watch {
        return build(&plan, &settings, &a);
    }
    watch::watch(plan, make_plan, |plan| build(plan, &settings, &a))
}

/// Writes the graph of a plan for another build system.
fn emit_graph(emit: Emit, plan: &Plan, a: &Arguments, arguments: &[String]) -> Result<bool> {
    let program =
        || std::env::current_exe().map(|p| p.to_string_lossy().into_owned()).map_err(|e| format!("cannot find this program: {e}"));
    let file = a.output.as_deref().unwrap_or(match emit {
        Emit::Ninja => "build.ninja",
        Emit::Bazel => "BUILD.bazel",
        Emit::Fastbuild => "fbuild.bff",
    });
    let inputs = || graph::inputs(plan, jobs(a.jobs).jobs);
    let text = match emit {
        Emit::Ninja => {
            let again = Again { file: file.to_owned(), arguments: [&["build".to_owned()], arguments].concat() };
            graph::ninja::graph(plan, &program()?, &again, System::HERE)?
        }
        Emit::Bazel => {
            let package = Path::new(file).parent().map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
            graph::bazel::graph(plan, &package, &a.bazel_compiler, &inputs()?)?
        }
        Emit::Fastbuild => graph::fastbuild::graph(plan, &program()?, &inputs()?)?,
    };
    output::write(file, text.as_bytes()).map(|()| true)
}

/// Leaves the tasks of the selected shaders and targets, and the bundles that are whole.
fn select(plan: &mut Plan, a: &Arguments) -> Result<()> {
    let check = |wanted: &[String], kind: &str, known: Vec<&str>| match wanted.iter().find(|w| !known.iter().any(|k| selects(w, k))) {
        None => Ok(()),
        Some(unknown) => {
            let near = rtc_base::similar::nearest(unknown, known).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
            Err(CommandError::from(format!("there is no {kind} `{unknown}`{near}")))
        }
    };
    check(&a.shader, "shader", plan.tasks.iter().map(|t| t.shader.as_str()).collect())?;
    check(&a.target, "target", plan.tasks.iter().map(|t| t.target.as_str()).collect())?;
    let among = |list: &[String], name: &str| list.is_empty() || list.iter().any(|wanted| selects(wanted, name));
    let wanted = |t: &rtc_build::Task| among(&a.shader, &t.shader) && among(&a.target, &t.target);
    let kept: Vec<Option<usize>> =
        plan.tasks.iter().scan(0, |next, t| Some(wanted(t).then(|| std::mem::replace(next, *next + 1)))).collect();
    plan.partial = kept.contains(&None);
    plan.tasks.retain(wanted);
    plan.bundles.retain_mut(|b| {
        let tasks: Option<Vec<usize>> = b.tasks.iter().map(|&t| kept[t]).collect();
        tasks.map(|tasks| b.tasks = tasks).is_some()
    });
    Ok(())
}

/// Whether `wanted` is a name, a pattern of it, or the shader whose sources have names in it.
fn selects(wanted: &str, name: &str) -> bool {
    wanted == name || glob::matches(wanted, name) || name.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('/'))
}

fn jobs(jobs: Option<usize>) -> Settings {
    let default = Settings::default();
    Settings { jobs: jobs.unwrap_or(default.jobs), ..default }
}

/// Builds, prints, and writes reports.
fn build(plan: &Plan, settings: &Settings, a: &Arguments) -> Result<bool> {
    let mut observers: Vec<Box<dyn Observer>> = Vec::new();
    if a.json {
        observers.push(Box::new(json::Lines));
    } else {
        let show = person::Show { quiet: a.quiet, all: a.all_messages, style: a.diagnostics_format.unwrap_or(rtc::Style::Short) };
        observers.push(Box::new(person::Person::new(plan.tasks.len(), show)));
    }
    if a.github {
        observers.push(Box::new(annotations::Annotations::new(a.all_messages)));
    }
    let sarif = a.sarif.as_ref().map(|file| (file, sarif::Sarif::default()));
    let all = All { observers: &observers, sarif: sarif.as_ref().map(|s| &s.1) };
    let summary = rtc_build::run(plan, settings, &all)?;
    if let Some((file, sarif)) = &sarif {
        output::write(file, sarif.text().as_bytes())?;
    }
    Ok(summary.ok())
}

/// Tells events to several observers.
struct All<'a> {
    observers: &'a [Box<dyn Observer>],
    sarif: Option<&'a sarif::Sarif>,
}

impl Observer for All<'_> {
    fn event(&self, event: Event<'_>) {
        self.observers.iter().for_each(|o| o.event(event));
        if let Some(sarif) = self.sarif {
            sarif.event(event);
        }
    }
}

/// `rtc build shadermake`: the arguments of ShaderMake.
fn shadermake(arguments: &[String]) -> Result<bool> {
    use config::shadermake::Arguments as ShaderMake;
    if arguments.is_empty() || arguments.iter().any(|a| a == "--help") {
        return output::print(ShaderMake::help().as_bytes()).map(|()| true);
    }
    let a = ShaderMake::parse_args(arguments)?;
    let text = String::from_utf8_lossy(&output::read(&a.config)?).into_owned();
    let plan = config::shadermake::plan(&a, &text, &Limits::default())?;
    let settings =
        Settings { force: a.force, cache: caches::open(None, None), shared: caches::of_environment()?, ..jobs(a.serial.then_some(1)) };
    let summary: Summary = rtc_build::run(&plan, &settings, &person::Person::new(plan.tasks.len(), person::Show::default()))?;
    Ok(summary.ok())
}

/// Whether a path is in a folder.
fn is_below(path: &str, folder: &str) -> bool {
    Path::new(path).starts_with(folder)
}
