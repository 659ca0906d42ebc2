//! Severity of warnings: `-W` options and `#pragma dxc diagnostic` hide a warning or turn it into an error.

use rtc_base::{Code, Diagnostic, Severity, SourceMap};
use rtc_frontend::preprocess::{Pragmas, WarningAction};
use rtc_tables::diagnostics::{ERROR_BY_DEFAULT, NOT_BY_WX, OFF_BY_DEFAULT, covers};

use crate::options::Warnings;

/// The effect of options and pragmas on a warning.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Hidden,
    Shown,
    Error,
}

/// Whether `-WX` makes an error of the warning.
fn by_all(code: &Code) -> bool {
    !NOT_BY_WX.iter().any(|of| covers(of, code.group))
}

/// Whether `name` stands for every warning: `all` for those that are on, too.
fn names_all(name: &str, code: &Code) -> bool {
    name == "everything" || name == "all" && !OFF_BY_DEFAULT.iter().any(|c| c.id == code.id)
}

/// The fate of a kind of warning by the options alone.
fn by_options(code: &Code, w: &Warnings) -> Fate {
    let group = code.group;
    let off = OFF_BY_DEFAULT.iter().any(|c| c.id == code.id);
    let default_error = ERROR_BY_DEFAULT.iter().any(|c| c.id == code.id);
    let left = !by_all(code);
    // `-no-warnings` hides what only an option for all warnings makes an error.
    let all_errors = w.all_errors && !w.none;
    let shown = if all_errors && !left || default_error { Fate::Error } else { Fate::Shown };
    let mut fate = if off { Fate::Hidden } else { shown };
    for option in &w.groups {
        let (name, to) = match option.split_once('=') {
            Some(("error", g)) => (g, Fate::Error),
            Some(("no-error", g)) => (g, if fate == Fate::Hidden { Fate::Hidden } else { Fate::Shown }),
            _ => match option.as_str() {
                // `-Werror` alone is `-WX`; hidden warnings stay hidden.
                "error" => ("", if fate == Fate::Hidden || left || w.none { fate } else { Fate::Error }),
                "no-error" => ("", if fate == Fate::Error { Fate::Shown } else { fate }),
                o => match o.strip_prefix("no-") {
                    Some(g) => (g, Fate::Hidden),
                    None => (o, shown),
                },
            },
        };
        if name.is_empty() || names_all(name, code) || covers(name, group) {
            fate = to;
        }
    }
    fate
}

/// The last pragma before the diagnostic that covers its group.
fn by_pragmas(d: &Diagnostic, pragmas: &Pragmas, sources: &SourceMap) -> Option<WarningAction> {
    let at = sources.file_span(d.span()).lo;
    let changes = pragmas.diagnostics_at(at).iter().rev();
    changes.into_iter().find(|(name, _)| names_all(name, d.code) || covers(name, d.code.group)).map(|c| c.1)
}

/// Whether a warning of this kind may be shown somewhere: what is not need not be looked for.
pub fn may_show(code: &Code, w: &Warnings, pragmas: &Pragmas) -> bool {
    let enables =
        |(name, action): &(String, WarningAction)| *action != WarningAction::Ignored && (names_all(name, code) || covers(name, code.group));
    !w.none && (by_options(code, w) != Fate::Hidden || pragmas.changes().any(enables))
}

