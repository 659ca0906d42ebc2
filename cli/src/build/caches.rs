//! The caches of `rtc build`, local and shared, and `rtc cache`, which looks at them and cleans them.

use std::path::PathBuf;

use clap::Parser;
use rtc_build::Plan;
use rtc_build::cache::{Cache, Contents, DEFAULT_LIMIT};
use rtc_build::shared::{SharedCache, SharedSettings};

use super::arguments::{Arguments, CacheAction, CacheArguments};
use super::person;
use crate::error::Result;
use crate::output;

/// The URL of the shared cache if no option names one.
const URL: &str = "RTC_CACHE_URL";

/// The local cache that the arguments ask for: the user's, unless there is `--no-cache`.
pub fn local(a: &Arguments) -> Option<Cache> {
    if a.no_cache { None } else { open(a.cache.as_deref(), a.cache_size) }
}

/// The cache in a folder, or the user's.
pub fn open(folder: Option<&str>, limit: Option<u64>) -> Option<Cache> {
    let folder = folder.map(PathBuf::from).or_else(Cache::default_folder);
    folder.map(|f| Cache::new(f, limit.unwrap_or(DEFAULT_LIMIT)))
}

/// The shared cache that the environment names.
pub fn of_environment() -> Result<Option<SharedCache>> {
    Ok(environment().map(|settings| SharedCache::open(&settings)).transpose()?)
}

fn environment() -> Option<SharedSettings> {
    std::env::var(URL).ok().filter(|url| !url.is_empty()).map(SharedSettings::new)
}

/// The shared cache: that of the option, of the environment, or of the description; none with `--no-cache`, unless the option names one.
pub fn shared(a: &Arguments, plan: &Plan) -> Result<Option<SharedCache>> {
    let environment = || environment().filter(|_| !a.no_cache);
    let described = || plan.shared.clone().filter(|_| !a.no_cache);
    let Some(mut settings) = a.cache_url.clone().map(SharedSettings::new).or_else(environment).or_else(described) else { return Ok(None) };
    settings.write &= !a.cache_read_only;
    settings.time_limit = a.cache_timeout.unwrap_or(settings.time_limit);
    Ok(Some(SharedCache::open(&settings)?))
}

/// `rtc cache`: looks at a cache or cleans it.
///
/// # Errors
/// Invalid arguments; the cache cannot be read or changed.
pub fn run(arguments: &[String]) -> Result<bool> {
    let a = match CacheArguments::try_parse_from(arguments) {
        Ok(a) => a,
        Err(e) if !e.use_stderr() => return output::print(e.to_string().as_bytes()).map(|()| true),
        Err(e) => return Err(e.to_string().trim_start_matches("error: ").trim_end().into()),
    };
    let (name, contents) = match &a.cache_url {
        Some(url) => {
            let cache = SharedCache::open(&SharedSettings { write: !a.cache_read_only, ..SharedSettings::new(url) })?;
            let done = match a.action {
                CacheAction::Stat => cache.stat(),
                CacheAction::Verify => cache.verify(),
                CacheAction::Gc | CacheAction::Clear => {
                    return Err(
                        "a shared cache is cleaned where it is, by the rules of its service; `rtc cache` does `stat` and `verify`".into()
                    );
                }
            };
            (cache.name().to_owned(), done.map_err(|e| format!("`{}`: {e}", cache.name()))?)
        }
        None => {
            let cache = open(a.cache.as_deref(), a.size).ok_or("there is no folder for caches here; name one with --cache")?;
            let done = match a.action {
                CacheAction::Stat => cache.stat(),
                CacheAction::Gc => cache.gc(),
                CacheAction::Clear => cache.clear(),
                CacheAction::Verify => cache.verify(),
            };
            let name = cache.folder().display().to_string();
            let contents = done.map_err(|e| format!("`{name}`: {}", rtc::arguments::reason(&e)))?;
            (name, Some(contents))
        }
    };
    let Some(c) = contents else {
        if a.action == CacheAction::Verify {
            return Err(format!("`{name}`: this service cannot list entries; each is checked when it is used").into());
        }
        return output::print(format!("{name}: it answers; this service cannot count entries\n").as_bytes()).map(|()| true);
    };
    output::print(sentence(&name, a.action, !a.cache_read_only, &c).as_bytes())?;
    // The exit code reports damage too.
    Ok(!(a.action == CacheAction::Verify && c.removed > 0))
}

/// What is in a cache, and what was removed, or is damaged and was not.
fn sentence(name: &str, action: CacheAction, removes: bool, c: &Contents) -> String {
    let mut text = format!("{name}: {} entries, {}\n", c.entries, person::bytes(c.bytes));
    if action != CacheAction::Stat {
        let what = if removes { "removed" } else { "damaged, and left there" };
        text.push_str(&format!("{what}: {} entries, {}\n", c.removed, person::bytes(c.bytes_removed)));
    }
    if c.other_version > 0 {
        text.push_str(&format!("of another version, and not checked: {} entries\n", c.other_version));
    }
    text
}
