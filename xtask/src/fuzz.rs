//! `cargo xtask fuzz`: runs the fuzz targets of the folder `fuzz/` with cargo-fuzz.

use rtc_oracles::artefacts::workspace_root;

use crate::plan;

/// How long each target runs unless the command line says otherwise, in seconds.
const SECONDS: u32 = 60;

/// The toolchain that cargo-fuzz needs.
const TOOLCHAIN: &str = "+nightly";

/// Runs the targets that the arguments name: a target, seconds, both or neither.
///
/// # Errors
/// When there are no targets, cargo-fuzz is missing, or a target finds something.
pub fn run(args: &[&str]) -> Result<(), String> {
    let (target, seconds) = arguments(args)?;
    let dir = workspace_root().join("fuzz");
    if !dir.join("Cargo.toml").is_file() {
        return Err(format!("there are no fuzz targets: no {}", dir.join("Cargo.toml").display()));
    }
    let list = plan::rustup_cargo().args([TOOLCHAIN, "fuzz", "list"]).output();
    let list = list.map_err(|e| format!("cannot start cargo: {e}"))?;
    if !list.status.success() {
        return Err(format!(
            "cargo-fuzz does not run: install it with `cargo install cargo-fuzz` and `rustup toolchain install nightly`\n{}",
            String::from_utf8_lossy(&list.stderr).trim()
        ));
    }
    let all = String::from_utf8_lossy(&list.stdout).into_owned();
    let targets: Vec<&str> = all.lines().map(str::trim).filter(|t| target.is_none_or(|wanted| wanted == *t)).collect();
    if targets.is_empty() {
        return Err(format!("there is no such target; there are: {}", all.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    for target in targets {
        println!("fuzzing {target} for {seconds} s");
        let time = format!("-max_total_time={seconds}");
        plan::run_cargo(plan::rustup_cargo().args([TOOLCHAIN, "fuzz", "run", target, "--", &time]))?;
    }
    Ok(())
}

fn arguments<'a>(args: &[&'a str]) -> Result<(Option<&'a str>, u32), String> {
    match args {
        [] => Ok((None, SECONDS)),
        [one] => Ok(one.parse().map_or((Some(*one), SECONDS), |seconds| (None, seconds))),
        [target, seconds] => {
            let seconds = seconds.parse().map_err(|_| format!("`{seconds}` is not a number of seconds"))?;
            Ok((Some(*target), seconds))
        }
        _ => Err("`fuzz` takes a target and a number of seconds".to_string()),
    }
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn reads_arguments_in_either_form() {
        assert_eq!(arguments(&[]), Ok((None, SECONDS)));
        assert_eq!(arguments(&["5"]), Ok((None, 5)));
        assert_eq!(arguments(&["parser"]), Ok((Some("parser"), SECONDS)));
        assert_eq!(arguments(&["parser", "5"]), Ok((Some("parser"), 5)));
        assert!(arguments(&["parser", "x"]).is_err());
        assert!(arguments(&["a", "1", "2"]).is_err());
    }
}
