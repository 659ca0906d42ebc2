//! `rtc --version`: what identifies this build, and which versions of the reference it is compared with.

use rtc::reference::REFERENCES;

/// The commit, which `cargo xtask dist` passes on.
const COMMIT: Option<&str> = option_env!("RTC_COMMIT");

/// The cargo features that programs may be built without, and whether this one has them.
const FEATURES: [(&str, bool); 5] = [
    ("run", cfg!(feature = "run")),
    ("cpu", cfg!(feature = "cpu")),
    ("window", cfg!(feature = "window")),
    ("lsp", cfg!(feature = "lsp")),
    ("remote", cfg!(feature = "remote")),
];

/// The text. Its first line is the name and the version, as programs read it.
pub fn text() -> String {
    let commit = COMMIT.map_or_else(|| "a build without a commit".to_owned(), |c| format!("commit {c}"));
    let features: Vec<&str> = FEATURES.iter().filter(|f| f.1).map(|f| f.0).collect();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(", ") };
    let mut text = format!("rtc {} ({commit})\nfor {}, with the features: {features}\n", env!("CARGO_PKG_VERSION"), env!("RTC_TARGET"));
    for r in REFERENCES {
        let built = if r.commit.is_empty() { String::new() } else { format!(" ({})", r.commit) };
        text.push_str(&format!("compared with dxc {}{built}: {}\n", r.version, r.compared));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_names_the_build_and_the_references() {
        let text = text();
        assert!(text.starts_with(concat!("rtc ", env!("CARGO_PKG_VERSION"), " (")), "{text}");
        for part in [env!("RTC_TARGET"), REFERENCES[0].version, REFERENCES[0].commit, REFERENCES[1].version] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
