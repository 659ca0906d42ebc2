//! The arguments of `rtc build` and `rtc cache`.

use std::time::Duration;

use clap::{Parser, ValueEnum};

/// Builds the shaders that a description lists, with all their permutations
///
/// `rtc build shadermake ARGUMENTS` takes the arguments of ShaderMake and its configuration.
#[derive(Parser, Clone, Debug)]
#[command(name = "rtc build", no_binary_name = true, override_usage = "rtc build [OPTIONS] [rtc.toml]")]
pub struct Arguments {
    /// the description [default: rtc.toml here, or in the nearest folder above that has one]
    pub description: Option<String>,
    /// the folder of outputs, in place of the description's
    #[arg(long)]
    pub out: Option<String>,
    /// the number of threads [default: that of the processors]
    #[arg(short, long)]
    pub jobs: Option<usize>,
    /// build this shader, or those whose names match a pattern: 'passes/*'; may be repeated
    #[arg(long)]
    pub shader: Vec<String>,
    /// build this target, or those that match a pattern; may be repeated
    #[arg(long)]
    pub target: Vec<String>,
    /// build what is up to date too
    #[arg(short, long)]
    pub force: bool,
    /// remove what was built, and build nothing
    #[arg(long, conflicts_with_all = ["watch", "list", "emit", "force", "shader", "target"])]
    pub clean: bool,
    /// build again whenever a file changes
    #[arg(long)]
    pub watch: bool,
    /// print the permutations and build nothing
    #[arg(long)]
    pub list: bool,
    /// how many permutations there may be
    #[arg(long, default_value_t = 100_000)]
    pub max: usize,
    /// write the graph for another build system and build nothing
    #[arg(long, value_enum)]
    pub emit: Option<Emit>,
    /// the file that --emit writes [default: build.ninja, BUILD.bazel, fbuild.bff]
    #[arg(short, long)]
    pub output: Option<String>,
    /// the label of the compiler in the graph for Bazel
    #[arg(long, value_name = "LABEL", default_value = "@rtc//:rtc")]
    pub bazel_compiler: String,
    /// use no cache
    #[arg(long)]
    pub no_cache: bool,
    /// the folder of the cache [default: RTC_CACHE_DIR, or `rtc` among the user's caches]
    #[arg(long)]
    pub cache: Option<String>,
    /// how large the cache may be: 500M, 4G
    #[arg(long, value_parser = size)]
    pub cache_size: Option<u64>,
    /// the URL of a cache that machines share: s3, gs, azblob, redis, dav, http, file [default: RTC_CACHE_URL, or that of the description]
    #[arg(long, value_name = "URL")]
    pub cache_url: Option<String>,
    /// read the shared cache, but do not write it
    #[arg(long)]
    pub cache_read_only: bool,
    /// how long a request to the shared cache may take, in seconds [default: 5]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub cache_timeout: Option<Duration>,
    /// compile on the workers of a server of Bazel's Remote Execution API: grpc://HOST:PORT/INSTANCE, or grpcs:// with TLS
    #[arg(long, value_name = "URL")]
    pub remote: Option<String>,
    /// a file with the bearer token for the server [default: the token in RTC_REMOTE_TOKEN]
    #[arg(long, value_name = "FILE", requires = "remote")]
    pub remote_token_file: Option<String>,
    /// how many tasks are at the server at the same time [default: 64]
    #[arg(long, value_name = "N", requires = "remote", value_parser = clap::value_parser!(u16).range(1..))]
    pub remote_jobs: Option<u16>,
    /// how long a task may take there until it is compiled here, in seconds [default: 60]
    #[arg(long, value_name = "SECONDS", requires = "remote", value_parser = seconds)]
    pub remote_timeout: Option<Duration>,
    /// a platform property, which selects workers; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "remote", value_parser = property)]
    pub remote_property: Vec<(String, String)>,
    /// print all diagnostics, also those of what is up to date
    #[arg(long, conflicts_with = "quiet")]
    pub all_messages: bool,
    /// the form of diagnostics: clang (or short), msvc, msvc-code, vi [default: clang]
    #[arg(long, value_name = "FORM", value_parser = form)]
    pub diagnostics_format: Option<rtc::Style>,
    /// print events as lines of JSON
    #[arg(long)]
    pub json: bool,
    /// write diagnostics in SARIF to this file
    #[arg(long)]
    pub sarif: Option<String>,
    /// print diagnostics as annotations of GitHub
    #[arg(long)]
    pub github: bool,
    /// print errors alone
    #[arg(short, long)]
    pub quiet: bool,
}

/// A build system that a graph is written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Emit {
    /// ninja
    Ninja,
    /// Bazel
    Bazel,
    /// FASTBuild
    Fastbuild,
}

/// Looks at the cache of compiled shaders, or cleans it
#[derive(Parser, Clone, Debug)]
#[command(name = "rtc cache", no_binary_name = true, override_usage = "rtc cache [OPTIONS] stat|gc|clear|verify")]
pub struct CacheArguments {
    /// what is done
    #[arg(value_enum)]
    pub action: CacheAction,
    /// the folder of the cache [default: RTC_CACHE_DIR, or `rtc` among the user's caches]
    #[arg(long)]
    pub cache: Option<String>,
    /// how large the cache may be: 500M, 4G
    #[arg(long, value_parser = size)]
    pub size: Option<u64>,
    /// the URL of a cache that machines share, for `stat` and `verify`
    #[arg(long, value_name = "URL", conflicts_with = "cache")]
    pub cache_url: Option<String>,
    /// do not remove damaged entries of the shared cache
    #[arg(long, requires = "cache_url")]
    pub cache_read_only: bool,
}

/// What is done with a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CacheAction {
    /// count the entries
    Stat,
    /// remove what was used longest ago, down to the size
    Gc,
    /// remove all entries
    Clear,
    /// read all entries and remove damaged ones
    Verify,
}

/// A form of diagnostics of one line.
fn form(text: &str) -> Result<rtc::Style, String> {
    match rtc::arguments::style_named(text) {
        Some(rtc::Style::Json) => Err("--json prints events as JSON".into()),
        Some(rtc::Style::Rich) | None => Err("expected clang, short, msvc, msvc-fallback, msvc-code or vi".into()),
        Some(style) => Ok(style),
    }
}

/// A platform property: `OSFamily=linux`.
fn property(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').filter(|p| !p.0.is_empty()).ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// A time limit: `2.5`.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    rtc_build::shared::time_limit(seconds)
}

/// A number of bytes: `4G`.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("expected a number with K, M, G or T".into()),
    };
    let number: u64 = digits.parse().map_err(|_| "expected a number with K, M, G or T".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "it is too large".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!((size("12"), size("3k"), size("4GiB"), size("2MB")), (Ok(12), Ok(3072), Ok(4 << 30), Ok(2 << 20)));
        assert!(size("").is_err() && size("4X").is_err() && size("-1").is_err() && size("99999999999T").is_err());
    }
}
