//! Random libraries about payloads with fixed seeds, in all forms that the CPU device executes, against the model of the specification's rules:
//! every row of its tables is met. `rtc-differential payloads` runs many more.

use std::process::Command;

use rtc_differential::devices::Devices;
use rtc_differential::payloads::forms::FORMS;
use rtc_differential::payloads::{Chosen, forms_of, generate};
use rtc_oracles::skip;

/// The first seed, and how many there are.
const SEEDS: [u64; 2] = [1_000_500, 100];

#[test]
fn payloads_hold_what_the_specification_says() {
    if !Devices::has_cpu() {
        return skip::skip("built without the CPU device: nothing was executed");
    }
    let [first, count] = SEEDS.map(|n| n.to_string());
    let done = Command::new(env!("CARGO_BIN_EXE_rtc-differential"))
        .args(["payloads", &first, &count, "--cpu", "--jobs", "2"])
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}{}", String::from_utf8_lossy(&done.stderr));
    let builds: usize = (SEEDS[0]..SEEDS[0] + SEEDS[1]).map(|seed| forms_of(&generate::random(seed), Chosen::Cpu).len()).sum();
    assert!(text.contains(&format!("{count} programs, {builds} builds executed")), "{text}");
    assert!(text.contains("\n0 of "), "all rows of the specification are met: {text}");
}

#[test]
fn every_form_of_the_cpu_device_has_programs() {
    let programs: Vec<_> = (SEEDS[0]..SEEDS[0] + SEEDS[1]).map(generate::random).collect();
    for form in FORMS.iter().filter(|f| f.is_on_cpu()) {
        assert!(programs.iter().any(|p| form.fits(p)), "{}", form.name);
    }
}
