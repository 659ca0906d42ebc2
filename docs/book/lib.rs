//! The error index of the book, as data: a page for each code of the compiler's diagnostics.
//!
//! A page is a Markdown file of `src/errors/`. Its first line is a heading with the code and what it is about, its second paragraph the
//! severity, with the group of a warning. These two follow from the table of diagnostics; a test of the command `rtc` compares them, and
//! compiles the examples.

/// A page of the error index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// The code that it explains: `E0704`.
    pub code: &'static str,
    /// Its text, in Markdown.
    pub text: &'static str,
}

/// All pages, in the order of codes.
pub static PAGES: &[Page] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

impl Page {
    /// What the code is about, in one line.
    pub fn about(&self) -> &'static str {
        let heading = self.text.lines().next().unwrap_or_default();
        heading.split_once(": ").map_or(heading, |(_, about)| about)
    }

    /// The group of a warning without `-W`; `None` for an error.
    pub fn group(&self) -> Option<&'static str> {
        let severity = self.text.lines().nth(2)?;
        severity.split_once("`-W")?.1.split('`').next()
    }

    /// The page for a terminal: code is indented, headings and links are their text.
    pub fn plain(&self) -> String {
        let mut out = String::new();
        let mut in_code = false;
        for line in self.text.lines() {
            if line.starts_with("```") {
                in_code = !in_code;
                continue;
            }
            match in_code {
                true if line.is_empty() => {}
                true => out.push_str("    "),
                false => {}
            }
            match in_code {
                true => out.push_str(line),
                false => out.push_str(&without_links(line.trim_start_matches('#').trim_start())),
            }
            out.push('\n');
        }
        out
    }
}

/// `[text](target)` becomes `text`. Brackets in code spans are no links.
fn without_links(line: &str) -> String {
    let mut out = String::new();
    for (i, part) in line.split('`').enumerate() {
        if i > 0 {
            out.push('`');
        }
        if i % 2 == 1 {
            out.push_str(part);
            continue;
        }
        let mut rest = part;
        while let Some((before, after)) = rest.split_once('[')
            && let Some((text, target)) = after.split_once("](")
            && let Some((_, after)) = target.split_once(')')
        {
            out.push_str(before);
            out.push_str(text);
            rest = after;
        }
        out.push_str(rest);
    }
    out
}

/// The page of exactly this code.
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.binary_search_by(|p| p.code.cmp(code)).ok().map(|i| &PAGES[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_found_by_their_code() {
        assert!(!PAGES.is_empty());
        for p in PAGES {
            assert_eq!(page(p.code), Some(p));
            assert!(p.text.starts_with(&format!("# {}: ", p.code)), "{}", p.code);
        }
        assert_eq!(page("E9999"), None);
    }

    #[test]
    fn text_for_a_terminal() {
        let text = "# E0001: a thing\n\nWarning of the group `-Wthings`.\n\nSee [E0002](E0002.md), `a[1](x)`.\n\n```hlsl\nint a;\n\n# b\n```\n\n## Fix\n";
        let p = Page { code: "E0001", text };
        assert_eq!(
            p.plain(),
            "E0001: a thing\n\nWarning of the group `-Wthings`.\n\nSee E0002, `a[1](x)`.\n\n    int a;\n\n    # b\n\nFix\n"
        );
        assert_eq!((p.about(), p.group()), ("a thing", Some("things")));
    }
}
