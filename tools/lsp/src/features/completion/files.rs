//! Completion of what the preprocessor reads: directives, macros, pragmas, paths of includes.

use lsp_types::{CompletionItem, CompletionItemKind};
use rustc_hash::FxHashSet;

use super::plain;
use crate::features::macros;
use crate::overlay::Overlay;
use crate::paths::{folder, normal};
use crate::workspace::Workspace;

const DIRECTIVES: [(&str, &str); 15] = [
    ("include", "the text of a file"),
    ("define", "defines a macro"),
    ("undef", "forgets a macro"),
    ("if", "a group that counts if the condition holds"),
    ("ifdef", "a group that counts if there is such a macro"),
    ("ifndef", "a group that counts if there is no such macro"),
    ("elif", "another group, with a condition"),
    ("elifdef", "another group, if there is such a macro"),
    ("elifndef", "another group, if there is no such macro"),
    ("else", "the group that counts if no other does"),
    ("endif", "the end of the groups"),
    ("error", "an error with this text"),
    ("warning", "a warning with this text"),
    ("line", "the number and the file of the next line"),
    ("pragma", "an instruction for the compiler"),
];

/// What `#pragma` takes.
const PRAGMAS: [(&str, &str); 12] = [
    ("once", "the file is read once"),
    ("pack_matrix(row_major)", "matrices without a modifier are row-major from here on"),
    ("pack_matrix(column_major)", "matrices without a modifier are column-major from here on"),
    ("dxc diagnostic push", "remembers which warnings are on"),
    ("dxc diagnostic pop", "restores which warnings are on"),
    ("dxc diagnostic ignored \"-W\"", "a group of warnings is off"),
    ("dxc diagnostic warning \"-W\"", "a group of warnings is on"),
    ("dxc diagnostic error \"-W\"", "a group of warnings is errors"),
    ("warning(push)", "remembers which warnings are on"),
    ("warning(pop)", "restores which warnings are on"),
    ("warning(disable: )", "warnings with these numbers are off"),
    ("message", "a message; without an effect"),
];

/// The operators of conditions.
const OPERATORS: [(&str, &str); 3] = [
    ("defined", "defined(NAME): whether there is such a macro"),
    ("__has_include", "__has_include(\"file\"): whether there is such a file"),
    ("__has_attribute", "__has_attribute(name): whether the compiler has the attribute"),
];

fn keywords(list: &[(&str, &str)]) -> Vec<CompletionItem> {
    list.iter().map(|(n, about)| plain(n, CompletionItemKind::KEYWORD, about)).collect()
}

/// The directives.
pub fn directives() -> Vec<CompletionItem> {
    keywords(&DIRECTIVES)
}

/// The pragmas.
pub fn pragmas() -> Vec<CompletionItem> {
    keywords(&PRAGMAS)
}

/// The names of the macros that the document defines, and the files of its root, as they were analysed last; those of the command line and of the
/// compiler are files of the root. In a condition also its operators.
pub fn macro_names(w: &Workspace, path: &str, text: &str, condition: bool) -> Vec<CompletionItem> {
    let mut all = macros::defined_in(text);
    if let Some(s) = w.roots.get(&w.root_of(path)).and_then(|r| r.snapshot.as_deref()) {
        s.files.iter().for_each(|f| all.extend(macros::defined_in(&f.text)));
    }
    let mut seen = FxHashSet::default();
    all.retain(|m| seen.insert(m.0.clone()));
    let names = all.iter().map(|(name, line)| plain(name, CompletionItemKind::CONSTANT, line));
    let mut out = if condition { keywords(&OPERATORS) } else { Vec::new() };
    out.extend(names);
    out
}

/// Files and folders that an include could name: in the folder of the document, or those of the options; in angle brackets these come first.
pub fn includes(overlay: &Overlay, path: &str, written: &str, angled: bool, dirs: &[String]) -> Vec<CompletionItem> {
    let written = written.replace('\\', "/");
    let sub = written.rsplit_once('/').map_or("", |s| s.0);
    let own = folder(path).to_owned();
    let mut roots: Vec<String> = dirs.iter().map(|d| normal(d)).filter(|d| *d != own).collect();
    roots.insert(if angled { roots.len() } else { 0 }, own);
    let mut out: Vec<CompletionItem> = Vec::new();
    for (n, root) in roots.iter().enumerate() {
        let dir = normal(&format!("{root}/{sub}"));
        let mut names = rtc::Files::list(overlay, &dir);
        names.sort();
        for name in names {
            let whole = format!("{dir}/{name}");
            let is_folder = std::path::Path::new(&whole).is_dir();
            // The first folder that has a file counts.
            if whole != path && !name.starts_with('.') && !out.iter().any(|i| i.label == name) {
                let kind = if is_folder { CompletionItemKind::FOLDER } else { CompletionItemKind::FILE };
                out.push(CompletionItem { sort_text: Some(format!("{n}{name}")), ..plain(&name, kind, &dir) });
            }
        }
    }
    out
}
