//! Sampled values against formulas and hand-computed values.

use super::*;
use crate::cpu::resources::image::Image;
use crate::device::{Address, Border, Format, ImageDesc};
use rtc_dxil_container::ResourceKind;

fn image(kind: ResourceKind, size: [u32; 3], levels: u32, texels: impl Fn(u32, [u32; 3]) -> f32) -> Image {
    let [width, height, depth] = size;
    let format = Format::R32Float;
    let desc = ImageDesc { kind, width, height, depth, levels, samples: 1, format, writable: false };
    let mut data = Vec::new();
    for level in 0..levels {
        let [w, h, d] = desc.size(level);
        for z in 0..d {
            for y in 0..h {
                for x in 0..w {
                    data.extend(texels(level, [x, y, z]).to_le_bytes());
                }
            }
        }
    }
    Image::new(&desc, &data).expect("an image")
}

fn of_format(format: Format, width: u32, data: &[u8]) -> Image {
    let height = data.len() as u32 / format.texel_size() / width;
    Image::new(&ImageDesc::flat(width, height, format, false), data).expect("an image")
}

fn sampler(linear: bool, mode: Address) -> SamplerDesc {
    SamplerDesc { min_linear: linear, mag_linear: linear, mip_linear: linear, address: [mode; 3], ..SamplerDesc::default() }
}

fn at_level(image: &Image, s: &SamplerDesc, coords: Coords, level: f32) -> f32 {
    let view = image.view(image.desc().kind);
    f32::from_bits(sample(view, s, coords, [0; 3], Lod::Level(level))[0])
}

fn with_gradients(image: &Image, s: &SamplerDesc, coords: Coords, x: [f32; 3], y: [f32; 3]) -> f32 {
    let lod = Lod::Gradients { of: Gradients { x, y }, bias: 0.0, clamp: 0.0 };
    f32::from_bits(sample(image.view(image.desc().kind), s, coords, [0; 3], lod)[0])
}

fn near(a: f32, b: f32) {
    assert!((a - b).abs() <= 1e-5 * b.abs().max(1.0), "{a} is not {b}");
}

/// Pseudo-random numbers from 0 to 1.
fn numbers() -> impl Iterator<Item = f32> {
    (1u32..).map(|i| (i.wrapping_mul(2_654_435_769) >> 8) as f32 / (1 << 24) as f32)
}

#[test]
fn linear_filtering_is_a_sum_of_tents() {
    let value = |[x, y, z]: [u32; 3]| (x * 7 + y * 31 + z * 17) as f32 % 13.0;
    let cases = [(ResourceKind::Texture1D, [5, 1, 1], 1), (ResourceKind::Texture2D, [5, 4, 1], 2), (ResourceKind::Texture3D, [5, 4, 3], 3)];
    let mut random = numbers();
    for (kind, size, dims) in cases {
        let image = image(kind, size, 1, |_, at| value(at));
        for mode in [Address::Wrap, Address::Clamp, Address::Mirror] {
            for _ in 0..200 {
                let mut coords = [0.0; 4];
                for c in &mut coords[..dims] {
                    *c = random.next().unwrap_or(0.0) * 3.0 - 1.0;
                }
                // Every texel of the unbounded plane has a tent of one texel around its centre.
                let tents = |axis: usize| -> Vec<(u32, f32)> {
                    let n = size[axis] as i32;
                    let x = coords[axis] * n as f32;
                    let all = (-2 * n..3 * n).map(|i| (i, 1.0 - (x - (i as f32 + 0.5)).abs()));
                    all.filter(|t| t.1 > 0.0)
                        .map(|(i, weight)| {
                            let texel = match mode {
                                Address::Wrap => (i + 2 * n) % n,
                                Address::Clamp => i.clamp(0, n - 1),
                                _ => {
                                    let odd = (i + 4 * n) / n % 2 == 1;
                                    let at = (i + 4 * n) % n;
                                    if odd { n - 1 - at } else { at }
                                }
                            };
                            (texel as u32, weight)
                        })
                        .collect()
                };
                let one = vec![(0, 1.0)];
                let axes: [Vec<_>; 3] = std::array::from_fn(|i| if i < dims { tents(i) } else { one.clone() });
                let mut expected = 0.0;
                for &(x, a) in &axes[0] {
                    for &(y, b) in &axes[1] {
                        for &(z, c) in &axes[2] {
                            expected += a * b * c * value([x, y, z]);
                        }
                    }
                }
                let found = at_level(&image, &sampler(true, mode), coords, 0.0);
                assert!((found - expected).abs() < 2e-4, "{kind:?} {mode:?} {coords:?}: {found}, {expected}");
            }
        }
    }
}

