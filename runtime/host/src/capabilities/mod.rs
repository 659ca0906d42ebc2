//! What the devices of this machine can do: a record for each, with an entry for every operation of Direct3D 12's ray tracing and
//! what is missing where it is not there.

mod devices;
mod rows;

pub use devices::devices;
use rows::Operation;
use serde_json::{Value, json};
use std::fmt;

/// One operation on one device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capability {
    /// The row of the mapping from Direct3D 12 to Vulkan, `M01`.
    pub row: &'static str,
    /// What Direct3D 12 calls it.
    pub operation: &'static str,
    /// What the device lacks, in words; none: the device has it.
    pub missing: Option<String>,
}

/// A device: what it is called, whether shaders run on it, and what it can do.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeviceRecord {
    /// What `--device` calls it: a number, or `cpu`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its API in words.
    pub api: String,
    /// Driver name and version.
    pub driver: String,
    /// Why no ray-tracing program runs on it; empty: it is usable.
    pub reasons: Vec<String>,
    /// Limits by name.
    pub limits: Vec<(&'static str, u64)>,
    /// What was measured of its driver, with what each is about ([`rtc_tables::devices`]).
    pub facts: Vec<(&'static str, String)>,
    /// Operations, in the order of the mapping.
    pub capabilities: Vec<Capability>,
    /// Features that the runtime uses: name, extension (empty: core), whether it is there.
    pub features: Vec<(&'static str, &'static str, bool)>,
}

impl DeviceRecord {
    /// The record as JSON.
    pub fn json(&self) -> Value {
        let limits: serde_json::Map<String, Value> = self.limits.iter().map(|(name, n)| ((*name).to_string(), Value::from(*n))).collect();
        let capability = |c: &Capability| match &c.missing {
            None => json!({ "row": c.row, "operation": c.operation, "supported": true }),
            Some(why) => json!({ "row": c.row, "operation": c.operation, "supported": false, "missing": why }),
        };
        let feature = |f: &(&str, &str, bool)| json!({ "name": f.0, "extension": f.1, "supported": f.2 });
        json!({
            "id": self.id,
            "name": self.name,
            "api": self.api,
            "driver": self.driver,
            "usable": self.reasons.is_empty(),
            "reasons": self.reasons,
            "limits": limits,
            "facts": self.facts.iter().map(|(about, text)| json!({ "about": about, "text": text })).collect::<Vec<_>>(),
            "capabilities": self.capabilities.iter().map(capability).collect::<Vec<_>>(),
            "features": self.features.iter().map(feature).collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for DeviceRecord {
    /// Lines for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.reasons.is_empty() { "usable".to_string() } else { self.reasons.join("; ") };
        writeln!(f, "{}: {}: {verdict}", self.id, self.name)?;
        let known = [&self.api, &self.driver].into_iter().filter(|s| !s.is_empty()).map(String::as_str).collect::<Vec<_>>();
        writeln!(f, "    {}", known.join(", "))?;
        for (name, n) in &self.limits {
            writeln!(f, "    {name} {n}")?;
        }
        for (about, text) in &self.facts {
            writeln!(f, "    {about}: {text}")?;
        }
        for c in &self.capabilities {
            match &c.missing {
                None => writeln!(f, "    yes {} {}", c.row, c.operation)?,
                Some(why) => writeln!(f, "    no  {} {}: {why}", c.row, c.operation)?,
            }
        }
        let absent: Vec<&str> = self.features.iter().filter(|f| !f.2).map(|f| f.0).collect();
        if !absent.is_empty() {
            writeln!(f, "    features that the runtime would use and that are missing: {}", absent.join(", "))?;
        }
        Ok(())
    }
}

fn capability(o: &Operation, missing: Option<String>) -> Capability {
    Capability { row: o.row, operation: o.name, missing }
}

/// What a Vulkan device can do that has these extensions and features, each feature with the extension that has it.
#[cfg(feature = "vulkan")]
pub(crate) fn of_vulkan(extension: impl Fn(&str) -> bool, mut feature: impl FnMut(&str, &str) -> bool) -> Vec<Capability> {
    let mut missing = |o: &Operation| {
        if o.vulkan.is_empty() {
            return Some("Vulkan has no such thing".to_string());
        }
        // The shortest list of what is missing: an extension is named instead of its features.
        let mut lacks = |choice: &[(&'static str, &'static str)]| -> Vec<String> {
            let mut out = Vec::new();
            for (name, of) in choice {
                if !name.is_empty() && !extension(name) {
                    out.push((*name).to_string());
                } else if !of.is_empty() && !feature(name, of) {
                    out.push(format!("feature {of}"));
                }
            }
            out.dedup();
            out
        };
        let choices: Vec<Vec<String>> = o.vulkan.iter().map(|choice| lacks(choice)).collect();
        if choices.iter().any(Vec::is_empty) {
            return None;
        }
        let choices: Vec<String> = choices.into_iter().map(|w| w.join(" and ")).collect();
        Some(format!("{} is missing", choices.join(" or ")))
    };
    rows::OPERATIONS.iter().map(|o| capability(o, missing(o))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_mapping_once() {
        let rows: Vec<String> = rows::OPERATIONS.iter().map(|o| o.row.to_string()).collect();
        let expected: Vec<String> = (1..=28).flat_map(|n| vec![format!("M{n:02}"); if n == 28 { 2 } else { 1 }]).collect();
        assert_eq!(rows, expected);
    }

    #[cfg(feature = "vulkan")]
    #[test]
    fn what_is_missing_is_named() {
        let of = |row: &str, list: &[Capability]| list.iter().find(|c| c.row == row).and_then(|c| c.missing.clone());
        let all = of_vulkan(|_| true, |_, _| true);
        assert!(all.iter().all(|c| c.missing.is_none() || c.row == "M22"), "{all:?}");
        let none = of_vulkan(|_| false, |_, _| false);
        assert_eq!(of("M01", &none).as_deref(), Some("VK_KHR_ray_tracing_pipeline is missing"));
        assert_eq!(of("M24", &of_vulkan(|_| true, |_, f| f != "rayQuery")).as_deref(), Some("feature rayQuery is missing"));
        let either = "VK_EXT_ray_tracing_invocation_reorder or VK_NV_ray_tracing_invocation_reorder is missing";
        assert_eq!(of("M25", &none).as_deref(), Some(either));
        assert_eq!(of("M25", &of_vulkan(|e| e.starts_with("VK_NV"), |_, _| true)), None);
    }

    #[test]
    fn text_and_json_agree() {
        let list = devices();
        let cpu = list.last().expect("the CPU device");
        assert_eq!(cpu.id, "cpu");
        let json = cpu.json();
        let rows = json["capabilities"].as_array().expect("a list");
        assert_eq!(rows.len(), cpu.to_string().lines().filter(|l| l.starts_with("    yes M") || l.starts_with("    no  M")).count());
        assert_eq!(json["usable"], cfg!(feature = "cpu"));
    }
}
