//! Fuzzing of the parsers of this crate with random tokens: any text is parsed or rejected without a panic.

use std::time::{Duration, Instant};

use rtc_test_support::Random;

use crate::filecheck::{Options, Text, check};
use crate::runner::{script, shell};

/// How long each test tries.
const TIME: Duration = Duration::from_millis(300);

/// How often each tries at least: a machine with much else to do still sees some.
const LEAST: u32 = 500;

/// Up to `count` pieces, joined.
fn text(random: &mut Random, pieces: &[&str], count: usize) -> String {
    (0..random.below(count)).map(|_| random.of(pieces)).collect()
}

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "CHECK", "CHECK:", "CHECK-NEXT:", "CHECK-NOT:", "CHECK-DAG:", "CHECK-LABEL:", "CHECK-SAME:", "CHECK-EMPTY:", "CHECK-COUNT-2:",
    "CHECK{LITERAL}:", "-", "_", "\n", "\n", "\n", " ", " ", "\t", "a", "b", "ab", "é", "ß", "{{", "}}", "[[", "]]", "[", "]", "{", "}",
    "V", ":", "#", "%x", "%d", ",", "+", "1", "0", "@LINE", "==", "\\", "(", ")", "|", "*", ".", "^", "$", "?", "[[V:a*]]", "[[V]]",
    "[[#N:]]", "[[#N+1]]", "{{[^a]}}", "{{a|ab}}", "RUN:", "COM:", "\r\n", "//",
];

#[test]
fn filecheck_has_an_answer_to_everything() {
    let start = Instant::now();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut good, mut bad) = (0, 0);
    while start.elapsed() < TIME || good + bad < LEAST {
        let mut options = Options { check_file: "t".to_string(), ..Options::default() };
        options.match_full_lines = random.below(4) == 0;
        options.strict_whitespace = random.below(4) == 0;
        options.ignore_case = random.below(4) == 0;
        options.enable_var_scope = random.below(4) == 0;
        if random.below(4) == 0 {
            options.implicit_check_not.push(text(&mut random, PIECES, 4));
        }
        let checks = format!("CHECK: {}", text(&mut random, PIECES, 20));
        let input = text(&mut random, &["a", "b", "ab", "é", "\n", " ", "1", "0", "-", "ff", "[", "{"], 40);
        match check(&options, &Text::new("t", &checks), &Text::new("<stdin>", &input), &[]) {
            Ok(()) => good += 1,
            Err(report) => {
                assert!(!report.is_empty());
                bad += 1;
            }
        }
    }
    assert!(good > 0 && bad > 0, "{good} accepted, {bad} rejected");
}

#[test]
fn scripts_have_an_answer_to_everything() {
    let start = Instant::now();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    #[rustfmt::skip]
    let pieces = &[
        "RUN:", "// RUN: ", "REQUIRES:", "XFAIL:", "\n", "\n", " ", "\\", "'", "\"", "|", "&&", "||", ";", ">", ">>", "<", "2>&1", "2>", "&>",
        "&", "FileCheck", "--check-prefix=", "A", "%s", "%", "é", "not", "env", "x=y", "$", "COM:", "//", "#", "CHEKC:",
    ];
    let (mut good, mut bad) = (0, 0);
    while start.elapsed() < TIME || good + bad < LEAST {
        let text = text(&mut random, pieces, 24);
        let outcome = script::parse("t", &format!("// RUN: echo {text}"));
        if outcome.is_ok() {
            good += 1
        } else {
            bad += 1
        }
        if let Ok(commands) = shell::parse(&text) {
            assert!(commands.iter().all(|(_, p)| p.commands.iter().all(|c| !c.words.is_empty())), "{text}");
        }
    }
    assert!(good > 0 && bad > 0, "{good} accepted, {bad} rejected");
}
