//! `rtc build`: builds the shaders of a description.

mod annotations;
mod arguments;
mod json;
mod person;
mod sarif;
mod watch;

use std::path::{Path, PathBuf};

use clap::Parser;
use rtc_batch::cache::{Cache, DEFAULT_LIMIT};
use rtc_batch::config::{self, Limits};
use rtc_batch::{Event, Observer, Plan, Settings, Summary};

use crate::error::{CommandError, Result};
use crate::output;
use arguments::{Arguments, Emit};

/// The description if none is named.
const DESCRIPTION: &str = "rtc.toml";

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
        let file = a.description.clone().unwrap_or_else(|| DESCRIPTION.to_owned());
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
    if let Some(Emit::Ninja) = a.emit {
        let program = std::env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?;
        let text = rtc_batch::ninja::graph(&plan, &program.to_string_lossy())?;
        let file = a.output.clone().unwrap_or_else(|| "build.ninja".to_owned());
        return output::write(&file, text.as_bytes()).map(|()| true);
    }
    let settings = Settings { force: a.force, cache: cache(&a)?, ..jobs(a.jobs) };
    if !a.watch {
        return build(&plan, &settings, &a);
    }
    watch::watch(plan, make_plan, |plan| build(plan, &settings, &a))
}

/// Leaves the tasks of the selected shaders and targets, and the bundles that are whole.
fn select(plan: &mut Plan, a: &Arguments) -> Result<()> {
    let check = |wanted: &[String], kind: &str, known: Vec<&str>| match wanted.iter().find(|w| !known.contains(&w.as_str())) {
        None => Ok(()),
        Some(unknown) => {
            let near = rtc_base::similar::nearest(unknown, known).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
            Err(CommandError::from(format!("there is no {kind} `{unknown}`{near}")))
        }
    };
    check(&a.shader, "shader", plan.tasks.iter().map(|t| t.shader.as_str()).collect())?;
    check(&a.target, "target", plan.tasks.iter().map(|t| t.target.as_str()).collect())?;
    let wanted = |t: &rtc_batch::Task| {
        (a.shader.is_empty() || a.shader.contains(&t.shader)) && (a.target.is_empty() || a.target.contains(&t.target))
    };
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

fn jobs(jobs: Option<usize>) -> Settings {
    let default = Settings::default();
    Settings { jobs: jobs.unwrap_or(default.jobs), ..default }
}

/// The cache that the arguments ask for: the user's, unless there is `--no-cache`.
fn cache(a: &Arguments) -> Result<Option<Cache>> {
    if a.no_cache {
        return Ok(None);
    }
    open_cache(a.cache.as_deref(), a.cache_size)
}

/// The cache in a folder, or the user's.
pub fn open_cache(folder: Option<&str>, limit: Option<u64>) -> Result<Option<Cache>> {
    let folder = folder.map(PathBuf::from).or_else(Cache::default_folder);
    Ok(folder.map(|f| Cache::new(f, limit.unwrap_or(DEFAULT_LIMIT))))
}

/// Builds, prints, and writes reports.
fn build(plan: &Plan, settings: &Settings, a: &Arguments) -> Result<bool> {
    let mut observers: Vec<Box<dyn Observer>> = Vec::new();
    if a.json {
        observers.push(Box::new(json::Lines));
    } else {
        observers.push(Box::new(person::Person::new(plan.tasks.len(), a.quiet)));
    }
    if a.github {
        observers.push(Box::new(annotations::Annotations));
    }
    let sarif = a.sarif.as_ref().map(|file| (file, sarif::Sarif::default()));
    let all = All { observers: &observers, sarif: sarif.as_ref().map(|s| &s.1) };
    let summary = rtc_batch::run(plan, settings, &all)?;
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
    let settings = Settings { force: a.force, cache: open_cache(None, None)?, ..jobs(a.serial.then_some(1)) };
    let summary: Summary = rtc_batch::run(&plan, &settings, &person::Person::new(plan.tasks.len(), false))?;
    Ok(summary.ok())
}

/// `rtc cache`: looks at the cache or cleans it.
///
/// # Errors
/// Invalid arguments; the cache cannot be read or changed.
pub fn cache_command(arguments: &[String]) -> Result<bool> {
    let a = match arguments::CacheArguments::try_parse_from(arguments) {
        Ok(a) => a,
        Err(e) if !e.use_stderr() => return output::print(e.to_string().as_bytes()).map(|()| true),
        Err(e) => return Err(e.to_string().trim_start_matches("error: ").trim_end().into()),
    };
    let cache = open_cache(a.cache.as_deref(), a.size)?.ok_or("there is no folder for caches here; name one with --cache")?;
    let done = match a.action {
        arguments::CacheAction::Stat => cache.stat(),
        arguments::CacheAction::Gc => cache.gc(),
        arguments::CacheAction::Clear => cache.clear(),
        arguments::CacheAction::Verify => cache.verify(),
    };
    let c = done.map_err(|e| format!("`{}`: {}", cache.folder().display(), rtc::arguments::reason(&e)))?;
    let mut text = format!("{}: {} entries, {}\n", cache.folder().display(), c.entries, person::bytes(c.bytes));
    if !matches!(a.action, arguments::CacheAction::Stat) {
        text.push_str(&format!("removed: {} entries, {}\n", c.removed, person::bytes(c.bytes_removed)));
    }
    output::print(text.as_bytes())?;
    // The exit code reports damage too.
    Ok(!(matches!(a.action, arguments::CacheAction::Verify) && c.removed > 0))
}

/// Whether a path is in a folder.
fn is_below(path: &str, folder: &str) -> bool {
    Path::new(path).starts_with(folder)
}
