//! Each directive accepts and rejects what it should, with source locations.

use super::{Options, Text, check};

/// Runs a check with more arguments; `Err` is the report.
fn run(args: &[&str], checks: &str, input: &str) -> Result<(), String> {
    let mut args: Vec<String> = args.iter().map(|a| a.to_string()).collect();
    args.push("t.hlsl".to_string());
    let options = Options::parse(&args)?;
    check(&options, &Text::new("t.hlsl", checks), &Text::new("<stdin>", input), &[])
}

#[track_caller]
fn good(checks: &str, input: &str) {
    if let Err(report) = run(&[], checks, input) {
        panic!("rejected:\n{report}");
    }
}

/// Rejected, with all of these in the report.
#[track_caller]
fn bad(checks: &str, input: &str, wanted: &[&str]) {
    bad_with(&[], checks, input, wanted);
}

#[track_caller]
fn good_with(args: &[&str], checks: &str, input: &str) {
    if let Err(report) = run(args, checks, input) {
        panic!("rejected:\n{report}");
    }
}

#[track_caller]
fn bad_with(args: &[&str], checks: &str, input: &str, wanted: &[&str]) {
    let report = run(args, checks, input).expect_err("accepted");
    for text in wanted {
        assert!(report.contains(text), "no `{text}` in:\n{report}");
    }
}

#[test]
fn plain_checks_are_in_order() {
    good("// CHECK: one\n// CHECK: two\n", "zero\none and\n then two\n");
    bad("// CHECK: two\n// CHECK: one\n", "one\ntwo\n", &["t.hlsl:2:11: error: CHECK", "<stdin>:2:4: note: looking from here"]);
    bad("// CHECK: three\n", "one\n", &["this is not in the input", "     1 | one", "looking from here"]);
    good("// CHECK: a\n// CHECK: b\n", "a b");
    bad("// CHECK: a\n// CHECK: a\n", "a", &["t.hlsl:2:"]);
}

#[test]
fn next_is_the_line_after() {
    good("; CHECK: a\n; CHECK-NEXT: b\n", "a x\n b\n");
    bad("; CHECK: a\n; CHECK-NEXT: b\n", "a\n\nb\n", &["CHECK-NEXT is not on the line right after", "<stdin>:3:1", "<stdin>:1:2"]);
    bad("; CHECK: a\n; CHECK-NEXT: b\n", "a b\n", &["is on the same line"]);
    bad("; CHECK-NEXT: b\n", "b\n", &["needs a directive before it"]);
}

#[test]
fn same_is_the_same_line() {
    good("# CHECK: a\n# CHECK-SAME: b\n", "a b\n");
    bad("# CHECK: a\n# CHECK-SAME: b\n", "a\nb\n", &["CHECK-SAME is not on the line of the match before it"]);
    bad("# CHECK-SAME: b\n", "b\n", &["needs a directive before it"]);
}

#[test]
fn empty_is_an_empty_line() {
    good("CHECK: a\nCHECK-EMPTY:\nCHECK-NEXT: b\n", "a\n\nb\n");
    good("CHECK: a\nCHECK-EMPTY:\nCHECK-EMPTY:\nCHECK-NEXT: b\n", "a\n\n\nb\n");
    bad("CHECK: a\nCHECK-EMPTY:\n", "a\nb\n\nc\n", &["CHECK-EMPTY is not on the line right after"]);
    bad("CHECK: a\nCHECK-EMPTY:\n", "a\nb", &["CHECK-EMPTY: this is not in the input"]);
    bad("CHECK: a\nCHECK-EMPTY: b\n", "a\n\n", &["takes no pattern"]);
    bad("CHECK-EMPTY:\n", "\n\n a", &["needs a directive before it"]);
}

#[test]
fn not_looks_between_the_matches() {
    good("CHECK: a\nCHECK-NOT: x\nCHECK: b\n", "x a y b x\n");
    bad("CHECK: a\nCHECK-NOT: x\nCHECK: b\n", "a\nx b\n", &["t.hlsl:2:12: error: CHECK-NOT", "<stdin>:2:1: note: found here"]);
    bad("CHECK: a\nCHECK-NOT: x\n", "a\ny\nx\n", &["CHECK-NOT", "<stdin>:3:1"]);
    bad("CHECK-NOT: x\nCHECK: a\n", "x a\n", &["CHECK-NOT"]);
    good("CHECK-NOT: x\n", "a\n");
    bad("CHECK-NOT: y\nCHECK-NOT: x\n", "x\n", &["t.hlsl:2:12"]);
}

