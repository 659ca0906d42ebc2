//! A number that identifies options, for caches of compiled shaders.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::options::Options;

/// A hash of options. It is the same on every system and in every process, and changes with any option, and with the set of options of a
/// version of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint(pub [u8; 32]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl Options {
    /// The fingerprint of these options: SHA-256 of their JSON, whose members are in the order of declaration.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = Sha256::new();
        // Options are strings, numbers and lists of them, which JSON has.
        hash.update(serde_json::to_vec(self).unwrap_or_default());
        Fingerprint(hash.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Profile, Target};

    #[test]
    fn options_survive_json_and_have_stable_fingerprints() {
        let mut o = Options::new(Profile::parse("lib_6_6").unwrap());
        // A new option changes this number; nothing else may.
        let before = o.fingerprint();
        assert_eq!(before, o.clone().fingerprint());
        assert_eq!(before.to_string().len(), 64);
        o.target = Target::Spirv;
        o.spirv.environment = rtc_spirv::Environment::named("vulkan1.3");
        o.defines.push(rtc_frontend::preprocess::Define::parse("A=1"));
        o.root_signature = Some(vec![1, 2, 3]);
        o.spirv.shifts.list.push((rtc_tables::resources::ResourceClass::Srv, 10, None));
        assert_ne!(before, o.fingerprint());
        let json = serde_json::to_string(&o).expect("options are JSON");
        let again: Options = serde_json::from_str(&json).expect("JSON is options");
        assert_eq!((&again, again.fingerprint()), (&o, o.fingerprint()));
        let unknown = json.replace("vulkan1.3", "vulkan9");
        assert!(serde_json::from_str::<Options>(&unknown).is_err());
    }
}
