//! Bindings by name, register, heap and record; null descriptors.

use super::*;
use rtc_base::EntityRef;
use rtc_package::RecordLayout;
use rtc_rootsig::{RecordBinding, RecordParam, RecordParamKind, Visibility};

fn resource(name: &str, class: ResourceClass, kind: ResourceKind, lower: u32, space: u32, count: u32) -> Resource {
    Resource {
        space,
        lower,
        count,
        size: if kind == ResourceKind::StructuredBuffer { 8 } else { 0 },
        ..Resource::new(class, 0, name.into(), kind)
    }
}

fn buffer(word: u32) -> Descriptor {
    Descriptor::Buffer(Arc::new(Memory::filled(4, &word.to_le_bytes()).expect("memory")), 0)
}

/// The first word of a handle's buffer.
fn word(bindings: &Bindings, handle: Handle) -> Option<u32> {
    with(bindings, handle, None)
}

/// The same with a record.
fn with(bindings: &Bindings, handle: Handle, record: Option<&Record>) -> Option<u32> {
    match bindings.get(handle, record).ok()?.descriptor() {
        Descriptor::Buffer(memory, at) => memory.u32(*at),
        _ => None,
    }
}

fn name(text: &str) -> Name {
    Name::parse(text)
}

/// An unbounded array, a structured buffer, a resource without register, a sampler, and a second range with registers of the first.
fn bindings() -> Bindings {
    use ResourceClass as C;
    use ResourceKind as K;
    let all = [
        resource("Many", C::Srv, K::RawBuffer, 2, 1, u32::MAX),
        resource("Items", C::Uav, K::StructuredBuffer, 0, 0, 3),
        resource("Later", C::Uav, K::RawBuffer, u32::MAX, u32::MAX, 1),
        resource("Smooth", C::Sampler, K::Sampler, 4, 0, 1),
        resource("Some", C::Srv, K::RawBuffer, 3, 1, 2),
        resource("Constants", C::Cbv, K::CBuffer, 0, 0, 1),
    ];
    Bindings::new(&all, &[(4, 0, SamplerDesc::default())], 5).expect("bindings")
}

#[test]
fn names_registers_and_elements_lead_to_the_same() {
    let mut b = bindings();
    b.set(&name("Many"), 1, buffer(11)).expect("bound");
    b.set(&name("t4.space1"), 0, buffer(12)).expect("bound");
    b.set(&name("t2.space1"), 4, buffer(14)).expect("bound");
    let read = |resource, element| word(&b, b.handle(resource, element, None));
    assert_eq!([0, 1, 2, 3, 4, 5, u64::MAX].map(|i| read(0, i)), [None, Some(11), Some(12), None, Some(14), None, None]);
    // Registers t3 and t4 belong to it too.
    assert_eq!([0, 1, 2].map(|i| read(4, i)), [Some(11), Some(12), None]);
    assert_eq!(word(&b, b.handle_at(3, ResourceClass::Srv, 1, 4, None)), Some(12));
    assert_eq!(word(&b, b.handle_of(ResourceClass::Srv, 0, 4)), Some(12));
    assert_eq!(b.handle_at(9, ResourceClass::Srv, 1, 9, None), Handle::default());
    assert_eq!(b.handle(99, 0, None), Handle::default());
    // Below the first register.
    assert_eq!(word(&b, b.handle_of(ResourceClass::Srv, 0, 1)), None);
}

#[test]
fn resources_without_register_are_known_by_name() {
    let mut b = bindings();
    b.set(&name("Later"), 0, buffer(7)).expect("bound");
    assert_eq!(word(&b, b.handle(2, 0, None)), Some(7));
    assert!(b.set(&Name::Register { class: 'u', register: u32::MAX, space: u32::MAX }, 0, buffer(8)).is_err());
}

#[test]
fn static_samplers_are_there() {
    let b = bindings();
    let slot = b.get(b.handle(3, 0, None), None).expect("a sampler");
    assert!(matches!(slot.descriptor(), Descriptor::Sampler(_)));
}

#[test]
fn mismatched_descriptors_are_rejected() {
    let mut b = bindings();
    for (slot, element, descriptor, why) in [
        ("Unknown", 0, buffer(0), "unknown resource `Unknown`"),
        ("t9", 0, buffer(0), "unknown resource `t9`"),
        ("Items", 3, buffer(0), "`Items` has 3 element(s); element 3 is out of range"),
        ("u2", 1, buffer(0), "`Items` has 3 element(s); element 1 is out of range"),
        ("Many", 5, buffer(0), "`Many` has 5 element(s); element 5 is out of range"),
        ("Smooth", 0, buffer(0), "`Smooth` is a Sampler and cannot be set to a buffer"),
        ("Items", 0, Descriptor::Accel(Accel::new(0)), "cannot be set to an acceleration structure"),
        ("ResourceDescriptorHeap", 0, Descriptor::Sampler(Arc::default()), "`ResourceDescriptorHeap` cannot hold a sampler"),
        ("SamplerDescriptorHeap", 0, buffer(0), "`SamplerDescriptorHeap` cannot hold a buffer"),
        ("ResourceDescriptorHeap", u32::MAX, buffer(0), "is out of range"),
    ] {
        let error = b.set(&name(slot), element, descriptor).expect_err(slot);
        assert!(error.message.contains(why), "{slot}: {}", error.message);
    }
    let mut many = resource("Many", ResourceClass::Srv, ResourceKind::RawBuffer, 0, 0, 2_000_000);
    assert!(Bindings::new(&[many.clone()], &[], 0).is_err());
    many.count = u32::MAX;
    assert!(Bindings::new(&[many], &[], u32::MAX).is_err());
}