#[test]
fn dag_is_any_order_without_overlap() {
    good("CHECK-DAG: a\nCHECK-DAG: b\nCHECK: c\n", "b\na\nc\n");
    bad("CHECK-DAG: a\nCHECK-DAG: b\nCHECK: c\n", "b\nc\na\n", &["t.hlsl:3:8: error: CHECK: this is not in the input"]);
    bad("CHECK-DAG: a\nCHECK-DAG: a\n", "a\n", &["t.hlsl:2:12: error: CHECK-DAG"]);
    good("CHECK-DAG: a\nCHECK-DAG: a\n", "a a\n");
    // The second pattern matches after the overlapping match.
    good("CHECK-DAG: {{add.*1}}\nCHECK-DAG: {{add.*}}\n", "add 1\nadd 2\n");
    // A variable defined by one is used by another that is earlier in the input.
    good("CHECK-DAG: def [[V:%[0-9]+]]\nCHECK-DAG: use [[V]]\n", "use %7\nuse %9\ndef %9\n");
    bad("CHECK-DAG: def [[V:%[0-9]+]]\nCHECK-DAG: use [[V]]\n", "use %7\ndef %9\n", &["note: `V` is \"%9\" here"]);
}

#[test]
fn not_separates_groups_of_dags() {
    let checks = "CHECK-DAG: a\nCHECK-DAG: b\nCHECK-NOT: x\nCHECK-DAG: c\nCHECK-DAG: d\n";
    good(checks, "b a d c\n");
    bad(checks, "b c a d\n", &["t.hlsl:4:12"]);
    bad(checks, "b a x d c\n", &["CHECK-NOT"]);
    good(checks, "b x a d c x\n");
}

#[test]
fn label_cuts_the_input() {
    let checks = "CHECK-LABEL: f()\nCHECK: ret\nCHECK-LABEL: g()\nCHECK: ret\n";
    good(checks, "f()\nret\ng()\nret\n");
    // Without the cut the first `ret` would be found in g.
    bad(checks, "f()\nnothing\ng()\nret\nret\n", &["t.hlsl:2:8", "the block ends at the next label, in line 3"]);
    bad(checks, "f()\nret\n", &["t.hlsl:3:14: error: CHECK-LABEL"]);
    bad("CHECK-LABEL: [[V:a]]\n", "a\n", &["may not define or use variables"]);
    bad("CHECK-LABEL: f\nCHECK-NOT: x\nCHECK-LABEL: g\n", "f\nx\ng\n", &["CHECK-NOT"]);
    good("CHECK-LABEL: f\nCHECK-NOT: x\nCHECK-LABEL: g\n", "f\ng\nx\n");
}

#[test]
fn count_is_that_often() {
    good("CHECK-COUNT-3: add\nCHECK-NOT: add\nCHECK: ret\n", "add\nadd\nadd\nret\n");
    bad("CHECK-COUNT-3: add\n", "add\nadd\n", &["found 2 of 3"]);
    bad("CHECK-COUNT-2: add\nCHECK-NOT: add\n", "add\nadd\nadd\n", &["CHECK-NOT", "<stdin>:3:1"]);
    bad("CHECK-COUNT-0: add\n", "x\n", &["counts to nothing"]);
    bad("CHECK-COUNT-x: add\n", "x\n", &["is not a directive"]);
}

#[test]
fn regular_expressions() {
    good("CHECK: %{{[0-9]+}} = add{{ +}}i32\n", "%12 = add   i32\n");
    bad("CHECK: %{{[0-9]+}} = add\n", "%x = add\n", &["this looks like it"]);
    good("CHECK: {{a|ab}}c\n", "abc\n");
    good("CHECK: x{{[0-9]{2}}}y\n", "x12y\n");
    bad("CHECK: x{{[0-9]{2}}}y\n", "x1y\n", &["CHECK"]);
    // Neither `.` nor a negated class goes past the line.
    bad("CHECK: a{{.*}}b\n", "a\nb\n", &["CHECK"]);
    bad("CHECK: a{{[^x]*}}b\n", "a\nb\n", &["CHECK"]);
    good("CHECK: {{^}}b{{$}}\n", "a\nb\nc\n");
    bad("CHECK: {{^}}b\n", "ab\n", &["CHECK"]);
    good("CHECK: {{[[:alpha:]]+[]}]}}\n", "abc]\n");
    good("CHECK: f({{.*}}) {{{}}\n", "f(int) {\n");
    bad("CHECK: {{(}}\n", "x\n", &["t.hlsl:1:8: error", "is not a regular expression"]);
    bad("CHECK: {{a\n", "a\n", &["`{{` without `}}`"]);
    bad("CHECK: {{[a}}\n", "a\n", &["no closing bracket"]);
}

