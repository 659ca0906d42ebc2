//! A task that another machine compiles: its arguments are written here and read there, and what comes back is the entry that a local compilation
//! would have put into the cache.

use std::fmt;

use rtc::{CancelToken, NoIncludes, Session};

use crate::compile::{Failure, prepare};
use crate::files::{FileCache, Recorder};
use crate::hash::Hash;
use crate::message::Message;
use crate::plan::Task;

/// The subcommand of `rtc` that compiles such a task.
pub const COMMAND: &str = "build-task";

/// A task for another machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// The key that the task has where it is ordered. It has the same here if all files and the compiler are the same.
    pub key: Hash,
    /// The hash of the compiler.
    pub compiler: Hash,
    /// The source.
    pub source: String,
    /// The file of the PDB, if one is requested.
    pub pdb: Option<String>,
    /// The arguments in the dialect of dxc.
    pub arguments: Vec<String>,
    /// The file that the entry is written to.
    pub entry: String,
}

/// Why there is no entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OrderError {
    /// The arguments are no order.
    Arguments,
    /// The task does not compile.
    Messages(Vec<Message>),
    /// Files or compiler are not those of the machine that ordered.
    OtherFiles,
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrderError::Arguments => write!(f, "`rtc {COMMAND}` is what `rtc build` runs on other machines; its arguments are wrong"),
            OrderError::Messages(messages) => messages.iter().try_for_each(|m| f.write_str(&m.rendered(rtc::Style::Short))),
            OrderError::OtherFiles => f.write_str("the files or the compiler here are not those of the machine that ordered the task"),
        }
    }
}

impl std::error::Error for OrderError {}

impl Order {
    /// The order as arguments of `rtc`.
    pub fn to_arguments(&self) -> Vec<String> {
        let mut all = vec![COMMAND.to_owned(), self.key.to_string(), self.compiler.to_string(), self.entry.clone(), self.source.clone()];
        all.push(self.pdb.clone().unwrap_or_default());
        all.extend(self.arguments.iter().cloned());
        all
    }

    /// Reads the arguments after [`COMMAND`].
    ///
    /// # Errors
    /// They are no order.
    pub fn parse(arguments: &[String]) -> Result<Self, OrderError> {
        let [key, compiler, entry, source, pdb, arguments @ ..] = arguments else { return Err(OrderError::Arguments) };
        let hash = |text: &str| Hash::parse(text).ok_or(OrderError::Arguments);
        Ok(Order {
            key: hash(key)?,
            compiler: hash(compiler)?,
            source: source.clone(),
            pdb: Some(pdb.clone()).filter(|p| !p.is_empty()),
            arguments: arguments.to_vec(),
            entry: entry.clone(),
        })
    }

    /// The bytes of the entry.
    ///
    /// # Errors
    /// The task does not compile, or is another one here.
    pub fn compile(&self) -> Result<Vec<u8>, OrderError> {
        let task = Task { source: self.source.clone(), arguments: self.arguments.clone(), pdb: self.pdb.clone(), ..Task::default() };
        let (files, session, cancel) = (FileCache::default(), Session::new(NoIncludes), CancelToken::new());
        let fail = |failure: Failure| match failure {
            Failure::Messages(messages) => OrderError::Messages(messages),
            Failure::Cancelled => OrderError::Messages(vec![Message::error("the task is cancelled")]),
        };
        let job = prepare(&task, &self.compiler, &session, &cancel, &mut Recorder::new(&files)).map_err(fail)?;
        if job.key != self.key {
            return Err(OrderError::OtherFiles);
        }
        let entry = job.compile(&session, &cancel, &mut Recorder::new(&files)).map_err(fail)?;
        entry.encode(&self.key).map_err(|e| OrderError::Messages(vec![Message::error(e.to_string())]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_back() {
        let order = Order {
            key: Hash::of(b"k"),
            compiler: Hash::of(b"c"),
            source: "a b.hlsl".into(),
            pdb: None,
            arguments: vec!["-D".into(), "A=\"x\"".into(), "--".into(), String::new()],
            entry: "e".into(),
        };
        let arguments = order.to_arguments();
        assert_eq!(Order::parse(&arguments[1..]), Ok(order.clone()));
        let with_pdb = Order { pdb: Some("x.pdb".into()), ..order };
        assert_eq!(Order::parse(&with_pdb.to_arguments()[1..]), Ok(with_pdb));
        assert_eq!(Order::parse(&arguments[1..4]), Err(OrderError::Arguments));
        assert_eq!(Order::parse(&["x".to_owned(), "x".into(), "x".into(), "x".into(), "x".into()]), Err(OrderError::Arguments));
    }
}
