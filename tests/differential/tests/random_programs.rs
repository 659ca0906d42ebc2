//! Some hundred random programs with fixed seeds; `cargo xtask bench random` runs many more.

use std::process::Command;

use rtc_differential::compile::Tools;
use rtc_differential::devices::Devices;
use rtc_oracles::skip;

/// The first seed, and how many there are: a range without the programs, one in a hundred, on which the software driver of Vulkan crashes (the
/// register allocator of LLVM 15, which Mesa uses).
const SEEDS: [&str; 2] = ["1000147", "96"];

#[test]
fn random_programs_write_the_same_words() {
    let done =
        Command::new(env!("CARGO_BIN_EXE_rtc-differential")).args(["run", SEEDS[0], SEEDS[1], "--jobs", "2"]).output().expect("it starts");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}");
    assert!(text.contains(&format!("{} programs,", SEEDS[1])), "{text}");
    // What was compared agrees, but not all was.
    let mut missing = Vec::new();
    if !Devices::has_cpu() {
        missing.push("built without the CPU device: no DXIL was executed".to_string());
    }
    missing.extend(Devices::default().open().map(|why| format!("no Vulkan device: {why}")));
    if Tools::find().dxc.is_none() {
        missing.push("the reference compiler is not here".into());
    }
    if !missing.is_empty() {
        skip::skip(missing.join("; "));
    }
}

/// The first seed of programs that are linked, and how many there are; `RTC_LINKED_PROGRAMS` is another number.
const LINKED: [&str; 2] = ["2000000", "20"];

/// Spread over several libraries, programs write what they write in one. A process of its own does it: not all that is loaded there ends well together.
#[test]
fn linked_programs_write_the_same_words() {
    if !Devices::has_cpu() {
        return skip::skip("built without the CPU device: no DXIL was executed");
    }
    let count = std::env::var("RTC_LINKED_PROGRAMS").unwrap_or_else(|_| LINKED[1].to_string());
    let mut run = Command::new(env!("CARGO_BIN_EXE_rtc-differential"));
    let done = run.args(["run", LINKED[0], &count, "--jobs", "2", "--dxil"]).output().expect("it starts");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}");
    // Two builds of each program are not linked.
    let builds = text.lines().find_map(|l| l.split_once(" programs, ")?.1.split_once(" builds executed")?.0.parse::<u64>().ok());
    let programs: u64 = count.parse().expect("RTC_LINKED_PROGRAMS is a number");
    assert!(builds.is_some_and(|b| b > 2 * programs), "{text}");
}

/// How many random signatures are compared; `cargo xtask bench signatures` compares more.
const SIGNATURES: &str = "400";

#[test]
fn random_signatures_equal_the_reference() {
    if let Err(missing) = rtc_differential::signatures::Reference::find() {
        return skip::skip(missing.to_string());
    }
    let done = Command::new(env!("CARGO_BIN_EXE_rtc-differential")).args(["signatures", "0", SIGNATURES]).output().expect("it starts");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}{}", String::from_utf8_lossy(&done.stderr));
    let equal: u32 = text.lines().find_map(|l| l.strip_suffix(" equal")).and_then(|n| n.parse().ok()).unwrap_or(0);
    assert!(equal > 380, "{text}");
}

#[test]
fn the_same_choices_give_the_same_program() {
    use rtc_differential::choices::Choices;
    use rtc_differential::generate::{generate, random};
    for seed in 0..200 {
        let program = random(seed);
        let again = generate(Choices::replay(program.choices.clone()));
        assert_eq!(program.source, again.source, "seed {seed}");
        assert_eq!(program.choices, again.choices, "seed {seed}");
    }
}

#[test]
fn reduction_keeps_the_property_and_removes_the_rest() {
    use rtc_differential::generate::random;
    use rtc_differential::reduce::reduce;
    let has_switch = |source: &str| source.contains("switch (");
    let seed = (0..100).find(|&s| has_switch(&random(s).source)).expect("a program with `switch`");
    let program = random(seed);
    let small = reduce(program.clone(), 3000, 1, |p| has_switch(&p[0].source).then_some(0));
    assert!(has_switch(&small.source));
    assert!(small.source.lines().count() < program.source.lines().count().min(50), "{}", small.source);
}

/// The first seed of programs with traces under divergent control flow, and how many there are; `RTC_CONVERGED_PROGRAMS` is another number.
const CONVERGED: [&str; 2] = ["5000000", "32"];

/// Traces by all lanes of a wave do what traces by some of them do.
#[test]
fn converged_traces_write_the_same_words() {
    if !Devices::has_cpu() {
        return skip::skip("built without the CPU device: there is nothing to compare with");
    }
    let count = std::env::var("RTC_CONVERGED_PROGRAMS").unwrap_or_else(|_| CONVERGED[1].to_string());
    let mut run = Command::new(env!("CARGO_BIN_EXE_rtc-differential"));
    let done = run.args(["run", CONVERGED[0], &count, "--jobs", "2", "--converged"]).output().expect("it starts");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}");
    if let Some(why) = Devices::default().open() {
        skip::skip(format!("no Vulkan device: {why}"));
    }
}

/// The first seed of programs of linear algebra, and how many there are; `RTC_MATRIX_PROGRAMS` is another number.
const MATRICES: [&str; 2] = ["6000000", "48"];

/// Plain arithmetic on Vulkan gives what the operations give on the CPU device.
#[test]
fn programs_of_linear_algebra_write_the_same_words() {
    if !Devices::has_cpu() {
        return skip::skip("built without the CPU device: there is nothing to compare with");
    }
    let count = std::env::var("RTC_MATRIX_PROGRAMS").unwrap_or_else(|_| MATRICES[1].to_string());
    let mut run = Command::new(env!("CARGO_BIN_EXE_rtc-differential"));
    let done = run.args(["run", MATRICES[0], &count, "--jobs", "2", "--matrices"]).output().expect("it starts");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}");
    let executed = text.lines().find_map(|l| l.split_once(" programs, ")?.1.split_once(" builds executed")?.0.parse::<u64>().ok());
    let programs: u64 = count.parse().expect("RTC_MATRIX_PROGRAMS is a number");
    assert!(executed.is_some_and(|n| n >= 2 * programs), "{text}");
    if let Some(why) = Devices::default().open() {
        skip::skip(format!("no Vulkan device: {why}"));
    }
}
