//! What is recomputed of the reference compiler's containers is what is stored in them.

use super::{Recomputed, of_container};
use crate::container::{Container, FourCc, corpus, sfi0};

/// Differences between what is stored and what is recomputed; none if there are none.
#[track_caller]
fn agree(name: &str, bytes: &[u8]) -> Recomputed {
    let container = Container::parse(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
    let again = of_container(&container).unwrap_or_else(|e| panic!("{name}: {e}"));
    let stored = sfi0::read(container.require(FourCc::SFI0).unwrap()).unwrap();
    assert_eq!(again.features(), stored, "{name}: SFI0");
    assert_eq!(again.flags, again.info.flags(), "{name}: flags");
    let part = |cc| container.part(cc).map(|p| p.data.clone());
    if let (Some(mine), Some(theirs)) = (again.rdat_bytes(), part(FourCc::RDAT)) {
        let model = |b: &[u8]| crate::container::rdat::Rdat::read(b).unwrap();
        assert_eq!(model(&mine), model(&theirs), "{name}: RDAT");
        assert!(mine == theirs, "{name}: bytes of RDAT");
    }
    assert_eq!(again.psv.as_ref().map(|p| p.write()), part(FourCc::PSV0), "{name}: PSV0");
    again
}

#[test]
fn references_agree() {
    for (name, bytes) in corpus::ALL {
        agree(name, bytes);
    }
}
