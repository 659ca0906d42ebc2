//! `rtc run` that is killed takes this program with it: no signal tells a child that its parent is gone.

/// Ends this program soon after `rtc`, if that started it: the environment variable `RTC_PARENT` has the number of its process.
#[cfg(unix)]
pub fn follow() {
    use std::os::unix::process::parent_id;
    /// How long it may be left alone.
    const INTERVAL: std::time::Duration = std::time::Duration::from_millis(100);
    let parent = parent_id();
    let named = std::env::var("RTC_PARENT").ok().and_then(|n| n.parse().ok());
    // A wrapper between both, or a variable that was inherited from elsewhere, is another process.
    if named != Some(parent) {
        return;
    }
    std::thread::spawn(move || {
        // A process whose parent ends gets another one.
        while parent_id() == parent {
            std::thread::sleep(INTERVAL);
        }
        std::process::exit(1);
    });
}

/// Windows does not tell when a parent ends, but removes a file that it holds: the environment variable `RTC_PARENT` has its path.
#[cfg(windows)]
pub fn follow() {
    /// How long it may be left alone.
    const INTERVAL: std::time::Duration = std::time::Duration::from_millis(100);
    let Some(sign) = std::env::var_os("RTC_PARENT").map(std::path::PathBuf::from).filter(|p| p.exists()) else { return };
    std::thread::spawn(move || {
        while sign.exists() {
            std::thread::sleep(INTERVAL);
        }
        std::process::exit(1);
    });
}

/// Other systems do not tell which process is the parent.
#[cfg(not(any(unix, windows)))]
pub fn follow() {}
