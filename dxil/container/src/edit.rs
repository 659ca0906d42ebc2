//! Editing a container: removes and replaces parts, and updates the digest.

use super::{Container, DigestState, FormatError, FourCc, Part, Signing, write};

impl Container {
    /// Takes out the first part of that name.
    pub fn remove(&mut self, name: FourCc) -> Option<Part> {
        let at = self.parts.iter().position(|p| p.name == name)?;
        Some(self.parts.remove(at))
    }

    /// Puts in a part, in place of the one of that name if there is one. A new part comes last, but before private data, which may
    /// have any size and therefore ends a container.
    pub fn put(&mut self, name: FourCc, data: Vec<u8>) {
        if let Some(p) = self.parts.iter_mut().find(|p| p.name == name) {
            p.data = data;
            return;
        }
        let last = self.parts.len() - usize::from(self.parts.last().is_some_and(|p| p.name == FourCc::PRIV));
        let at = if name == FourCc::PRIV { self.parts.len() } else { last };
        self.parts.insert(at, Part { name, data, offset: 0 });
    }

    /// Replaces the part of that name, or inserts it after the part `previous`, or else as [`Container::put`] does.
    pub fn put_after(&mut self, name: FourCc, data: Vec<u8>, previous: FourCc) {
        let there = self.parts.iter().any(|p| p.name == name);
        match self.parts.iter().position(|p| p.name == previous) {
            Some(at) if !there => self.parts.insert(at + 1, Part { name, data, offset: 0 }),
            _ => self.put(name, data),
        }
    }

    /// How the container is signed when it is written again: as it was, if it was signed at all. A digest that did not match its
    /// content vouches for nothing, and neither does what comes of it.
    pub fn signing(&self) -> Signing {
        match self.digest_state {
            DigestState::Valid => Signing::Digest,
            DigestState::ValidDebug => Signing::DebugDigest,
            DigestState::Preview => Signing::Preview,
            DigestState::Unsigned | DigestState::Mismatch => Signing::Unsigned,
        }
    }

    /// The container with the parts that it has now, signed as it was.
    ///
    /// # Errors
    /// When it would be too large.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let parts: Vec<(FourCc, &[u8])> = self.parts.iter().map(|p| (p.name, p.data.as_slice())).collect();
        write(&parts, self.signing())
    }
}

#[cfg(test)]
mod tests {
    use super::super::digest;
    use super::*;
    use rtc_dxil_testing::corpus;

    #[test]
    fn nothing_changed_is_the_same_file() {
        for (name, data) in corpus::ALL {
            assert_eq!(Container::parse(data).unwrap().write().unwrap(), *data, "{name}");
        }
    }

    #[test]
    fn what_was_signed_is_signed_again() {
        let mut c = Container::parse(corpus::get("rt_basic.Zi.dxil")).unwrap();
        assert!(c.remove(FourCc::ILDB).is_some() && c.remove(FourCc::ILDB).is_none());
        let data = c.write().unwrap();
        assert_eq!(Container::parse(&data).unwrap().digest_state, DigestState::Valid);
        let mut debug = data.clone();
        digest::sign(&mut debug, Signing::DebugDigest);
        let mut c = Container::parse(&debug).unwrap();
        assert_eq!(c.digest_state, DigestState::ValidDebug);
        c.put(FourCc::PRIV, vec![1]);
        assert_eq!(Container::parse(&c.write().unwrap()).unwrap().digest_state, DigestState::ValidDebug);
        let mut wrong = data.clone();
        wrong[9] ^= 1;
        let c = Container::parse(&wrong).unwrap();
        assert_eq!(c.digest_state, DigestState::Mismatch);
        assert_eq!(Container::parse(&c.write().unwrap()).unwrap().digest_state, DigestState::Unsigned);
    }

    #[test]
    fn private_data_stays_last() {
        let mut c = Container::parse(corpus::get("cs_query.dxil")).unwrap();
        c.put(FourCc::PRIV, b"odd".to_vec());
        c.put(FourCc::RTS0, vec![0; 24]);
        c.put(FourCc::PRIV, b"again".to_vec());
        let names: Vec<String> = c.parts.iter().map(|p| p.name.to_string()).collect();
        assert_eq!(names[names.len() - 2..], ["RTS0", "PRIV"]);
        let again = Container::parse(&c.write().unwrap()).unwrap();
        assert_eq!(again.part(FourCc::PRIV).unwrap().data, b"again");
    }
}
