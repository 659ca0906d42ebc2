//! How the container of a result is signed, whether it has reflection, and what has tables that it cannot have.

use crate::library::Library;
use crate::{Input, Linked, Options, Target, link, resolve};
use rtc_dxil_container::{Container, FourCc, ShaderKind, Version};
use rtc_dxil_testing::corpus;
use rtc_tables::limits::{OFFLINE_MODEL, RELEASED_MODEL};

/// Links a library of the corpus alone, the first that the target can have.
fn linked(options: &Options) -> Linked {
    let mut all = corpus::ALL.iter().filter_map(|(name, bytes)| link(&[Input { name, bytes }], options).ok());
    all.next().unwrap_or_else(|| panic!("no library links for {}", options.target.profile()))
}

fn digest(l: &Linked) -> [u8; 16] {
    l.bytes[4..20].try_into().expect("16 bytes")
}

#[test]
fn what_no_shader_model_has_is_not_signed() {
    let options = |minor| Options::new(Target::Library(minor));
    let released = linked(&options(RELEASED_MODEL));
    let preview = linked(&options(RELEASED_MODEL + 1));
    assert!(released.signed && preview.signed);
    // A digest is that of the content; that of models to come is a mark.
    assert!(digest(&released).iter().any(|&b| b != digest(&released)[0]), "{:?}", digest(&released));
    assert_eq!(digest(&preview), [2; 16]);
    let unsigned = [
        Options { sign: false, ..options(RELEASED_MODEL) },
        Options { validator: Some(Version::new(0, 0)), ..options(RELEASED_MODEL) },
        options(OFFLINE_MODEL),
    ];
    for options in unsigned {
        let l = linked(&options);
        assert!(!l.signed && digest(&l) == [0; 16], "{options:?}");
    }
}

#[test]
fn reflection_is_left_out_of_the_container_alone() {
    let options = Options::new(Target::Library(RELEASED_MODEL));
    let with = linked(&options);
    let without = linked(&Options { strip_reflection: true, ..options });
    assert!(with.reflection == without.reflection && !with.reflection.is_empty());
    let part = |l: &Linked| Container::parse(&l.bytes).expect("a container").part(FourCc::STAT).map(|p| p.data.to_vec());
    assert!(part(&with).is_some_and(|p| p == with.reflection));
    assert!(part(&without).is_none());
}

#[test]
fn nodes_of_work_graphs_are_refused() {
    let mut found = 0;
    for (name, bytes) in corpus::ALL {
        let Ok(mut library) = Library::read(name, bytes) else { continue };
        let Some(entry) = library.known.entries.iter_mut().find(|e| e.func.is_some()) else { continue };
        entry.props.kind = Some(ShaderKind::Node);
        let wrong = resolve::choose(&[library], &Options::new(Target::Library(RELEASED_MODEL))).err().unwrap_or_default();
        assert!(wrong.iter().any(|w| w.contains("is a node of a work graph")), "{name}: {wrong:?}");
        found += 1;
    }
    assert!(found > 0);
}
