//! What devices do that no property of Vulkan says, measured: a row for each driver.
//!
//! The rows are used by `rtc device-info`, by limits of dispatches, and by the choice of a package's form. `docs/devices.md` shows them.

/// What was measured of a driver's devices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceFacts {
    /// `VkDriverId`.
    pub driver: u32,
    /// Its name.
    pub name: &'static str,
    /// Where it was measured.
    pub measured: &'static str,
    /// The part of a launch that a wave is: lanes along x and y.
    pub wave: [u32; 2],
    /// The lanes of a wave of a launch of one column, and of one row of less than 200, where that was measured.
    pub narrow: [Option<u32>; 2],
    /// The deepest launch that runs as many rays as it has; a deeper one is taken modulo the next number, without an error. None: what the limits say.
    pub max_depth: Option<u32>,
    /// Whether a wave stays split to the end of the shader after a trace or a call that only some of its lanes execute.
    pub splits_waves: bool,
    /// Which hit shaders of one wave run together.
    pub together: &'static str,
    /// What its hint about reordering says, where it has hit objects.
    pub reordering: &'static str,
}

/// All rows.
pub const DEVICES: &[DeviceFacts] = &[
    DeviceFacts {
        driver: 4,
        name: "NVIDIA",
        measured: "H200, driver 580.159.04, November 2026",
        wave: [4, 8],
        narrow: [None, Some(16)],
        max_depth: Some(0xffff),
        splits_waves: true,
        together: "those of one shader, also of several records, groups and instances, and from several traces",
        reordering: "hit objects of the NV extension; the hint says that no thread moves, and none does",
    },
    DeviceFacts {
        driver: 13,
        name: "lavapipe",
        measured: "Mesa 25.0.7, November 2026",
        wave: [8, 1],
        narrow: [Some(1), Some(8)],
        max_depth: None,
        splits_waves: false,
        together: "those of one group; groups that name one shader run apart",
        reordering: "no hit objects",
    },
];

/// The row of a driver by its `VkDriverId`.
pub fn of_driver(driver: u32) -> Option<&'static DeviceFacts> {
    DEVICES.iter().find(|d| d.driver == driver)
}

impl DeviceFacts {
    /// The facts in words, each with what it is about.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let lanes = |n: Option<u32>| match n {
            None => "not measured".to_owned(),
            Some(1) => "waves of 1 lane".to_owned(),
            Some(n) => format!("waves of {n} lanes"),
        };
        let depth = |n: u32| format!("{n} at most; a deeper launch runs fewer rays, without an error");
        let splits = if self.splits_waves { "they stay split to the end of the shader" } else { "they join" };
        vec![
            ("measured on", self.measured.to_owned()),
            ("waves", format!("tiles of {} x {}", self.wave[0], self.wave[1])),
            ("launches of one column", lanes(self.narrow[0])),
            ("launches of one row of less than 200", lanes(self.narrow[1])),
            ("depth of launches", self.max_depth.map_or("as the limits say".to_owned(), depth)),
            ("waves after a divergent trace or call", splits.to_owned()),
            ("hit shaders that run together", self.together.to_owned()),
            ("reordering", self.reordering.to_owned()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_have_one_row_each() {
        for d in DEVICES {
            assert_eq!(of_driver(d.driver), Some(d));
            assert!(d.narrow.into_iter().flatten().all(|n| n <= d.wave[0] * d.wave[1]), "{}", d.name);
        }
        assert_eq!(of_driver(0), None);
    }
}
