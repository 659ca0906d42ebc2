//! A coherence profile as data, for programs that draw it.

use std::path::Path;

use serde_json::{Value, json};

use super::pays::LiveState;
use super::report::{Means, Report, Row};

impl Report {
    /// Its points, and the picture that its heat map is in: `{ "size", "max", "map", "points": [{ "op", "shader", "file", "line", "times", "lanes",
    /// "before", "after", "parts", "live_bytes", "verdict" }], "parts_at_end" }`. `max` is the number of targets that the brightest colour stands for; `before` and
    /// `after` have `waves`, `groups`, `hints`, `occupancy`, `work`.
    pub fn json(&self, live: &[LiveState], map: Option<&Path>) -> Value {
        let points: Vec<Value> = self.rows.iter().map(|r| r.json(live)).collect();
        json!({ "size": self.size, "max": self.max(), "map": map, "points": points, "parts_at_end": self.parts_at_end })
    }
}

impl Row {
    fn json(&self, live: &[LiveState]) -> Value {
        let estimate = self.estimate(live);
        json!({
            "op": self.op.replace("HitObject_", "HitObject::"), "shader": self.shader,
            "file": self.place.as_ref().map(|p| &p.0), "line": self.place.as_ref().map(|p| p.1),
            "times": self.times, "lanes": self.width, "before": self.before.json(), "after": self.after.json(), "parts": self.parts,
            "live_bytes": estimate.and_then(|e| e.1), "verdict": estimate.map(|e| e.0.verdict()),
        })
    }
}

impl Means {
    fn json(&self) -> Value {
        json!({ "waves": self.waves, "groups": self.groups, "hints": self.hints, "occupancy": self.occupancy, "work": self.work })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_has_its_place_and_its_verdict() {
        let means = |groups, work| Means { waves: 2, groups, hints: 1.0, occupancy: 0.5, work };
        let row = |place| Row {
            op: "HitObject_Invoke",
            shader: "Main".into(),
            place,
            times: 64,
            width: 32,
            before: means(3.0, 8000.0),
            after: means(1.5, 2000.0),
            parts: 1.75,
        };
        let rows = vec![row(Some(("a.hlsl".into(), 7))), row(None)];
        let report = Report { size: [8, 8, 1], rows, map: vec![0.0, 4.0], parts_at_end: 2.5 };
        let live = [LiveState { file: "a.hlsl".into(), line: 7, bytes: 48 }];
        let out = report.json(&live, Some("heat.png".as_ref()));
        assert_eq!((&out["map"], &out["max"], &out["size"]), (&json!("heat.png"), &json!(4.0), &json!([8, 8, 1])));
        let [first, second] = out["points"].as_array().expect("points").as_slice() else { panic!("{out}") };
        assert_eq!((&first["op"], &first["file"], &first["line"]), (&json!("HitObject::Invoke"), &json!("a.hlsl"), &json!(7)));
        assert_eq!((&first["before"]["groups"], &first["after"]["groups"], &first["live_bytes"]), (&json!(3.0), &json!(1.5), &json!(48)));
        assert_eq!((&first["parts"], &out["parts_at_end"]), (&json!(1.75), &json!(2.5)));
        assert!(first["verdict"].as_str().is_some_and(|v| v.starts_with("pays")), "{first}");
        assert_eq!((&second["file"], &second["line"], &second["live_bytes"]), (&Value::Null, &Value::Null, &Value::Null));
        assert_eq!(report.json(&[], None)["map"], Value::Null);
    }
}
