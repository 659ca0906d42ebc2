//! The lit tests as a test program of cargo: `cargo test -p rtc-lit-tests --test lit [FILTER]`.
//!
//! `RTC_LIT_WITH=TEXT` leaves out tests whose files do not have the text. Started with [`ORACLE_FLAG`] it is an oracle instead: that is what `%spirv-val` and its like run.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use rtc_lit_tests::runner::exec::Outcome;
use rtc_lit_tests::runner::tools::ORACLE_FLAG;
use rtc_lit_tests::runner::{Config, TestFile, discover, run_test, stale_warning, test_name};
use rtc_oracles::skip::skip_named;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some((first, rest)) = args.split_first()
        && first == ORACLE_FLAG
    {
        return ExitCode::from(rtc_oracles::cli::run(rest));
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join("tests");
    let (config, files) = match Config::from_environment(root.clone())
        .and_then(|c| Ok((c, discover(&root).map_err(|e| format!("cannot read {}: {e}", root.display()))?)))
    {
        Ok(found) => found,
        Err(e) => {
            eprintln!("error: {e}");
            return ExitCode::FAILURE;
        }
    };
    let arguments = Arguments::from_args();
    if !arguments.list
        && let Some(warning) = here.parent().and_then(|workspace| stale_warning(&config, workspace))
    {
        eprintln!("{warning}");
    }
    let config = Arc::new(config);
    let with = std::env::var("RTC_LIT_WITH").unwrap_or_default();
    let has_text = |found: &TestFile| match found {
        TestFile::Test(file) => std::fs::read(file).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(&with)),
        TestFile::Stray(_) => true,
    };
    let trials = files.into_iter().filter(|found| with.is_empty() || has_text(found)).map(|found| trial(&config, found)).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(config: &Arc<Config>, found: TestFile) -> Trial {
    match found {
        TestFile::Stray(file) => {
            let name = test_name(&config.root, &file);
            let report =
                format!("{name} is not a test, not in a folder `Inputs`, and no test names it as its snapshot (`snapshot %s.expected`)");
            Trial::test(name, move || Err(Failed::from(report)))
        }
        TestFile::Test(file) => {
            let (config, name) = (config.clone(), test_name(&config.root, &file));
            let title = name.clone();
            Trial::ignorable_test(title, move || match run_test(&config, &file) {
                Outcome::Passed => Ok(Completion::Completed),
                Outcome::Failed(report) => Err(Failed::from(report)),
                Outcome::Skipped(why) => {
                    skip_named(&name, &why);
                    Ok(Completion::ignored_with(why))
                }
            })
        }
    }
}
