//! Sampler feedback through the host API: valid bindings, reads and writes of maps, the texture of a map.

use crate::shader::{compile_alone, device};
use rtc_host::Device;
use rtc_host::device::*;

const WRITER: &str = "
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> Map : register(u0);
Texture2D<float> Paired : register(t0);
SamplerState Point : register(s0);
[shader(\"compute\")] [numthreads(16, 16, 1)] void Main(uint3 id : SV_DispatchThreadID)
{
    Map.WriteSamplerFeedbackLevel(Paired, Point, (id.xy + 0.5) / 64, (id.x + id.y) % 3);
}";

#[test]
fn maps_belong_to_their_textures() {
    let mut d = device(|_| {});
    let program = d.load(&compile_alone("feedback_writer", WRITER, "lib_6_8"), &ProgramOptions::default()).expect("it loads");
    let desc = ImageDesc { levels: 4, ..ImageDesc::flat(64, 64, Format::R32Float, false) };
    let (paired, other) = (d.create_image(&desc, &[]).unwrap(), d.create_image(&desc, &[]).unwrap());
    let map = |d: &mut dyn Device, kind, paired| d.create_feedback(&FeedbackDesc { kind, paired, region: [16, 16] }).expect("a map");
    let least = map(&mut d, FeedbackKind::MinMip, paired);
    let used = map(&mut d, FeedbackKind::MipRegionUsed, paired);
    let point =
        d.create_sampler(&SamplerDesc { min_linear: false, mag_linear: false, mip_linear: false, ..SamplerDesc::default() }).unwrap();
    let slot = |name: &str| Slot::Name(name.into());
    d.set(program, &slot("Point"), 0, Resource::Sampler(point)).expect("a sampler");
    d.set(program, &slot("Paired"), 0, Resource::Image(paired)).expect("an image");
    // Other kinds of maps and other things do not fit.
    let e = d.set(program, &slot("Map"), 0, Resource::Feedback(used)).expect_err("another kind").message;
    assert!(e.contains("`Map` is a feedback map of minimum mips and cannot be set to one of used mip regions"), "{e}");
    assert!(d.set(program, &slot("Map"), 0, Resource::Image(paired)).is_err());
    assert!(d.set(program, &slot("Paired"), 0, Resource::Feedback(least)).is_err());
    d.set(program, &slot("Map"), 0, Resource::Feedback(least)).expect("the map");
    // Many threads write into each of nine regions; the least of three levels stays.
    d.dispatch_groups(program, None, [3, 3, 1]).expect("it runs");
    let mut expected = [NO_MIP; 16];
    (0..9).for_each(|i| expected[i / 3 * 4 + i % 3] = 0);
    assert_eq!(d.read_feedback(least).expect("bytes"), expected);
    // What is written back is there, and less counts.
    let mut said = expected;
    said[15] = 3;
    said[0] = 2;
    d.write_feedback(least, &said).expect("encoded");
    assert_eq!(d.read_feedback(least).expect("bytes"), said);
    d.dispatch_groups(program, None, [1, 1, 1]).expect("it runs");
    said[0] = 0;
    assert_eq!(d.read_feedback(least).expect("bytes"), said);
    d.write_feedback(least, &[]).expect("cleared");
    assert_eq!(d.read_feedback(least).expect("bytes"), [NO_MIP; 16]);
    assert!(d.write_feedback(least, &[0; 15]).is_err());
    assert_eq!(d.read_feedback(used).expect("bytes").len(), 16 + 4 + 1 + 1);
    // A map is for one texture.
    d.set(program, &slot("Paired"), 0, Resource::Image(other)).expect("an image");
    let e = d.dispatch_groups(program, None, [1, 1, 1]).expect_err("another texture").to_string();
    assert!(e.contains("not paired with") && e.contains("feedback_writer.hlsl"), "{e}");
    // And what cannot be is refused by name.
    let mut refused = |desc: FeedbackDesc, what: &str| {
        let e = d.create_feedback(&desc).expect_err(what).message;
        assert!(e.contains(what), "{e}");
    };
    let kind = FeedbackKind::MinMip;
    refused(FeedbackDesc { kind, paired, region: [64, 16] }, "regions of width 64");
    refused(FeedbackDesc { kind, paired, region: [16, 5] }, "regions of height 5");
    refused(FeedbackDesc { kind, paired: Image::from_u32(99), region: [16, 16] }, "unknown image99");
}
