//! Damaged libraries, and every container of the corpus linked alone.

mod aggregates;
mod containers;
mod edges;
mod registers;

use super::{Input, LinkError, Options, Target, link};
use rtc_dxil_container::program::Program;
use rtc_dxil_container::{Container, FourCc, rdat::Rdat};
use rtc_dxil_module::{Meta, bitcode};
use rtc_dxil_testing::corpus;
pub use rtc_test_support::Random;

/// Links one library for the newest shader model.
fn alone(bytes: &[u8]) -> Result<Vec<u8>, Vec<LinkError>> {
    let inputs = [Input { name: "it", bytes }];
    link(&inputs, &Options::new(Target::Library(10))).map(|l| l.bytes)
}

fn rdat(bytes: &[u8]) -> Rdat {
    let container = Container::parse(bytes).unwrap();
    Rdat::read(container.require(FourCc::RDAT).unwrap()).unwrap()
}

/// What the annotations of a library's reflection are about: 0 is structures, 1 is functions.
fn annotated(reflection: &[u8]) -> Vec<Option<i64>> {
    let m = bitcode::read(Program::read("STAT", reflection).unwrap().bitcode).unwrap();
    let kind = |&n: &Meta| m.meta.elems(n).first().copied().flatten().and_then(|k| m.meta_int(k));
    m.meta.named("dx.typeAnnotations").iter().map(kind).collect()
}

#[test]
fn the_corpus_linked_alone_is_itself() {
    let mut libraries = 0;
    for (name, bytes) in corpus::ALL {
        let container = Container::parse(bytes).unwrap();
        if container.part(FourCc::RDAT).is_none() {
            let wrong = alone(bytes).unwrap_err();
            let wrong: Vec<String> = wrong.iter().map(LinkError::to_string).collect();
            assert_eq!(wrong, ["`it`: a compute shader, not a library"], "{name}");
            continue;
        }
        libraries += 1;
        let known = rtc_dxil_container::recompute::of_container(&container).unwrap().info;
        let options = Options { validator: Some(known.validator), ..Options::new(Target::Library(known.model.minor)) };
        let linked = link(&[Input { name, bytes }], &options).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert_eq!(rdat(&linked.bytes), rdat(bytes), "{name}");
        assert!(linked.warnings.is_empty(), "{name}: {:?}", linked.warnings);
        let about = annotated(&linked.reflection);
        let count = |kind: i64| about.iter().filter(|k| **k == Some(kind)).count();
        assert!(count(0) <= 1 && count(1) == 1, "{name}: {about:?}");
        assert_eq!(linked.debug.is_some(), container.part(FourCc::ILDB).is_some(), "{name}");
        let again = link(&[Input { name, bytes: &linked.bytes }], &options).unwrap();
        assert!(again.bytes == linked.bytes, "{name}: linked twice");
    }
    assert!(libraries > 8);
}

#[test]
fn damaged_libraries_never_panic() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut linked, mut refused) = (0, 0);
    let start = std::time::Instant::now();
    let libraries: Vec<&[u8]> = corpus::ALL.iter().map(|c| c.1).filter(|b| b.len() < 20_000).collect();
    let time = std::env::var("RTC_FUZZ_MS").map_or(1500, |ms| ms.parse().expect("RTC_FUZZ_MS is a number"));
    // A machine with much else to do still sees some.
    while start.elapsed().as_millis() < time || linked + refused <= 20 {
        let mut bytes = libraries[random.below(libraries.len())].to_vec();
        for _ in 0..1 + random.below(4) {
            let at = 32 + random.below(bytes.len() - 32);
            bytes[at] ^= 1 << random.below(8);
        }
        // Otherwise the digest gives it away.
        rtc_dxil_container::digest::sign(&mut bytes, rtc_dxil_container::Signing::Digest);
        let other = libraries[random.below(libraries.len())];
        let inputs = [Input { name: "a", bytes: &bytes }, Input { name: "b", bytes: other }];
        let few = 1 + random.below(2);
        let target = if random.below(4) == 0 {
            Target::Shader { stage: rtc_tables::stages::Stage::Compute, minor: 10, entry: "main".into() }
        } else {
            Target::Library([6, 9, 10][random.below(3)])
        };
        match link(&inputs[..few], &Options::new(target)) {
            Ok(_) => linked += 1,
            Err(why) => {
                assert!(why.iter().all(|w| !w.to_string().is_empty()) && !why.is_empty());
                refused += 1;
            }
        }
    }
    assert!(refused > 0, "{linked} {refused}");
}

/// What cannot be linked for is refused with the profiles that can: those of stages that have one.
#[test]
fn profiles_are_named_where_one_is_refused() {
    let newest = rtc_tables::limits::NEWEST_MODEL;
    for wrong in ["cs_5_0", "lib_6_2", "ms_6_4", "raygeneration_6_3", "_6_3", "cs", "cs_6_99"] {
        let why = Target::parse(wrong, "main").unwrap_err().to_string();
        assert!(why.contains(&format!(" cs_6_0 to cs_6_{newest}")) && why.contains(&format!(" ms_6_5 to ms_6_{newest}")), "{why}");
        assert!(!why.contains(" _6_"), "{why}");
    }
}