#[test]
fn the_nearest_texel_is_the_one_that_is_met() {
    let image = image(ResourceKind::Texture2D, [4, 2, 1], 1, |_, [x, y, _]| (10 * y + x) as f32);
    for (mode, u, v, expected) in [
        (Address::Wrap, 0.0, 0.0, 0.0),
        (Address::Wrap, 0.249, 0.499, 0.0),
        (Address::Wrap, 0.25, 0.5, 11.0),
        (Address::Wrap, 1.0, 0.0, 0.0),
        (Address::Wrap, -0.1, -0.1, 13.0),
        (Address::Wrap, 5.3, 2.9, 11.0),
        (Address::Clamp, 1.0, 1.0, 13.0),
        (Address::Clamp, -7.0, 9.0, 10.0),
        (Address::Mirror, 1.1, 0.0, 3.0),
        (Address::Mirror, -0.3, -0.6, 11.0),
        (Address::Mirror, 2.3, 0.0, 1.0),
        (Address::MirrorOnce, -0.3, 0.0, 1.0),
        (Address::MirrorOnce, -1.3, 0.0, 3.0),
        (Address::MirrorOnce, 1.3, 0.0, 3.0),
    ] {
        assert_eq!(at_level(&image, &sampler(false, mode), [u, v, 0.0, 0.0], 0.0), expected, "{mode:?} {u} {v}");
    }
}

#[test]
fn offsets_are_texels_of_the_level() {
    let image = image(ResourceKind::Texture2D, [8, 8, 1], 2, |level, [x, y, _]| (100 * level + 10 * y + x) as f32);
    let view = image.view(ResourceKind::Texture2D);
    let s = sampler(false, Address::Wrap);
    let read = |offset, level| f32::from_bits(sample(view, &s, [0.3, 0.3, 9.0, 9.0], offset, Lod::Level(level))[0]);
    assert_eq!(read([0, 0, 0], 0.0), 22.0);
    assert_eq!(read([3, -2, 7], 0.0), 5.0);
    assert_eq!(read([-8, 7, 0], 0.0), 12.0);
    assert_eq!(read([1, 2, 0], 1.0), 132.0);
}

#[test]
fn levels_are_chosen_and_blended() {
    let image = image(ResourceKind::Texture2D, [16, 16, 1], 5, |level, _| level as f32);
    let coords = [0.3, 0.7, 0.0, 0.0];
    let linear = sampler(true, Address::Wrap);
    let point = sampler(false, Address::Wrap);
    for (lod, blended, nearest) in [
        (-3.0, 0.0, 0.0),
        (0.0, 0.0, 0.0),
        (0.4, 0.4, 0.0),
        (0.5, 0.5, 0.0),
        (0.6, 0.6, 1.0),
        (1.5, 1.5, 2.0),
        (2.25, 2.25, 2.0),
        (3.75, 3.75, 4.0),
        (4.0, 4.0, 4.0),
        (99.0, 4.0, 4.0),
        (f32::INFINITY, 4.0, 4.0),
        (f32::NEG_INFINITY, 0.0, 0.0),
        (f32::NAN, 0.0, 0.0),
    ] {
        near(at_level(&image, &linear, coords, lod), blended);
        near(at_level(&image, &point, coords, lod), nearest);
    }
    let narrow = SamplerDesc { min_lod: 1.25, max_lod: 2.5, ..linear };
    assert_eq!([0.0, 2.0, 4.0].map(|l| at_level(&image, &narrow, coords, l)), [1.25, 2.0, 2.5]);
    let biased = SamplerDesc { mip_bias: 1.5, ..linear };
    for (lod, expected) in [(-1.0, 0.5), (1.0, 2.5), (3.0, 4.0)] {
        near(at_level(&image, &biased, coords, lod), expected);
    }
    let crossed = SamplerDesc { min_lod: 3.0, max_lod: 1.0, ..linear };
    assert_eq!(at_level(&image, &crossed, coords, 2.0), 1.0, "the largest level is the last word");
}

