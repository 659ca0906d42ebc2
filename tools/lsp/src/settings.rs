//! Settings of the client: `initializationOptions`, and the section `rtc` of its configuration.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a client may set. Everything has a default, and what it does not know is ignored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Settings {
    /// The arguments for sources that no description names, in the dialect of dxc: `["-T", "lib_6_9"]`.
    pub arguments: Vec<String>,
    /// The program that formats; empty: none.
    pub clang_format: String,
    /// Whether open sources are compiled once they are free of errors: for the warnings of later stages, the hints and the lenses.
    pub compile: bool,
    /// How long after a change that begins, in milliseconds.
    pub compile_delay: u64,
    /// Whether there are inlay hints.
    pub inlay_hints: bool,
    /// Whether there are code lenses.
    pub code_lenses: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            arguments: vec!["-T".into(), "lib_6_9".into()],
            clang_format: "clang-format".into(),
            compile: true,
            compile_delay: 300,
            inlay_hints: true,
            code_lenses: true,
        }
    }
}

/// The names of the settings.
const NAMES: [&str; 6] = ["arguments", "clangFormat", "compile", "compileDelay", "inlayHints", "codeLenses"];

impl Settings {
    /// Whether a client's configuration has settings of this server. Clients send empty ones, too, which change nothing.
    pub fn are_in(value: &Value) -> bool {
        let own = value.get("rtc").unwrap_or(value);
        own.as_object().is_some_and(|o| o.keys().any(|k| NAMES.contains(&k.as_str())))
    }

    /// These settings with those of a client's configuration, which may be in a member `rtc`, in their place.
    ///
    /// # Errors
    /// A value has another type; the message names it.
    pub fn with(&self, value: &Value) -> Result<Settings, String> {
        let own = value.get("rtc").unwrap_or(value);
        let error = |e: serde_json::Error| format!("settings of rtc: {e}");
        let mut all = serde_json::to_value(self).map_err(error)?;
        for (name, new) in own.as_object().into_iter().flatten().filter(|(name, _)| NAMES.contains(&name.as_str())) {
            all[name.as_str()] = new.clone();
        }
        serde_json::from_value(all).map_err(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_have_defaults() {
        let read = |value: &Value| Settings::default().with(value);
        assert_eq!(read(&Value::Null), Ok(Settings::default()));
        assert_eq!(read(&json!({ "other": 1 })), Ok(Settings::default()));
        let read = Settings::default().with(&json!({ "rtc": { "arguments": ["-T", "cs_6_6"], "compileDelay": 5 } })).unwrap();
        assert_eq!((read.arguments[1].as_str(), read.compile_delay, read.compile), ("cs_6_6", 5, true));
        assert!(Settings::are_in(&json!({ "rtc": { "compile": true } })) && Settings::are_in(&json!({ "arguments": [] })));
        assert!(![Value::Null, json!({}), json!({ "rtc": null }), json!({ "other": 1 }), json!([])].iter().any(Settings::are_in));
        let kept = read.with(&json!({ "codeLenses": false })).unwrap();
        assert_eq!((kept.compile_delay, kept.code_lenses), (5, false), "what a configuration does not name stays");
        let error = Settings::default().with(&json!({ "compile": "yes" })).unwrap_err();
        assert!(error.contains("invalid type: string \"yes\", expected a boolean"), "{error}");
    }
}
