//! `rtc-run` runs with the Vulkan validation layer in lit tests, where the layer is installed: what it reports fails the test.

use std::path::Path;
use std::process::Command;

/// The variable of the runtime that turns the layer on.
const VARIABLE: &str = "RTC_VK_VALIDATION";

/// Turns the layer on for a command of a test, if it is `rtc-run`, the layer is there, and the environment does not say otherwise.
pub fn watch(program: &str, command: &mut Command) {
    let is_runtime = Path::new(program).file_stem().is_some_and(|name| name == "rtc-run");
    if is_runtime && std::env::var_os(VARIABLE).is_none() && rtc_oracles::vulkan::validation_layer() {
        command.env(VARIABLE, "1");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_runtime_is_watched() {
        let watches = |program: &str| {
            let mut command = Command::new(program);
            watch(program, &mut command);
            command.get_envs().any(|(name, _)| name == VARIABLE)
        };
        let wanted = std::env::var_os(VARIABLE).is_none() && rtc_oracles::vulkan::validation_layer();
        assert_eq!(watches("/bin/rtc-run"), wanted);
        assert!(!watches("/bin/rtc"));
    }
}
