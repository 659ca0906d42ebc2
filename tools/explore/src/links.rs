//! The sources of a model, and the places in them that listings, messages and reports name.

use rtc::dis::{ListedLine, Location};
use rtc::{Diagnostic, SourceMap};

use crate::colour;
use crate::model::{File, View};

/// The files of a model so far.
pub(crate) struct Files {
    /// The files; the first is the one that was compiled.
    pub list: Vec<File>,
}

impl Files {
    /// With the source that is compiled.
    pub fn new(name: &str, text: &str) -> Files {
        Files { list: vec![file(name, text)] }
    }

    /// Adds the files of a compilation that has places in them.
    pub fn add(&mut self, sources: &SourceMap) {
        for (_, f) in sources.files() {
            // Macros of the command line are in a file without a name of its own.
            if !f.name.starts_with('<') && !self.list.iter().any(|known| known.name == f.name) {
                self.list.push(file(&f.name, &f.text));
            }
        }
    }

    /// The place that a location names, if it is in one of the files.
    pub fn find(&self, name: &str, line: u32) -> Option<[u32; 2]> {
        let index = self.list.iter().position(|f| f.name == name)?;
        (line >= 1 && line as usize <= self.list[index].lines.len()).then_some([index as u32, line])
    }

    /// The place of a message.
    pub fn of_message(&self, d: &Diagnostic, sources: &SourceMap) -> Option<[u32; 2]> {
        let loc = sources.loc(d.span())?;
        self.find(&loc.file, loc.line)
    }

    /// Puts lines into a view.
    pub fn fill(&self, view: &mut View, lines: Vec<ListedLine>) {
        let at = |l: &Location| self.find(&l.file, l.line);
        view.colours = lines.iter().map(|l| colour::listing(&l.text)).collect();
        (view.lines, view.at) = lines.into_iter().map(|l| (l.text, l.location.as_ref().and_then(at))).unzip();
    }
}

fn file(name: &str, text: &str) -> File {
    let colours = colour::source(text);
    File { name: name.to_owned(), lines: text.lines().map(str::to_owned).collect(), colours }
}
