//! Access to parsed options: the last value, all values, presence.

use clap::ArgMatches;
use clap::parser::ValueSource;

/// The last value of an option.
pub fn last<'a>(m: &'a ArgMatches, name: &str) -> Option<&'a str> {
    m.get_many::<String>(name)?.next_back().map(String::as_str)
}

/// All values of an option.
pub fn all<'a>(m: &'a ArgMatches, name: &str) -> impl Iterator<Item = &'a str> {
    m.get_many::<String>(name).into_iter().flatten().map(String::as_str)
}

/// Whether an option without value is present.
pub fn has(m: &ArgMatches, name: &str) -> bool {
    m.get_count(name) > 0
}

/// Whether an option of any kind is present.
pub fn given(m: &ArgMatches, name: &str) -> bool {
    matches!(m.value_source(name), Some(ValueSource::CommandLine))
}
