//! Lists the reorder points of a library with the bytes that are live across each:
//! `cargo run -p rtc --example reorder_points -- library.hlsl`.

use std::error::Error;
use std::fmt::Write as _;

use rtc::report::{Report, ReportKind};
use rtc::{Disk, Options, Profile, Target};

/// One line for each reorder point: the function, the kind of the point, its source location and its live bytes.
///
/// # Errors
/// The source has errors.
pub fn reorder_points(name: &str, source: &[u8]) -> Result<String, Box<dyn Error>> {
    let mut options = Options::new(Profile::parse("lib_6_9")?);
    // Diagnostics and reports only; no code is generated.
    options.target = Target::Check;
    options.reports = vec![ReportKind::Reorder];
    let compilation = rtc::compile(name, source, &mut Disk, &options);
    if compilation.failed() {
        return Err(format!("`{name}` has errors").into());
    }
    let mut out = String::new();
    for report in &compilation.reports {
        let Report::Reorder(report) = report else { continue };
        for function in &report.functions {
            for point in &function.points {
                let line = point.location.as_ref().map_or(0, |l| l.line);
                writeln!(out, "{}: {} in line {line}: {} bytes live", function.name, point.kind, point.after.bytes)?;
            }
        }
    }
    Ok(out)
}

fn main() -> Result<(), Box<dyn Error>> {
    let input = std::env::args().nth(1).ok_or("usage: reorder_points FILE")?;
    print!("{}", reorder_points(&input, &std::fs::read(&input)?)?);
    Ok(())
}
