//! `-verify`: compares diagnostics with expectations in comments of the source, as clang and dxc do.
//!
//! ```text
//! int a = b;   // expected-error {{use of undeclared identifier `b`}}
//! // expected-warning@+1 2 {{drops components}}     on the next line, twice
//! // expected-note@-3 1+ {{declared here}}          three lines above, at least once
//! // expected-no-diagnostics
//! ```
//!
//! The text in braces must occur in the message, which ends with its code in brackets: `{{[E0301]}}` expects a code. Backticks and `'` are
//! the same. Every error and warning must be expected. Secondary labels and remarks of a diagnostic count as notes, which need not be expected.

use rtc::{Compilation, Severity};

/// An expectation of a comment.
struct Expected {
    severity: Severity,
    file: String,
    /// From 1; 0 for a diagnostic without a location.
    line: u32,
    text: String,
    min: usize,
    max: usize,
    found: usize,
    /// Where the comment is.
    at: u32,
}

/// The differences as text; empty if there are none.
pub fn verify(c: &Compilation) -> String {
    let mut out = String::new();
    let mut all: Vec<Expected> = Vec::new();
    let mut none = false;
    let mut seen: Vec<&str> = Vec::new();
    for (_, file) in c.sources.files() {
        // A file that was included twice is read once.
        if seen.contains(&file.name.as_str()) {
            continue;
        }
        seen.push(&file.name);
        for (i, line) in file.text.lines().enumerate() {
            none |= line.contains("expected-no-diagnostics");
            if let Err(e) = expectations(line, &file.name, i as u32 + 1, &mut all) {
                out.push_str(&format!("{}:{}: error: {e}\n", file.name, i + 1));
            }
        }
    }
    if all.is_empty() && !none && out.is_empty() {
        out.push_str("error: no expectation found; use `// expected-no-diagnostics` if none is intended\n");
    }
    let location = |span| match c.sources.range(span) {
        Some((id, range)) => {
            let f = c.sources.file(id);
            (f.name.clone(), f.line_starts().partition_point(|&s| s as usize <= range.start) as u32)
        }
        None => (String::new(), 0),
    };
    for d in &c.diagnostics {
        let message = format!("{} [{}]", d.message, d.code.id);
        if !take(&mut all, d.severity, &location(d.span()), &message) {
            let (file, line) = location(d.span());
            let word = if d.is_error() { "error" } else { "warning" };
            out.push_str(&format!("{file}:{line}: error: this {word} was not expected: {message}\n"));
        }
        for l in d.labels.iter().skip(1) {
            take(&mut all, Severity::Note, &location(l.span), &l.message);
        }
        for n in &d.notes {
            take(&mut all, Severity::Note, &location(d.span()), n);
        }
    }
    for e in all.iter().filter(|e| e.found < e.min) {
        let word = match e.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let times = if e.min > 1 { format!(" {} times, found {}", e.min, e.found) } else { String::new() };
        out.push_str(&format!("{}:{}: error: expected {word} `{}` on line {}{times}\n", e.file, e.at, e.text, e.line));
    }
    out
}

/// Assigns a diagnostic to the first expectation that it matches and that accepts one more.
fn take(all: &mut [Expected], severity: Severity, location: &(String, u32), message: &str) -> bool {
    let message = quoted(message);
    let fits = |e: &&mut Expected| {
        let here = (e.line == location.1 && e.file == location.0) || e.line == 0 && location.1 == 0;
        e.severity == severity && here && e.found < e.max && message.contains(&quoted(&e.text))
    };
    all.iter_mut().find(fits).map(|e| e.found += 1).is_some()
}

/// A text with one kind of quotes: rtc's are backticks, those of dxc are not.
fn quoted(text: &str) -> String {
    text.replace('`', "'")
}

/// The expectations of one line.
fn expectations(line: &str, file: &str, number: u32, all: &mut Vec<Expected>) -> Result<(), String> {
    let mut rest = line;
    while let Some(at) = rest.find("expected-") {
        rest = &rest[at + "expected-".len()..];
        let words = [("error", Severity::Error), ("warning", Severity::Warning), ("note", Severity::Note), ("remark", Severity::Note)];
        let Some((word, severity)) = words.into_iter().find(|w| rest.starts_with(w.0)) else { continue };
        rest = &rest[word.len()..];
        let mut target = number;
        if let Some(r) = rest.strip_prefix('@') {
            let end = r.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(r.len());
            let (spot, after) = r.split_at(end);
            rest = after;
            target = match spot.parse::<i64>() {
                _ if spot == "none" => 0,
                Ok(n) if spot.starts_with(['+', '-']) => (i64::from(number) + n).max(0) as u32,
                Ok(n) => n.max(0) as u32,
                Err(_) => return Err(format!("invalid line `@{spot}`: expected `@+1`, `@-2`, `@17` or `@none`")),
            };
        }
        let Some(open) = rest.find("{{") else { return Err("expected the text of the diagnostic in `{{…}}`".into()) };
        let count = rest[..open].trim();
        let number_of = |s: &str| s.parse::<usize>().map_err(|_| format!("invalid count `{count}`"));
        let (min, max) = match count {
            "" => (1, 1),
            "+" => (1, usize::MAX),
            "*" => (0, usize::MAX),
            c => match (c.strip_suffix('+'), c.split_once('-')) {
                (Some(n), _) => (number_of(n)?, usize::MAX),
                (None, Some((a, b))) => (number_of(a)?, number_of(b)?),
                _ => (number_of(c)?, number_of(c)?),
            },
        };
        let Some(close) = rest[open..].find("}}") else {
            return Err("expected `}}` after the text of the diagnostic: it is not closed".into());
        };
        let text = rest[open + 2..open + close].to_owned();
        rest = &rest[open + close + 2..];
        all.push(Expected { severity, file: file.into(), line: target, text, min, max, found: 0, at: number });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc::{NoIncludes, Options, Profile};

    fn run(text: &str) -> String {
        let options = Options::new(Profile::parse("lib_6_6").unwrap());
        verify(&rtc::compile("a.hlsl", text.as_bytes(), &mut NoIncludes, &options))
    }

    #[test]
    fn expectations_match_diagnostics() {
        assert_eq!(run("float f() { return b; } // expected-error {{use of undeclared identifier `b`}}\n"), "");
        assert_eq!(run("float f() { return b; } // expected-error {{use of undeclared identifier 'b'}}\n"), "");
        assert_eq!(run("// expected-error@+1 {{[E0301]}}\nfloat f() { return b; }\n"), "");
        assert_eq!(run("// expected-no-diagnostics\nfloat f() { return 1; }\n"), "");
        assert_eq!(run("float2 f(float4 a) { return a; } // expected-warning 1+ {{drops}}\n"), "");
        let twice = "float a; float a; // expected-error {{redeclaration}} expected-note@1 {{previously declared here}}\n";
        assert_eq!(run(twice), "");
        assert!(run("float f() { return b; }\n").contains("a.hlsl:1: error: this error was not expected"));
        assert!(run("float f() { return 1; } // expected-error {{b}}\n").contains("expected error `b` on line 1"));
        assert!(run("float f() { return b; } // expected-error 2 {{b}}\n").contains("2 times, found 1"));
        assert!(run("float f() { return 1; }\n").contains("no expectation"));
        assert!(run("// expected-error@x {{b}}\n").contains("invalid line"));
        assert!(run("// expected-error {{b\n").contains("not closed"));
        assert!(run("// expected-error some {{b}}\n").contains("invalid count"));
    }
}
