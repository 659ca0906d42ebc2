//! The RUN lines of the reference's tests, and which of them are about a compilation.

use std::fs;
use std::path::Path;

/// How the reference runs a file's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// By a shell, as LLVM's lit does.
    Shell,
    /// In its own process: FileCheck reads the errors of a compilation that fails, and reflection stays in the module.
    InProcess,
}

/// One RUN line.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its number among those of the file, from 1.
    pub number: usize,
    /// The command: joined lines, without the comment around them.
    pub text: String,
    pub style: Style,
    /// Why it does not count.
    pub out: Option<String>,
}

/// Folders that the reference runs in its own process.
const IN_PROCESS: [&str; 5] = ["HLSLFileCheck/", "CodeGenHLSL/", "DXILValidation/", "HLSL/", "PIX/"];

/// Folders about the reference's inner workings: passes, instrumentation, its rewriter.
const INTERNAL_FOLDERS: [&str; 6] =
    ["HLSLFileCheck/passes/", "HLSLFileCheck/pix/", "HLSLFileCheck/rewriter/", "HLSL/rewriter/", "CodeGenDXIL/passes/", "DXC/Passes/"];

/// Options that print or stop at the reference's intermediate forms.
const INTERNAL_OPTIONS: [&str; 12] = [
    "fcgl",
    "ast-dump",
    "ast-dump-implicit",
    "Odump",
    "print-after-all",
    "print-before-all",
    "print-after",
    "print-before",
    "opt-dump",
    "ftime-report",
    "ftime-trace",
    "Vast",
];

/// Extensions of tests.
const EXTENSIONS: [&str; 4] = ["hlsl", "ll", "test", "hlsl2spv"];

/// What a RUN line may name besides `%dxc`.
const KNOWN: [&str; 6] = ["%s", "%S", "%t", "%T", "%FileCheck", "%dxc"];

/// What only some machines or builds have.
const MISSING: [&str; 4] = ["metal", "system-windows", "dxilval-", "XFAIL"];

/// All files below the folder with RUN lines that start a compilation or validation, by name.
pub fn read(root: &Path) -> Result<Vec<(String, Vec<Line>)>, String> {
    let (mut files, mut folders) = (Vec::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() {
                folders.extend(Some(path).filter(|p| !p.ends_with("Inputs")));
                continue;
            }
            if !path.extension().is_some_and(|e| EXTENSIONS.iter().any(|known| e == *known)) {
                continue;
            }
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            let text = fs::read(&path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
            let lines = parse(&name, &text);
            if lines.iter().any(|l| l.text.contains("%dx")) {
                files.push((name, lines));
            }
        }
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(files)
}

fn parse(name: &str, text: &str) -> Vec<Line> {
    let style = if IN_PROCESS.iter().any(|f| name.starts_with(f)) { Style::InProcess } else { Style::Shell };
    let missing = text.lines().find(|l| {
        let wants = ["REQUIRES:", "XFAIL:"].iter().any(|w| l.contains(w));
        wants && MISSING.iter().any(|m| l.contains(m))
    });
    let (mut lines, mut open) = (Vec::new(), String::new());
    for line in text.lines() {
        let Some(at) = line.find("RUN:") else { continue };
        open.push_str(line[at + "RUN:".len()..].trim());
        if let Some(joined) = open.strip_suffix('\\') {
            open.truncate(joined.len());
            open.push(' ');
            continue;
        }
        let mut text = std::mem::take(&mut open);
        // The version that a line needs: the newest reference has all.
        if text.starts_with("%dxilver")
            && let Some((_, rest)) = text.split_once('|')
        {
            text = rest.trim().to_string();
        }
        let out = missing.map(|l| l.trim().to_string()).or_else(|| out(name, &text));
        lines.push(Line { number: lines.len() + 1, text, style, out });
    }
    lines
}

/// Why a line does not count.
fn out(name: &str, text: &str) -> Option<String> {
    if INTERNAL_FOLDERS.iter().any(|f| name.starts_with(f)) {
        return Some("internals: folder".to_string());
    }
    let words = || text.split_whitespace();
    if let Some(option) = words().filter_map(|w| w.strip_prefix(['-', '/'])).find(|w| INTERNAL_OPTIONS.contains(w)) {
        return Some(format!("internals: {option}"));
    }
    if !text.contains("%dxc") {
        return Some("no compilation".to_string());
    }
    let names = words().flat_map(|w| w.match_indices('%').map(move |(at, _)| &w[at..]));
    let mut strange = names.map(|w| w.split(|c: char| !c.is_alphanumeric() && c != '%').next().unwrap_or(w));
    strange.find(|w| !KNOWN.iter().any(|k| w == k)).map(|w| format!("other tool: {w}"))
}

/// The parts of a line between its pipes.
pub fn stages(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut quote) = (Vec::new(), 0, None);
    let bytes = text.as_bytes();
    for (at, c) in bytes.iter().enumerate() {
        match (quote, c) {
            (None, b'"' | b'\'') => quote = Some(*c),
            (Some(q), c) if q == *c => quote = None,
            // Not `||`.
            (None, b'|') if bytes.get(at + 1) != Some(&b'|') && (at == 0 || bytes[at - 1] != b'|') => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn lines_are_joined_and_sorted_out() {
        let text = "// RUN: %dxilver 1.6 | %dxc -T ps_6_0 %s \\\n// RUN:   | FileCheck %s\n// RUN: %dxc -fcgl %s | FileCheck %s\n; RUN: %opt %s\n\
                    // RUN: %dxc %s | %D3DReflect %s | FileCheck %s\n";
        let lines = parse("HLSLFileCheck/a.hlsl", text);
        assert_eq!(lines[0].text, "%dxc -T ps_6_0 %s  | FileCheck %s");
        assert_eq!((lines[0].style, &lines[0].out), (Style::InProcess, &None));
        let out: Vec<&str> = lines[1..].iter().map(|l| l.out.as_deref().unwrap_or("")).collect();
        assert_eq!(out, ["internals: fcgl", "no compilation", "other tool: %D3DReflect"]);
        assert!(parse("DXC/Passes/a.hlsl", "// RUN: %dxc %s")[0].out.is_some());
        assert!(parse("DXC/a.hlsl", "// REQUIRES: metal\n// RUN: %dxc %s")[0].out.is_some());
    }

    #[test]
    fn stages_lie_between_pipes() {
        assert_eq!(stages("a -D'x|y' | b \"|\" | c"), ["a -D'x|y'", "b \"|\"", "c"]);
        assert_eq!(stages("a || b"), ["a || b"]);
    }
}