/// POSIX's rule: of the matches that begin first, the longest.
#[test]
fn the_longest_alternative_wins() {
    good("CHECK: [[V:a|ab]]\nCHECK-NEXT: <[[V]]>\n", "ab\n<ab>\n");
}

#[test]
fn literal_text_stays_literal() {
    good("CHECK: a.b*c(d)[e] $x^ {f}|g\\n\n", "a.b*c(d)[e] $x^ {f}|g\\n\n");
    bad("CHECK: a.b\n", "axb\n", &["CHECK"]);
    good("CHECK{LITERAL}: [[v]] {{x}}\n", "[[v]] {{x}}\n");
    bad("CHECK{LITERAL}: {{x}}\n", "x\n", &["CHECK"]);
    good("CHECK: a\nCHECK-NEXT{LITERAL}: [[v]]\n", "a\n[[v]]\n");
    bad("CHECK{LITREAL}: x\n", "x\n", &["modifier"]);
}

#[test]
fn text_variables() {
    good("CHECK: [[R:%[a-z]+]] = load\nCHECK: use [[R]]\n", "%a = load\n%b = x\nuse %a\n");
    bad("CHECK: [[R:%[a-z]+]] = load\nCHECK: use [[R]]\n", "%a = load\nuse %b\n", &["note: `R` is \"%a\" here"]);
    good("CHECK: [[R:[a-z]+]] = [[R]]\n", "a = b\nc = c\n");
    bad("CHECK: [[R:[a-z]+]] = [[R]];\n", "a = b;\n", &["CHECK"]);
    // Redefined: the later value counts.
    good("CHECK: [[R:%[a-z]]]\nCHECK: [[R:%[a-z]]]\nCHECK: [[R]]!\n", "%a\n%b\n%b!\n");
    bad("CHECK: [[NOPE]]\n", "x\n", &["the variable `NOPE` has no value here"]);
    bad("CHECK: x\nCHECK-NOT: [[NOPE]]\n", "x\n", &["the variable `NOPE` has no value here"]);
    bad("CHECK: [[R:a\n", "a\n", &["`[[` without `]]`"]);
    bad("CHECK: [[1x]]\n", "a\n", &["is not a variable"]);
    // The value is text, not a regular expression.
    bad("CHECK: [[R:a.c]]\nCHECK: <[[R]]>\n", "a.c\n<abc>\n", &["CHECK"]);
    good_with(&["-DNAME=foo.bar"], "CHECK: [[NAME]]!\n", "foo.bar!\n");
    bad_with(&["-DNAME=foo.bar"], "CHECK: [[NAME]]!\n", "fooxbar!\n", &["`NAME` is \"foo.bar\""]);
}

#[test]
fn labels_end_variables_with_the_flag() {
    let checks = "CHECK-LABEL: f\nCHECK: [[V:[0-9]]]\nCHECK: [[$G:[0-9]]]\nCHECK-LABEL: g\nCHECK: <[[$G]]>\nCHECK: [[V]]\n";
    good(checks, "f\n1\n2\ng\n<2>\n1\n");
    bad_with(&["--enable-var-scope"], checks, "f\n1\n2\ng\n<2>\n1\n", &["t.hlsl:6:", "`V` has no value"]);
}