#[test]
fn null_descriptors_are_named() {
    let mut b = bindings();
    b.set(&name("ResourceDescriptorHeap.t"), 3, buffer(5)).expect("bound");
    assert_eq!(word(&b, b.handle_in_heap(3, false)), Some(5));
    for (handle, description) in [
        (b.handle(0, 2, None), "element 2 of `Many` (t2,space1)"),
        (b.handle(0, 77, None), "an element out of range of the 5 of `Many` (t2,space1)"),
        (b.handle(2, 0, None), "`Later`"),
        (b.handle(5, 0, None), "`Constants` (b0)"),
        (b.handle_in_heap(2, false), "element 2 of `ResourceDescriptorHeap`"),
        (b.handle_in_heap(9, true), "element 9 of `SamplerDescriptorHeap`"),
        (Handle::default(), "`a resource that is not declared`"),
    ] {
        let missing = b.get(handle, None).expect_err(description).to_string();
        assert_eq!(missing, format!("{description} is accessed, but not bound"));
    }
}

#[test]
fn records_take_precedence_over_registers() {
    let mut b = bindings();
    b.set(&name("u0"), 0, buffer(1)).expect("bound");
    b.set(&name("u1"), 0, buffer(2)).expect("bound");
    b.set(&name("ResourceDescriptorHeap"), 6, buffer(66)).expect("bound");
    let param = |kind, offset, size, class, register, count, table_offset| RecordParam {
        offset,
        size,
        kind,
        visibility: Visibility::All,
        binds: vec![RecordBinding { class, register, space: 0, count, table_offset }],
    };
    let layout = RecordLayout {
        root_signature: "Local".into(),
        params: vec![
            param(RecordParamKind::Constants, 0, 8, ResourceClass::Cbv, 0, 1, 0),
            param(RecordParamKind::Uav, 8, 8, ResourceClass::Uav, 1, 1, 0),
            param(RecordParamKind::Table, 16, 8, ResourceClass::Uav, 2, u32::MAX, 2),
        ],
        size: 24,
    };
    let data: Vec<u8> = [0x1234u64, 0x5678, 4].iter().flat_map(|w| w.to_le_bytes()).collect();
    let record = Record::new(&layout, &data, |at| buffer(at as u32)).expect("a record");
    let read = |resource, element| with(&b, b.handle(resource, element, Some(&record)), Some(&record));
    assert_eq!((read(1, 0), read(1, 1), read(1, 2), read(5, 0)), (Some(1), Some(0x5678), Some(66), Some(0x1234)));
    assert_eq!(word(&b, b.handle(1, 1, None)), Some(2));
    // Truncated: constants are zero, addresses null.
    let record = Record::new(&layout, &data[..4], |_| Descriptor::Null).expect("a record");
    assert_eq!(with(&b, b.handle(5, 0, Some(&record)), Some(&record)), Some(0x1234));
    let missing = b.get(b.handle(1, 1, Some(&record)), Some(&record)).expect_err("null");
    assert_eq!(missing.to_string(), "`Local` (u1) is accessed, but not bound");
    // A handle of a record is null without it.
    assert_eq!(word(&b, b.handle(5, 0, Some(&record))), None);
}

#[test]
fn images_have_compatible_views() {
    use crate::device::ImageDesc;
    let kinds = [ResourceKind::Texture2D, ResourceKind::Texture2DArray, ResourceKind::TextureCube, ResourceKind::Texture3D];
    let image = |kind, depth| {
        let desc = ImageDesc { kind, depth, ..ImageDesc::flat(4, 4, Format::R32Uint, false) };
        Descriptor::Image(Arc::new(Image::new(&desc, &[]).expect("an image")))
    };
    let images = [image(kinds[0], 1), image(kinds[1], 6), image(kinds[2], 6), image(kinds[3], 4)];
    #[rustfmt::skip]
    let expected = [
        [true, true, true, false],
        [true, true, true, false],
        [false, true, true, false],
        [false, false, false, true],
    ];
    for (kind, row) in kinds.into_iter().zip(expected) {
        for (image, good) in images.iter().zip(row) {
            let mut b = Bindings::new(&[resource("T", ResourceClass::Srv, kind, 0, 0, 1)], &[], 0).expect("bindings");
            assert_eq!(b.set(&name("T"), 0, image.clone()).is_ok(), good, "{kind:?}");
        }
    }
    let mut b = Bindings::new(&[resource("T", ResourceClass::Uav, kinds[0], 0, 0, 1)], &[], 0).expect("bindings");
    assert!(b.set(&name("T"), 0, images[0].clone()).is_err(), "it is not writable");
}
