//! The versions of the reference compiler, dxc, that this compiler is compared with.

/// A version of the reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// Its version.
    pub version: &'static str,
    /// The commit that it was built from; empty if it does not say.
    pub commit: &'static str,
    /// What is compared with it.
    pub compared: &'static str,
}

/// The versions, the newest first.
#[rustfmt::skip]
pub const REFERENCES: &[Reference] = &[
    Reference { version: "1.9.0.15466", commit: "9a3e225d", compared: "containers, listings, SPIR-V, diagnostics, shader models to 6.10" },
    Reference { version: "1.7", commit: "", compared: "validation and values of programs, in every test run" },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_containers_in_the_repository_are_of_the_newest() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/facts/reference/rt_basic.dxil");
        let bytes = std::fs::read(path).expect("it is there");
        let newest = REFERENCES[0];
        for text in [newest.version, newest.commit] {
            assert!(bytes.windows(text.len()).any(|w| w == text.as_bytes()), "{text}");
        }
    }
}