#[test]
fn gradients_say_how_many_texels_a_pixel_is_wide() {
    let wide = image(ResourceKind::Texture2D, [64, 16, 1], 7, |level, _| level as f32);
    let s = sampler(true, Address::Wrap);
    let c = [0.5; 4];
    // 4 texels across; then 8 down; then a diagonal of 3 and 4.
    near(with_gradients(&wide, &s, c, [4.0 / 64.0, 0.0, 9.0], [0.0, 1.0 / 16.0, 9.0]), 2.0);
    near(with_gradients(&wide, &s, c, [4.0 / 64.0, 0.0, 9.0], [0.0, 8.0 / 16.0, 9.0]), 3.0);
    near(with_gradients(&wide, &s, c, [3.0 / 64.0, 4.0 / 16.0, 9.0], [0.0; 3]), 5f32.log2());
    near(with_gradients(&wide, &s, c, [0.0; 3], [0.0; 3]), 0.0);
    near(with_gradients(&wide, &s, c, [f32::INFINITY, 0.0, 0.0], [0.0; 3]), 6.0);
    near(with_gradients(&wide, &s, c, [f32::NAN, 0.0, 0.0], [0.0; 3]), 0.0);
    let of = Gradients { x: [4.0 / 64.0, 0.0, 0.0], y: [0.0; 3] };
    let biased = |bias, clamp| {
        let texel = sample(wide.view(ResourceKind::Texture2D), &s, c, [0; 3], Lod::Gradients { of, bias, clamp });
        f32::from_bits(texel[0])
    };
    near(biased(1.5, 0.0), 3.5);
    near(biased(-1.5, 0.0), 0.5);
    near(biased(-1.5, 1.25), 1.25);
    near(biased(f32::INFINITY, 0.0), 6.0);
    let line = image(ResourceKind::Texture1D, [64, 1, 1], 7, |level, _| level as f32);
    near(with_gradients(&line, &s, c, [2.0 / 64.0, 7.0, 7.0], [16.0 / 64.0, 7.0, 7.0]), 4.0);
    let volume = image(ResourceKind::Texture3D, [16, 16, 16], 5, |level, _| level as f32);
    near(with_gradients(&volume, &s, c, [1.0 / 16.0, 2.0 / 16.0, 2.0 / 16.0], [0.0; 3]), 3f32.log2());
    let array = image(ResourceKind::Texture2DArray, [16, 16, 3], 5, |level, [_, _, z]| (10 * z + level) as f32);
    near(with_gradients(&array, &s, [0.5, 0.5, 1.6, 0.0], [2.0 / 16.0, 0.0, 5.0], [0.0; 3]), 21.0);
}

#[test]
fn magnifying_and_minifying_have_filters_of_their_own() {
    let image = image(ResourceKind::Texture1D, [2, 1, 1], 1, |_, [x, _, _]| x as f32);
    let s = SamplerDesc { min_linear: true, mag_linear: false, ..sampler(true, Address::Clamp) };
    assert_eq!(at_level(&image, &s, [0.6, 0.0, 0.0, 0.0], 0.0), 1.0);
    near(at_level(&image, &s, [0.6, 0.0, 0.0, 0.0], 0.1), 0.7);
    let s = SamplerDesc { min_linear: false, mag_linear: true, ..s };
    near(at_level(&image, &s, [0.6, 0.0, 0.0, 0.0], -0.1), 0.7);
    assert_eq!(at_level(&image, &s, [0.6, 0.0, 0.0, 0.0], 0.1), 1.0);
}

