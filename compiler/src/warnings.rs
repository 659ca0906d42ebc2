//! `-W` options: which warnings are shown, which are errors.

use rtc_base::{Diagnostic, Severity};

use crate::options::Warnings;

/// What happens to the warnings of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Hidden,
    Shown,
    Error,
}

/// Applies the options: drops what is off, raises what is to be an error.
pub fn apply(diagnostics: Vec<Diagnostic>, w: &Warnings) -> Vec<Diagnostic> {
    let fate = |group: &str| {
        let mut fate = if w.all_errors { Fate::Error } else { Fate::Shown };
        for option in &w.groups {
            let (name, to) = match option.split_once('=') {
                Some(("error", g)) => (g, Fate::Error),
                Some(("no-error", g)) => (g, Fate::Shown),
                _ => match option.strip_prefix("no-") {
                    Some(g) => (g, Fate::Hidden),
                    None => (option.as_str(), if w.all_errors { Fate::Error } else { Fate::Shown }),
                },
            };
            if name == group || name == "all" || name == "everything" {
                fate = to;
            }
            if option == "error" {
                fate = Fate::Error;
            }
        }
        if w.none { Fate::Hidden } else { fate }
    };
    diagnostics
        .into_iter()
        .filter_map(|mut d| {
            if d.severity == Severity::Warning {
                match fate(d.code.group) {
                    Fate::Hidden => return None,
                    Fate::Shown => {}
                    Fate::Error => d.severity = Severity::Error,
                }
            }
            Some(d)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtc_base::{Code, Span};

    static A: Code = Code { id: "W9001", severity: Severity::Warning, group: "conversion", about: "" };
    static B: Code = Code { id: "W9002", severity: Severity::Warning, group: "undef", about: "" };
    static E: Code = Code { id: "E9001", severity: Severity::Error, group: "", about: "" };

    fn run(w: Warnings) -> Vec<(&'static str, bool)> {
        let all = [&A, &B, &E].map(|c| Diagnostic::new(c, Span::NONE, "x")).to_vec();
        apply(all, &w).iter().map(|d| (d.code.id, d.is_error())).collect()
    }

    fn groups(list: &[&str]) -> Warnings {
        Warnings { groups: list.iter().map(|s| s.to_string()).collect(), ..Warnings::default() }
    }

    #[test]
    fn later_options_win_and_errors_stay() {
        assert_eq!(run(Warnings::default()), [("W9001", false), ("W9002", false), ("E9001", true)]);
        assert_eq!(run(groups(&["no-undef"])), [("W9001", false), ("E9001", true)]);
        assert_eq!(run(groups(&["no-undef", "undef"])).len(), 3);
        assert_eq!(run(groups(&["error=undef"])), [("W9001", false), ("W9002", true), ("E9001", true)]);
        assert_eq!(run(Warnings { none: true, ..Warnings::default() }), [("E9001", true)]);
        let all = Warnings { all_errors: true, ..groups(&["no-conversion"]) };
        assert_eq!(run(all), [("W9002", true), ("E9001", true)]);
    }
}