#[test]
fn numbers() {
    good("CHECK: [[#N:]] a\nCHECK: [[#N+1]] b\n", "41 a\n42 b\n");
    bad("CHECK: [[#N:]] a\nCHECK: [[#N+1]] b\n", "41 a\n43 b\n", &["note: `#N` is \"41\" here"]);
    good("CHECK: [[#%x,N:]] a\nCHECK: [[#N+1]] b\n", "ff a\n100 b\n");
    good("CHECK: [[#%X,N:]] a\nCHECK: [[#%u,N]] b\n", "FF a\n255 b\n");
    good("CHECK: [[#%d,N:]] a\nCHECK: [[#N - 3]] b\n", "-4 a\n-7 b\n");
    good("CHECK: x[[#]]y\n", "x123y\n");
    bad("CHECK: x[[#]]y\n", "xy\n", &["CHECK"]);
    good("CHECK: [[#%.4x,N:]]!\n", "00ff!\n");
    bad("CHECK: {{^}}[[#%.4x,N:]]!\n", "0ff!\n", &["CHECK"]);
    good("CHECK: [[#%#x,N:]]\nCHECK: [[#N+0x10]]\n", "0x10\n0x20\n");
    good("CHECK: line [[#@LINE]]\nCHECK: line [[@LINE-1]]\n", "line 1\nline 1\n");
    bad("CHECK: line [[#@LINE+1]]\n", "line 1\n", &["CHECK"]);
    good("CHECK: [[#N:]]\nCHECK: [[#M:N+2]]\nCHECK: <[[#M]]>\n", "1\n3\n<3>\n");
    good_with(&["-D#N=7"], "CHECK: [[#N+1]]\n", "8\n");
    bad("CHECK: [[#N]]\n", "1\n", &["`#N` has no value"]);
    bad("CHECK: [[#1 - 2]]\n", "1\n", &["without a sign"]);
    bad("CHECK: [[#N:]] [[#N]]\n", "1 1\n", &["used in the directive that defines it"]);
    bad("CHECK: [[#add(1,2)]]\n", "3\n", &["functions are not supported"]);
    bad("CHECK: [[#%q,N:]]\n", "3\n", &["is not a format"]);
    bad("CHECK: [[#N+]]\n", "3\n", &["ends with an operator"]);
    bad("CHECK: [[#N:]]\n", "999999999999999999999999999999999999999999999\n", &["is too large"]);
}

#[test]
fn blanks_are_equal_unless_strict() {
    good("CHECK:   a    b\n", "a\t b\n");
    good_with(&["--strict-whitespace"], "CHECK: a  b\n", "a  b\n");
    bad_with(&["--strict-whitespace"], "CHECK: a  b\n", "a b\n", &["CHECK"]);
}

#[test]
fn full_lines() {
    let full = &["--match-full-lines"];
    good_with(full, "CHECK: a b\n", "x\n  a   b  \n");
    bad_with(full, "CHECK: a\n", "a b\n", &["CHECK"]);
    bad_with(full, "CHECK: b\n", "a b\n", &["CHECK"]);
    good_with(full, "CHECK: {{.*}}b\n", "a b\n");
    // A NOT pattern still matches a part of a line.
    bad_with(full, "CHECK: a\nCHECK-NOT: x\n", "a\nyxz\n", &["CHECK-NOT"]);
}

#[test]
fn prefixes() {
    good_with(&["--check-prefix=SPV"], "CHECK: nothing\nSPV: a\n", "a\n");
    good_with(&["--check-prefixes=SPV,ALL"], "ALL: a\nSPV-NEXT: b\n", "a\nb\n");
    good_with(&["-check-prefix", "A", "-check-prefix", "B"], "A: a\nB: b\n", "a b\n");
    // The longer prefix is its own.
    good_with(&["--check-prefixes=CHECK,CHECK-SPV"], "CHECK: a\nCHECK-SPV-NEXT: b\n", "a\nb\n");
    bad_with(&["--check-prefix=SPV"], "CHECK: a\n", "a\n", &["no directives with the prefix `SPV:`"]);
    bad_with(&["--check-prefixes=A,B"], "A: a\n", "a\n", &["no directives with the prefix `B:`"]);
    good_with(&["--check-prefixes=A,B", "--allow-unused-prefixes"], "A: a\n", "a\n");
    bad_with(&["--check-prefixes=A,A"], "A: a\n", "a\n", &["given twice"]);
    bad_with(&["--check-prefix=1"], "A: a\n", "a\n", &["is not a prefix"]);
    // Not at the start of a word: no directive.
    bad("XCHECK: a\nMY-CHECK: b\n", "a\n", &["no directives"]);
}

#[test]
fn implicit_check_not() {
    good_with(&["--implicit-check-not=warning"], "CHECK: a\n", "a\nb\n");
    bad_with(&["--implicit-check-not=warning"], "CHECK: z\n", "warning: z\n", &["--implicit-check-not", "\"warning\"", "<stdin>:1:1"]);
    bad_with(&["--implicit-check-not", "warning"], "CHECK: a\n", "a\nwarning\n", &["<stdin>:2:1"]);
    good_with(&["--implicit-check-not=warning"], "CHECK: warning: z\n", "warning: z\n");
    bad_with(&["--implicit-check-not={{w[0-9]}}"], "CHECK: a\nCHECK: b\n", "a w1 b\n", &["w1"]);
}