/// Applies options and pragmas: removes disabled warnings and turns others into errors.
pub fn apply(diagnostics: Vec<Diagnostic>, w: &Warnings, pragmas: &Pragmas, sources: &SourceMap) -> Vec<Diagnostic> {
    let wanted = |d: &Diagnostic| match by_pragmas(d, pragmas, sources) {
        None => by_options(d.code, w),
        Some(WarningAction::Ignored) => Fate::Hidden,
        Some(WarningAction::Error) => Fate::Error,
        Some(WarningAction::Warning) if w.all_errors && !w.none && by_all(d.code) => Fate::Error,
        Some(WarningAction::Warning) => Fate::Shown,
    };
    let fate = |d: &Diagnostic| match wanted(d) {
        Fate::Shown if w.none => Fate::Hidden,
        fate => fate,
    };
    diagnostics
        .into_iter()
        .filter_map(|mut d| {
            if d.severity == Severity::Warning {
                match fate(&d) {
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
    use rtc_base::Span;

    static A: Code = Code { id: "W9001", severity: Severity::Warning, group: "literal-conversion", about: "" };
    static B: Code = Code { id: "W9002", severity: Severity::Warning, group: "macro-redefined", about: "" };
    static C: Code = Code { id: "W0106", severity: Severity::Warning, group: "undef", about: "" };
    static E: Code = Code { id: "E9001", severity: Severity::Error, group: "", about: "" };

    fn run(w: Warnings) -> Vec<(&'static str, bool)> {
        let all = [&A, &B, &C, &E].map(|c| Diagnostic::new(c, Span::NONE, "x")).to_vec();
        let done = apply(all, &w, &Pragmas::default(), &SourceMap::new());
        done.iter().map(|d| (d.code.id, d.is_error())).collect()
    }

    fn groups(list: &[&str]) -> Warnings {
        Warnings { groups: list.iter().map(|s| s.to_string()).collect(), ..Warnings::default() }
    }

    #[test]
    fn later_options_win_and_errors_stay() {
        assert_eq!(run(Warnings::default()), [("W9001", false), ("W9002", false), ("E9001", true)]);
        assert_eq!(run(groups(&["no-macro-redefined"])), [("W9001", false), ("E9001", true)]);
        assert_eq!(run(groups(&["no-macro-redefined", "macro-redefined"])).len(), 3);
        assert_eq!(run(groups(&["error=macro-redefined"])), [("W9001", false), ("W9002", true), ("E9001", true)]);
        assert_eq!(run(groups(&["error"])), [("W9001", true), ("W9002", true), ("E9001", true)]);
        assert_eq!(run(Warnings { none: true, ..Warnings::default() }), [("E9001", true)]);
        let all = Warnings { all_errors: true, ..groups(&["no-conversion"]) };
        assert_eq!(run(all), [("W9002", true), ("E9001", true)]);
        let but = Warnings { all_errors: true, ..groups(&["no-error=macro-redefined"]) };
        assert_eq!(run(but), [("W9001", true), ("W9002", false), ("E9001", true)]);
    }

    #[test]
    fn without_warnings_errors_stay_that_are_some_by_their_group() {
        let none = |w: Warnings| run(Warnings { none: true, ..w }).len();
        assert_eq!(none(groups(&["error"])), 1);
        assert_eq!(none(Warnings { all_errors: true, ..Warnings::default() }), 1);
        assert_eq!(none(groups(&["error=macro-redefined"])), 2);
        let fate = |w: &Warnings| by_options(&rtc_tables::diagnostics::W0401, w) == Fate::Error;
        assert!(fate(&Warnings { none: true, ..Warnings::default() }));
        assert!(!fate(&Warnings { none: true, ..groups(&["no-error=return-type"]) }));
    }

    #[test]
    fn what_the_reference_does_not_warn_of_is_an_error_by_its_group_only() {
        static D: Code = Code { id: "W9003", severity: Severity::Warning, group: "coherence-hint", about: "" };
        let fate = |w: &Warnings| by_options(&D, w) == Fate::Error;
        let all = |list| Warnings { all_errors: true, ..groups(list) };
        assert!(!fate(&all(&[])) && !fate(&groups(&["error"])) && !fate(&all(&["coherence-hint"])));
        assert!(fate(&groups(&["error=coherence-hint"])) && fate(&all(&["error=reorder-points"])) && fate(&groups(&["error=everything"])));
        for of in NOT_BY_WX {
            assert!(rtc_tables::diagnostics::ALL.iter().any(|c| covers(of, c.group)), "no warning is in {of}");
        }
    }

    #[test]
    fn groups_contain_groups_and_some_are_off_by_default() {
        assert_eq!(run(groups(&["no-conversion"])), [("W9002", false), ("E9001", true)]);
        assert_eq!(run(groups(&["undef"])).len(), 4);
        assert_eq!(run(groups(&["all"])).len(), 3);
        assert_eq!(run(groups(&["everything"])).len(), 4);
        assert_eq!(run(groups(&["no-everything"])), [("E9001", true)]);
    }
}
