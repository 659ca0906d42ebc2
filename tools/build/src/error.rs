//! Why a build cannot begin or go on. Mistakes in shaders are messages of their tasks.

use std::fmt;
use std::io;

/// Why a build cannot begin or go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The description is wrong at a place of its file.
    Description {
        /// The file.
        file: String,
        /// Line and column, from 1; `None` if the mistake has no place.
        place: Option<(usize, usize)>,
        /// What is wrong, and the fix where there is one.
        message: String,
    },
    /// There are more permutations than the limit.
    TooMany {
        /// How many there are.
        count: u128,
        /// The limit.
        limit: usize,
        /// The largest axes: the shader, the macro, and how many values it has.
        axes: Vec<(String, String, usize)>,
    },
    /// Two tasks or bundles have the same output file.
    SameOutput {
        /// The file.
        file: String,
        /// Both of them.
        tasks: [String; 2],
    },
    /// This system has no file of such a name.
    NoSuchName {
        /// The file.
        file: String,
        /// What would write it.
        task: String,
        /// The reason.
        why: String,
    },
    /// An output would be written over a source.
    OverSource {
        /// The output.
        file: String,
        /// The source, which is the same file.
        source: String,
    },
    /// A permutation is described twice.
    Twice(String),
    /// A file or folder cannot be read or written.
    File {
        /// The file.
        file: String,
        /// The reason.
        error: io::Error,
    },
    /// Arguments of a command are not valid; the text says why.
    Arguments(String),
}

impl Error {
    pub(crate) fn file(file: impl Into<String>, error: io::Error) -> Self {
        Error::File { file: file.into(), error }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Description { file, place: Some((line, column)), message } => write!(f, "{file}:{line}:{column}: {message}"),
            Error::Description { file, place: None, message } => write!(f, "{file}: {message}"),
            Error::TooMany { count, limit, axes } => {
                write!(f, "there are {count} permutations, and the limit is {limit} (--max). The largest axes:")?;
                axes.iter().try_for_each(|(shader, name, values)| write!(f, "\n  shader `{shader}`: {name} has {values} values"))
            }
            Error::SameOutput { file, tasks: [a, b] } => write!(f, "`{file}` would be written by {a} and by {b}; rename one of them"),
            Error::NoSuchName { file, task, why } => write!(f, "`{file}` of {task} cannot be written: {why}; give it another name"),
            Error::OverSource { file, source } => {
                write!(f, "`{file}` would be written over the source `{source}`; choose another `out`, `name` or `extension`")
            }
            Error::Twice(task) => write!(f, "`{task}` is described twice"),
            Error::File { file, error } => write!(f, "`{file}`: {}", rtc::arguments::reason(error)),
            Error::Arguments(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {}