#[test]
fn slices_are_rounded_and_clamped() {
    let image = image(ResourceKind::Texture1DArray, [1, 1, 4], 1, |_, [_, _, z]| z as f32);
    let s = sampler(true, Address::Wrap);
    for (slice, expected) in [(-3.0, 0.0), (0.5, 0.0), (1.5, 2.0), (1.4, 1.0), (2.5, 2.0), (9.0, 3.0), (f32::NAN, 0.0)] {
        assert_eq!(at_level(&image, &s, [0.1, slice, 0.0, 0.0], 0.0), expected, "{slice}");
    }
    let cubes = self::image(ResourceKind::TextureCubeArray, [1, 1, 12], 1, |_, [_, _, z]| z as f32);
    let read = |w| at_level(&cubes, &sampler(false, Address::Wrap), [0.0, -1.0, 0.0, w], 0.0);
    assert_eq!([0.0, 0.6, 5.0, -1.0].map(read), [3.0, 9.0, 9.0, 3.0]);
}

#[test]
fn borders_have_the_channels_of_the_format() {
    let two = of_format(Format::Rg32Float, 1, &[5f32.to_le_bytes(), 6f32.to_le_bytes()].concat());
    for (border, outside, blended) in [
        (Border::TransparentBlack, [0.0, 0.0, 0.0, 1.0], [2.5, 3.0, 0.0, 1.0]),
        (Border::OpaqueBlack, [0.0, 0.0, 0.0, 1.0], [2.5, 3.0, 0.0, 1.0]),
        (Border::OpaqueWhite, [1.0, 1.0, 0.0, 1.0], [3.0, 3.5, 0.0, 1.0]),
    ] {
        let s = SamplerDesc { border, ..sampler(true, Address::Border) };
        let read = |u| sample(two.view(ResourceKind::Texture2D), &s, [u, 0.5, 0.0, 0.0], [0; 3], Lod::Level(0.0)).map(f32::from_bits);
        assert_eq!(read(3.0), outside);
        assert_eq!(read(1.0), blended, "half of the texel, half of the border");
    }
    let four = of_format(Format::Rgba8Unorm, 1, &[255; 4]);
    let read = |border| {
        let s = SamplerDesc { border, ..sampler(false, Address::Border) };
        sample(four.view(ResourceKind::Texture2D), &s, [-0.5, 0.5, 0.0, 0.0], [0; 3], Lod::Level(0.0)).map(f32::from_bits)
    };
    assert_eq!(read(Border::TransparentBlack), [0.0; 4]);
    assert_eq!(read(Border::OpaqueBlack), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn texels_are_decoded_before_they_are_blended() {
    let srgb = of_format(Format::Rgba8UnormSrgb, 2, &[0, 0, 0, 0, 255, 255, 255, 255]);
    let s = sampler(true, Address::Clamp);
    let read = |image: &Image, u| sample(image.view(ResourceKind::Texture2D), &s, [u, 0.5, 0.0, 0.0], [0; 3], Lod::Level(0.0));
    assert_eq!(read(&srgb, 0.5).map(f32::from_bits), [0.5; 4]);
    let half = of_format(Format::R16Float, 2, &[0x00, 0x3c, 0x00, 0x42]);
    assert_eq!(read(&half, 0.5).map(f32::from_bits), [2.0, 0.0, 0.0, 1.0]);
    // Infinity without weight has no effect.
    let endless = of_format(Format::R32Float, 2, &[1f32.to_le_bytes(), f32::INFINITY.to_le_bytes()].concat());
    assert_eq!(f32::from_bits(read(&endless, 0.25)[0]), 1.0);
}

#[test]
fn integers_are_not_blended() {
    let image = of_format(Format::R32Sint, 2, &[7i32.to_le_bytes(), (-7i32).to_le_bytes()].concat());
    let read = |u| sample(image.view(ResourceKind::Texture2D), &sampler(true, Address::Clamp), [u, 0.5, 0.0, 0.0], [0; 3], Lod::Level(0.0));
    assert_eq!(read(0.4), [7, 0, 0, 1]);
    assert_eq!(read(0.6), [-7i32 as u32, 0, 0, 1]);
}

#[test]
fn comparisons_are_made_before_they_are_blended() {
    let image = image(ResourceKind::Texture2D, [2, 2, 1], 1, |_, [x, y, _]| 0.25 * (2 * y + x) as f32);
    let with = |compare, reference, u, v| {
        let s = SamplerDesc { compare: Some(compare), ..sampler(true, Address::Clamp) };
        super::compare(image.view(ResourceKind::Texture2D), &s, [u, v, 0.0, 0.0], [0; 3], Lod::Level(0.0), reference)
    };
    for (compare, expected) in [
        (Compare::Never, 0.0),
        (Compare::Less, 0.25),
        (Compare::Equal, 0.25),
        (Compare::LessEqual, 0.5),
        (Compare::Greater, 0.5),
        (Compare::NotEqual, 0.75),
        (Compare::GreaterEqual, 0.75),
        (Compare::Always, 1.0),
    ] {
        assert_eq!(with(compare, 0.5, 0.5, 0.5), expected, "{compare:?}");
    }
    // Three quarters across in the lower row.
    near(with(Compare::LessEqual, 0.75, 0.625, 1.0), 0.75);
    let none = SamplerDesc { compare: None, ..sampler(true, Address::Clamp) };
    assert_eq!(super::compare(image.view(ResourceKind::Texture2D), &none, [0.5; 4], [0; 3], Lod::Level(0.0), 0.0), 0.0);
    // A normalised depth is never above one, so the reference is clamped.
    let full = of_format(Format::R8Unorm, 1, &[255]);
    let s = SamplerDesc { compare: Some(Compare::LessEqual), ..sampler(false, Address::Clamp) };
    assert_eq!(super::compare(full.view(ResourceKind::Texture2D), &s, [0.5; 4], [0; 3], Lod::Level(0.0), 7.0), 1.0);
}

#[test]
fn four_texels_are_gathered_counter_clockwise() {
    let image = image(ResourceKind::Texture2D, [4, 4, 1], 2, |level, [x, y, _]| (100 * level + 10 * y + x) as f32);
    let view = image.view(ResourceKind::Texture2D);
    let s = SamplerDesc { compare: Some(Compare::Greater), ..sampler(false, Address::Wrap) };
    let read = |u, v, offset| gather(view, &s, [u, v, 0.0, 0.0], offset, 0).map(f32::from_bits);
    assert_eq!(read(0.5, 0.5, [0, 0]), [21.0, 22.0, 12.0, 11.0]);
    assert_eq!(read(0.5, 0.5, [1, -1]), [12.0, 13.0, 3.0, 2.0]);
    assert_eq!(read(0.0, 0.0, [0, 0]), [3.0, 0.0, 30.0, 33.0]);
    assert_eq!(gather(view, &s, [0.5; 4], [0, 0], 1), [0; 4], "a channel that is missing");
    assert_eq!(gather(view, &s, [0.5; 4], [0, 0], 3).map(f32::from_bits), [1.0; 4]);
    let passes = gather_compare(view, &s, [0.5, 0.5, 0.0, 0.0], [0, 0], 0, 21.5);
    assert_eq!(passes.map(f32::from_bits), [1.0, 0.0, 1.0, 1.0]);
    assert_eq!(gather_raw(view, &s, [0.5, 0.5, 0.0, 0.0], [0, 0])[1], u64::from(22f32.to_bits()));
    let edge = SamplerDesc { border: Border::OpaqueWhite, ..sampler(true, Address::Border) };
    assert_eq!(gather(view, &edge, [0.0, 0.5, 0.0, 0.0], [0, 0], 0).map(f32::from_bits), [1.0, 20.0, 10.0, 1.0]);
    assert_eq!(gather_raw(view, &edge, [0.0, 0.5, 0.0, 0.0], [0, 0])[0], 0);
    let bytes: Vec<u8> = (0..64).collect();
    let raw = of_format(Format::Rgba16Float, 4, &bytes);
    assert_eq!(gather_raw(raw.view(ResourceKind::Texture2D), &s, [0.25, 0.5, 0.0, 0.0], [0, 0])[2], 0x0f0e_0d0c_0b0a_0908);
}

#[test]
fn cubes_have_no_seams() {
    // A texel holds a linear function of the direction of its centre on the cube, so that discontinuities show.
    let size = 16;
    let value = |d: [f64; 3]| (3.0 * d[0] + 5.0 * d[1] - 2.0 * d[2]) as f32;
    let cube = image(ResourceKind::TextureCube, [size, size, 6], 1, |_, [x, y, face]| {
        let at = |k: u32| (2.0 * f64::from(k) + 1.0) / f64::from(size) - 1.0;
        let (s, t) = (at(x), at(y));
        value([[1.0, -t, -s], [-1.0, -t, s], [s, 1.0, t], [s, -1.0, -t], [s, -t, 1.0], [-s, -t, -1.0]][face as usize])
    });
    let s = sampler(true, Address::Border);
    let mut random = numbers();
    let mut direction = || -> [f64; 3] { std::array::from_fn(|_| f64::from(random.next().unwrap_or(0.0)) * 2.0 - 1.0) };
    for _ in 0..300 {
        let (a, b) = (direction(), direction());
        let mut before: Option<f32> = None;
        for step in 0..=400 {
            let t = f64::from(step) / 400.0;
            let d: [f64; 3] = std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t);
            let long = d.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            if long < 0.3 {
                // Too fast to compare.
                before = None;
                continue;
            }
            let found = at_level(&cube, &s, [d[0] as f32, d[1] as f32, d[2] as f32, 0.0], 0.0);
            let exact = value(d.map(|x| x / long));
            // The function has a crease at edges: the interpolation error is at most its change within a texel.
            assert!((found - exact).abs() < 8.0 / 16.0, "{d:?}: {found}, {exact}");
            if let Some(before) = before.replace(found) {
                assert!((found - before).abs() < 0.3, "{d:?}: from {before} to {found}");
            }
        }
    }
}

#[test]
fn the_corner_of_a_cube_is_the_mean_of_three() {
    let cube = image(ResourceKind::TextureCube, [1, 1, 6], 1, |_, [_, _, face]| (1 << face) as f32);
    let corner = at_level(&cube, &sampler(true, Address::Wrap), [1.0, 1.0, 1.0, 0.0], 0.0);
    // A quarter each of +z, its two neighbours +x and +y, and the mean of all three.
    let mean = (1.0 + 4.0 + 16.0) / 3.0;
    near(corner, (16.0 + 1.0 + 4.0 + mean) / 4.0);
}

#[test]
fn lods_of_cubes_follow_directions() {
    let cube = image(ResourceKind::TextureCube, [64, 64, 6], 7, |level, _| level as f32);
    let s = sampler(true, Address::Wrap);
    // On +x a face is two units wide, so a step of 1/8 is 4 texels.
    near(with_gradients(&cube, &s, [1.0, 0.0, 0.0, 0.0], [0.0, 0.125, 0.0], [0.0; 3]), 2.0);
    // Towards the face nothing changes in the centre.
    near(with_gradients(&cube, &s, [-1.0, 0.0, 0.0, 0.0], [0.125, 0.0, 0.0], [0.0; 3]), 0.0);
    near(with_gradients(&cube, &s, [0.0, 0.0, 2.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.25, 0.0]), 3.0);
}

#[test]
fn anisotropy_looks_along_the_longer_gradient() {
    // Columns alternate in the first level; in the second they are grey.
    let image = image(ResourceKind::Texture2D, [16, 16, 1], 5, |level, [_, y, _]| match level {
        0 => y as f32,
        n => 1000.0 * n as f32,
    });
    let s = SamplerDesc { max_anisotropy: 8, ..sampler(true, Address::Clamp) };
    // 4 texels down and 1 across: four samples of the first level, whose mean is the centre.
    let c = [0.5, 0.5, 0.0, 0.0];
    near(with_gradients(&image, &s, c, [1.0 / 16.0, 0.0, 0.0], [0.0, 4.001 / 16.0, 0.0]), 7.5);
    // Without it the third level would be used.
    let plain = SamplerDesc { max_anisotropy: 1, ..s };
    near(with_gradients(&image, &plain, c, [1.0 / 16.0, 0.0, 0.0], [0.0, 4.0 / 16.0, 0.0]), 2000.0);
    // Clamped: 16 to 1 with 8 samples is two texels wide.
    near(with_gradients(&image, &s, c, [1.0 / 16.0, 0.0, 0.0], [0.0, 1.0, 0.0]), 1000.0);
    let of = Gradients { x: [1.0 / 16.0, 0.0, 0.0], y: [0.0, 4.0 / 16.0, 0.0] };
    let level = |s: &SamplerDesc, clamped| level_of_detail(image.view(ResourceKind::Texture2D), s, [0.5; 3], of, clamped);
    near(level(&s, false), 0.0);
    near(level(&plain, false), 2.0);
    // Samples are within the gradient.
    let mut below = 0.0;
    for step in 0..4 {
        let v = 0.5 + (f32::from(step as u8) + 0.5) / 16.0 - 2.0 / 16.0;
        below += at_level(&image, &s, [0.5, v, 0.0, 0.0], 0.0) / 4.0;
    }
    near(below, 7.5);
}

#[test]
fn the_level_of_detail_is_returned() {
    let image = image(ResourceKind::Texture2D, [16, 16, 1], 3, |_, _| 0.0);
    let s = SamplerDesc { min_lod: 0.5, mip_bias: 0.25, ..sampler(true, Address::Wrap) };
    let tell = |texels: f32, clamped| {
        let of = Gradients { x: [texels / 16.0, 0.0, 0.0], y: [0.0; 3] };
        level_of_detail(image.view(ResourceKind::Texture2D), &s, [0.0; 3], of, clamped)
    };
    assert_eq!([1.0, 2.0, 8.0].map(|t| tell(t, false)), [0.25, 1.25, 3.25]);
    assert_eq!([1.0, 2.0, 8.0].map(|t| tell(t, true)), [0.5, 1.25, 2.0]);
    assert_eq!(tell(0.0, false), f32::NEG_INFINITY);
    assert_eq!(tell(0.0, true), 0.5);
}

#[test]
fn any_coordinate_is_accepted() {
    use ResourceKind as K;
    let strange = [0.0, -0.0, 0.5, 1.0, -1.0, 1e-40, 1e30, -1e30, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    #[rustfmt::skip]
    let kinds = [
        (K::Texture1D, [3, 1, 1]), (K::Texture1DArray, [3, 1, 2]), (K::Texture2D, [3, 2, 1]), (K::Texture2DArray, [3, 2, 2]),
        (K::Texture3D, [3, 2, 2]), (K::TextureCube, [2, 2, 6]), (K::TextureCubeArray, [2, 2, 12]),
    ];
    for (kind, size) in kinds {
        let image = image(kind, size, 2, |_, _| 1.0);
        let view = image.view(kind);
        for mode in [Address::Wrap, Address::Mirror, Address::Clamp, Address::Border, Address::MirrorOnce] {
            let s = SamplerDesc { border: Border::OpaqueWhite, max_anisotropy: 16, ..sampler(true, mode) };
            for &a in &strange {
                for &b in &strange {
                    let coords = [a, b, a, b];
                    let offset = [i32::MIN, i32::MAX, 0];
                    let of = Gradients { x: [b, a, b], y: [a, a, b] };
                    let lods = [Lod::Level(b), Lod::Gradients { of, bias: a, clamp: b }];
                    for lod in lods {
                        // Everything is one, and so is the border: the sum of the weights is one.
                        let found = f32::from_bits(sample(view, &s, coords, offset, lod)[0]);
                        assert!((found - 1.0).abs() < 1e-4, "{kind:?} {mode:?} {coords:?} {lod:?}: {found}");
                    }
                    gather(view, &s, coords, [0; 2], u32::MAX);
                    gather_raw(view, &s, coords, [i32::MAX; 2]);
                    level_of_detail(view, &s, [a, b, a], of, true);
                }
            }
        }
    }
}
