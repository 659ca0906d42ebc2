//! Time and memory: of one run of a program, from `wait4`, and of this process and its threads. For benchmarks.

use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// From start to end.
    pub wall: Duration,
    /// Time of processors, in the program and in the kernel for it.
    pub cpu: Duration,
    /// Most memory that it held at once, in bytes.
    pub peak: u64,
    /// Whether it ended with status 0.
    pub success: bool,
}

/// `struct rusage` of 64-bit Linux: two times, the peak in kilobytes, and thirteen unused counters.
#[repr(C)]
#[derive(Default)]
struct Usage {
    user: [i64; 2],
    system: [i64; 2],
    max_rss: i64,
    rest: [i64; 13],
}

unsafe extern "C" {
    fn wait4(pid: i32, status: *mut i32, options: i32, usage: *mut Usage) -> i32;
}

/// Runs a program to its end.
///
/// # Errors
/// When it cannot be started or waited for.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub fn run(command: &mut Command) -> std::io::Result<Cost> {
    let start = Instant::now();
    let child = command.spawn()?;
    let pid = i32::try_from(child.id()).map_err(std::io::Error::other)?;
    let mut usage = Usage::default();
    let mut status = 0;
    loop {
        // SAFETY: the signature is that of the C library on 64-bit Linux, both pointers are to live variables of the types
        // that it fills, and the child is waited for nowhere else: `child` is dropped without.
        let got = unsafe { wait4(pid, &mut status, 0, &mut usage) };
        if got == pid {
            break;
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let time = |t: [i64; 2]| Duration::from_micros((t[0] * 1_000_000 + t[1]).unsigned_abs());
    Ok(Cost {
        wall: start.elapsed(),
        cpu: time(usage.user) + time(usage.system),
        peak: usage.max_rss.unsigned_abs() * 1024,
        success: status == 0,
    })
}

/// Runs a program to its end; this system does not tell its memory.
///
/// # Errors
/// When it cannot be started or waited for.
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
pub fn run(command: &mut Command) -> std::io::Result<Cost> {
    let start = Instant::now();
    let status = command.status()?;
    let wall = start.elapsed();
    Ok(Cost { wall, cpu: wall, peak: 0, success: status.success() })
}

/// What this thread has had of the processor, where the system tells; else the time since the first call.
pub fn spent() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = *START.get_or_init(Instant::now);
    let own = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = own.and_then(|s| s.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// The memory that this process holds now, and the most that it has held, in bytes; nothing where the system does not tell.
pub fn memory() -> Option<(u64, u64)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = |name: &str| status.lines().find_map(|l| l.strip_prefix(name)?.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    Some((kilobytes("VmRSS:")? << 10, kilobytes("VmHWM:")? << 10))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_time_and_memory() {
        let (before, (now, most)) = (spent(), memory().expect("Linux tells"));
        assert!(now > 100_000 && most >= now, "{now} {most}");
        std::hint::black_box((0..2_000_000u64).map(|n| n.wrapping_mul(n)).fold(0, u64::wrapping_add));
        assert!(spent() >= before);
    }

    #[test]
    fn a_program_has_a_cost() {
        let mut shell = Command::new("sh");
        let cost = run(shell.args(["-c", "exit 0"])).expect("sh starts");
        assert!(cost.success && cost.peak > 100_000 && cost.wall > Duration::ZERO, "{cost:?}");
        let mut shell = Command::new("sh");
        assert!(!run(shell.args(["-c", "exit 3"])).expect("sh starts").success);
    }
}
