//! The scene of a model: what results of a run become, whatever they say.

use rtc_explore::{ResultFiles, Scene, SceneState};
use serde_json::{Value, json};

struct Two;

impl ResultFiles for Two {
    fn place(&mut self, file: &str, line: u32) -> Option<[u32; 2]> {
        let index = ["a b.hlsl", "inc/c.hlsli"].iter().position(|name| *name == file)?;
        (1..=20).contains(&line).then_some([index as u32, line])
    }

    fn read(&mut self, file: &str) -> Result<Vec<u8>, String> {
        match file {
            "out/big.png" => Ok(vec![0; (8 << 20) + 1]),
            "out/none.png" => Err("cannot read it".into()),
            _ => Ok(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x40\0\0\0\xf0".to_vec()),
        }
    }
}

#[test]
fn results_become_a_scene() {
    let point = json!({
        "op": "TraceRay", "shader": "Main", "file": "inc/c.hlsli", "line": 7, "times": 64, "lanes": 32,
        "before": { "groups": 3.5, "hints": 1.0, "occupancy": 1.0 }, "after": { "groups": 1.25 }, "verdict": "pays",
    });
    let scene = Scene::of_results(
        &json!({
            "scene": "scene.toml", "error": null, "warnings": ["w"],
            "outputs": ["out/x.png", "out/rays.json", "out/heat.png", "out/big.png", "out/none.png"],
            "profiles": [{ "size": [320, 240, 1], "max": 4.0, "map": "out/heat.png", "points": [point, {}] }],
            "findings": [{ "kind": "bounds", "file": "a b.hlsl", "line": 3, "shader": "Main", "op": "bufferLoad", "thread": [1, 2, 0],
                "message": "beyond", "times": 5 }, { "file": "other.hlsl", "line": 1 }],
            "checks": { "made": 4, "failed": 1, "failures": ["line 3: 1, expected 2"] },
        }),
        &mut Two,
    );
    assert_eq!((scene.state, scene.name.as_deref()), (SceneState::Done, Some("scene.toml")));
    let names: Vec<_> = scene.pictures.iter().map(|p| (p.name.as_str(), p.size, p.data.is_some(), p.missing.is_some())).collect();
    assert_eq!(names, [("x.png", [320, 240], true, false), ("big.png", [0, 0], false, true), ("none.png", [0, 0], false, true)]);
    let profile = &scene.profiles[0];
    assert_eq!(profile.map.as_ref().map(|m| m.size), Some([320, 240]));
    assert_eq!((profile.points[0].at, profile.points[0].groups, profile.points[1].at), (Some([1, 7]), [3.5, 1.25], None));
    assert_eq!((scene.findings[0].at, scene.findings[0].thread, scene.findings[1].at), (Some([0, 3]), Some([1, 2, 0]), None));
    assert_eq!(scene.checks.as_deref(), Some("1 of 4 checks failed: line 3: 1, expected 2"));
}

#[test]
fn an_error_is_linked_with_the_places_that_it_names() {
    let why = "`Main`, thread (0, 0, 0): exceeded the budget\n  note: in TraceRay at inc/c.hlsli:12:5\n  note: at a b.hlsl:2\n  note: x:1 y.hlsl:3";
    let scene = Scene::of_results(&json!({ "scene": "s.toml", "error": why }), &mut Two);
    assert_eq!((scene.state, scene.why.as_deref()), (SceneState::Failed, Some(why)));
    let places: Vec<_> = scene.findings.iter().map(|f| f.at).collect();
    assert_eq!(places, [Some([1, 12]), Some([0, 2])]);
}

#[test]
fn a_source_without_a_scene_has_none() {
    let scene = Scene::of_results(&json!({ "scene": null, "error": "a.hlsl: names no scene" }), &mut Two);
    assert_eq!(scene.state, SceneState::Absent);
    // What is no result of `rtc run` is an empty one.
    for odd in [Value::Null, json!([]), json!({ "profiles": 3, "outputs": { "a": 1 }, "findings": [null, 4], "checks": "x" })] {
        let scene = Scene::of_results(&odd, &mut Two);
        assert!(scene.pictures.is_empty() && scene.profiles.is_empty(), "{odd}");
    }
}
