//! The arguments of `rtc build` and `rtc cache`.

use clap::{Parser, ValueEnum};

/// Builds the shaders that a description lists, with all their permutations
///
/// `rtc build shadermake ARGUMENTS` takes the arguments of ShaderMake and its configuration.
#[derive(Parser, Clone, Debug)]
#[command(name = "rtc build", no_binary_name = true)]
pub struct Arguments {
    /// the description [default: rtc.toml]
    pub description: Option<String>,
    /// the folder of outputs, in place of the description's
    #[arg(long)]
    pub out: Option<String>,
    /// the number of threads [default: that of the processors]
    #[arg(short, long)]
    pub jobs: Option<usize>,
    /// build this shader; may be repeated
    #[arg(long)]
    pub shader: Vec<String>,
    /// build this target; may be repeated
    #[arg(long)]
    pub target: Vec<String>,
    /// build what is up to date too
    #[arg(short, long)]
    pub force: bool,
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
    /// the file that --emit writes [default: build.ninja]
    #[arg(short, long)]
    pub output: Option<String>,
    /// use no cache
    #[arg(long)]
    pub no_cache: bool,
    /// the folder of the cache [default: RTC_CACHE_DIR, or `rtc` among the user's caches]
    #[arg(long)]
    pub cache: Option<String>,
    /// how large the cache may be: 500M, 4G
    #[arg(long, value_parser = size)]
    pub cache_size: Option<u64>,
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
}

/// Looks at the cache of compiled shaders, or cleans it
#[derive(Parser, Clone, Debug)]
#[command(name = "rtc cache", no_binary_name = true)]
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