#[test]
fn empty_input_and_case() {
    bad("CHECK-NOT: a\n", "", &["<stdin> is empty"]);
    bad("CHECK-NOT: a\n", "\n \n", &["<stdin> is empty"]);
    good_with(&["--allow-empty"], "CHECK-NOT: a\n", "");
    bad("CHECK: ABC\n", "abc\n", &["CHECK"]);
    good_with(&["--ignore-case"], "CHECK: ABC\n", "abc\n");
}

#[test]
fn misspelled_directives_are_errors() {
    bad("CHECK: a\nCHECK-NXT: b\n", "a\nb\n", &["t.hlsl:2:1: error: `CHECK-NXT` is not a directive; did you mean `CHECK-NEXT`?"]);
    bad("CHECK: a\nCHECK_NEXT: b\n", "a\nb\n", &["did you mean `CHECK-NEXT`?"]);
    bad("CHECK: a\nCHECK-NOT-DAG: b\n", "a\nb\n", &["is not a directive"]);
    bad("CHECK: a\nCHECK-next: b\n", "a\nb\n", &["is not a directive"]);
    bad("CHECK: a\n// CHECK-NEXT b\n", "a\nb\n", &["has no colon"]);
    bad("CHECK : a\n", "a\n", &["must follow at once"]);
    bad("CHECK:\n", "a\n", &["empty pattern"]);
    bad("CHECK: a\nCHECK-NOT:\n", "a\n", &["empty pattern"]);
    // Prose is not.
    good("// This says CHECK-NEXT and CHECK in a sentence.\n// CHECK: a\n", "a\n");
}

#[test]
fn directives_of_other_invocations_are_left_alone() {
    let options = Options::parse(&["t".to_string()]).expect("parses");
    let checks = Text::new("t", "CHECK: a\nCHECK-SPV: b\nCHECK-SPV-NEXT: b\n");
    let input = Text::new("<stdin>", "a\n");
    assert!(check(&options, &checks, &input, &[]).is_err());
    assert_eq!(check(&options, &checks, &input, &["CHECK-SPV".to_string()]), Ok(()));
}

#[test]
fn run_lines_and_comments_hold_no_directives() {
    good("// RUN: rtc %s | FileCheck CHECK: x\n// COM: CHECK: y\n// CHECK: a\n", "a\n");
}

#[test]
fn flags() {
    bad_with(&["--chekc-prefix=A"], "A: a\n", "a\n", &["unknown flag `--chekc-prefix=A`"]);
    bad_with(&["other"], "A: a\n", "a\n", &["more than one check file"]);
    assert!(Options::parse(&[]).is_err());
    assert!(Options::parse(&["--check-prefix".to_string()]).is_err());
    assert!(Options::parse(&["f".to_string(), "--allow-empty=perhaps".to_string()]).is_err());
    assert!(Options::parse(&["f".to_string(), "--allow-empty=false".to_string()]).is_ok_and(|o| !o.allow_empty));
}

/// Windows line ends and characters outside ASCII change nothing, and places count characters.
#[test]
fn line_ends_and_unicode() {
    good("// CHECK: größe\r\n// CHECK-NEXT: b\r\n", "größe\r\nb\r\n");
    bad("// CHECK: ö\n// CHECK-SAME: b\n", "äöü\nb\n", &["<stdin>:2:1", "<stdin>:1:3"]);
    bad("// ä CHECK: b{{x}}\n", "äää\n", &["t.hlsl:1:13"]);
}

/// A report on a line of many megabytes stays readable, wherever the place is.
#[test]
fn very_long_lines_are_cut() {
    let mut input = "ä".repeat(1_000_000);
    input.push_str("here");
    input.push_str(&"ö".repeat(1_000_000));
    for checks in ["CHECK: here\nCHECK-NOT: ööö\n", "CHECK: nothing\n", "CHECK-NOT: here\n"] {
        let report = run(&[], checks, &input).expect_err("accepted");
        assert!(report.len() < 3000, "{} bytes", report.len());
    }
    let report = run(&[], "CHECK-NOT: here\n", &input).expect_err("accepted");
    assert!(report.contains("<stdin>:1:1000001: note: found here"), "{report}");
    assert!(report.ends_with("^~~~"), "{report}");
}
