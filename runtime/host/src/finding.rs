//! A finding of the sanitizer: undefined behaviour of a shader, with its place and the thread.

use serde_json::{Value, json};
use std::fmt;

/// Undefined behaviour at a call site, in the smallest thread that has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Its kind, for filtering: `bounds`.
    pub kind: &'static str,
    /// File, line and column, if there is debug information.
    pub place: Option<(String, u32, u32)>,
    /// The shader.
    pub shader: String,
    /// The operation; nothing outside of operations.
    pub op: Option<&'static str>,
    /// The thread.
    pub thread: [u32; 3],
    /// What it is, for that thread.
    pub message: String,
    /// How often it occurred.
    pub times: u64,
}

impl Finding {
    /// As data: `{ "kind", "file", "line", "column", "shader", "op", "thread", "message", "times" }`.
    pub fn json(&self) -> Value {
        let file = self.place.as_ref().map(|p| &p.0);
        let (line, column) = self.place.as_ref().map(|p| (p.1, p.2)).unzip();
        json!({
            "kind": self.kind, "file": file, "line": line, "column": column, "shader": self.shader, "op": self.op,
            "thread": self.thread, "message": self.message, "times": self.times,
        })
    }
}

impl fmt::Display for Finding {
    /// `file.hlsl:12:3: bounds: `Main`, op, thread (1, 0, 0): …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line, column)) = &self.place {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        write!(f, "{}: `{}`", self.kind, self.shader)?;
        if let Some(op) = self.op {
            write!(f, ", {op}")?;
        }
        let [x, y, z] = self.thread;
        write!(f, ", thread ({x}, {y}, {z}): {}", self.message)?;
        if self.times != 1 {
            write!(f, " ({} times)", self.times)?;
        }
        Ok(())
    }
}
