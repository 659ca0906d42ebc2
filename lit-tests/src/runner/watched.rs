//! Which tests `rtc-run` runs with the Vulkan validation layer: all, where the layer is installed, but those of a list.

use std::path::Path;
use std::process::Command;

/// The variable of the runtime that turns the layer on.
const VARIABLE: &str = "RTC_VK_VALIDATION";

const POINT_SIZE: &str =
    "the pipeline draws points or has a geometry shader, and no shader writes a point size; the layer does not know maintenance5";
const LANES: &str = "vertex shaders use quad or wave operations, which the device does not list for them";

/// Tests about which the layer reports something, with the reason.
#[rustfmt::skip]
const NOT_SILENT: &[(&str, &str)] = &[
    ("run/graphics/first_vertex.hlsl",         POINT_SIZE),
    ("run/graphics/geometry_adjacency.hlsl",   POINT_SIZE),
    ("run/graphics/geometry_streams.hlsl",     POINT_SIZE),
    ("run/graphics/helper_lanes.hlsl",         LANES),
    ("run/graphics/quad_votes.hlsl",           LANES),
    ("run/graphics/quads.hlsl",                LANES),
    ("run/graphics/query_geometry.hlsl",       POINT_SIZE),
    ("run/graphics/query_vertex.hlsl",         POINT_SIZE),
    // Besides, its geometry shader has more output components than lavapipe says to take (VUID-RuntimeSpirv-Location-06272).
    ("run/graphics/struct_arrays.hlsl",        POINT_SIZE),
    ("run/graphics/tessellation_points.hlsl",  POINT_SIZE),
    ("run/graphics/vertex_formats.hlsl",       POINT_SIZE),
    ("run/graphics/vertex_ids_from_zero.hlsl", POINT_SIZE),
    ("run/graphics/waves.hlsl",                LANES),
];

/// Whether the layer watches a test.
pub fn watched(test: &str) -> bool {
    NOT_SILENT.iter().all(|(name, _)| *name != test) && rtc_oracles::vulkan::validation_layer()
}

/// Turns the layer on for a command of a test, if it is `rtc-run` and the environment does not say otherwise.
pub fn watch(program: &str, command: &mut Command) {
    if Path::new(program).file_stem().is_some_and(|name| name == "rtc-run") && std::env::var_os(VARIABLE).is_none() {
        command.env(VARIABLE, "1");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_names_tests() {
        for (name, reason) in NOT_SILENT {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name).is_file(), "{name}");
            assert!(!reason.is_empty() && !watched(name));
        }
    }

    #[test]
    fn only_the_runtime_is_watched() {
        let watches = |program: &str| {
            let mut command = Command::new(program);
            watch(program, &mut command);
            command.get_envs().any(|(name, _)| name == VARIABLE)
        };
        assert_eq!(watches("/bin/rtc-run"), std::env::var_os(VARIABLE).is_none());
        assert!(!watches("/bin/rtc"));
    }
}
