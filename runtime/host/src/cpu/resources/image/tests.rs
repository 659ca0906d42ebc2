//! Texels of every image kind and format, by level, slice and sample.

use super::*;
use crate::device::Format;

fn desc(kind: ResourceKind, size: [u32; 3], levels: u32, format: Format) -> ImageDesc {
    ImageDesc {
        kind,
        width: size[0],
        height: size[1],
        depth: size[2],
        levels,
        samples: if kind.is_multisampled() { 4 } else { 1 },
        format,
        writable: format != Format::Rgba8UnormSrgb,
    }
}

/// An image whose 32-bit texels are numbered in the order of their bytes.
fn numbered(kind: ResourceKind, size: [u32; 3], levels: u32) -> Image {
    let desc = desc(kind, size, levels, Format::R32Uint);
    let data: Vec<u8> = (0..desc.bytes() as u32 / 4).flat_map(u32::to_le_bytes).collect();
    Image::new(&desc, &data).expect("an image")
}

#[test]
fn every_kind_finds_its_texels() {
    use ResourceKind as K;
    // Kind, size, level, coordinates, index of the texel: columns, rows, slices or layers, levels.
    #[rustfmt::skip]
    let rows = [
        (K::Texture1D,        [8, 1, 1],  2, 1, [3, 9, 9],  8 + 3),
        (K::Texture1DArray,   [4, 1, 3],  2, 0, [1, 2, 9],  2 * 4 + 1),
        (K::Texture1DArray,   [4, 1, 3],  2, 1, [1, 2, 9],  12 + 2 * 2 + 1),
        (K::Texture2D,        [5, 4, 1],  3, 1, [1, 1, 9],  20 + 2 + 1),
        (K::Texture2DArray,   [4, 2, 3],  2, 1, [1, 0, 2],  24 + 2 * 2 + 1),
        (K::Texture3D,        [4, 2, 6],  2, 1, [1, 0, 2],  48 + 2 * 2 + 1),
        (K::TextureCube,      [2, 2, 6],  2, 0, [1, 0, 5],  5 * 4 + 1),
        (K::TextureCubeArray, [2, 2, 12], 1, 0, [0, 1, 11], 11 * 4 + 2),
    ];
    for (kind, size, levels, level, at, expected) in rows {
        let image = numbered(kind, size, levels);
        assert_eq!(image.view(image.desc().kind).load(level, at, [0; 3])[0], expected, "{kind:?} {at:?}");
        assert_eq!(image.view(image.desc().kind).load(levels, at, [0; 3]), [0, 0, 0, 1], "{kind:?}: a level too many");
        for i in 0..kind.coords().min(3) as usize {
            for x in [-1, i32::MIN, image.levels()[level as usize].size[i].max(at[i] as u32 + 20) as i32, i32::MAX] {
                let mut wrong = at;
                wrong[i] = x;
                assert_eq!(image.view(image.desc().kind).load(level, wrong, [0; 3]), [0, 0, 0, 1], "{kind:?} {wrong:?}");
            }
        }
    }
}

#[test]
fn offsets_move_texels_but_not_slices() {
    let image = numbered(ResourceKind::Texture2DArray, [4, 4, 2], 1);
    assert_eq!(image.view(image.desc().kind).load(0, [1, 1, 1], [2, -1, 1])[0], 16 + 3);
    assert_eq!(image.view(image.desc().kind).load(0, [1, 1, 1], [-2, 0, 0]), [0, 0, 0, 1]);
    assert_eq!(image.view(image.desc().kind).load(0, [-1, 5, 0], [1, -2, 0])[0], 12, "the sum is inside");
    assert_eq!(image.view(image.desc().kind).load(0, [i32::MAX, 0, 0], [i32::MAX, 0, 0]), [0, 0, 0, 1]);
    let image = numbered(ResourceKind::Texture3D, [4, 4, 2], 1);
    assert_eq!(image.view(image.desc().kind).load(0, [1, 1, 0], [2, -1, 1])[0], 16 + 3);
    let image = numbered(ResourceKind::Texture1DArray, [4, 1, 2], 1);
    assert_eq!(image.view(image.desc().kind).load(0, [1, 1, 0], [2, 1, 1])[0], 4 + 3);
}

#[test]
fn every_format_is_written_and_read() {
    for (format, _, channels, _) in Format::ALL {
        let image = Image::new(&desc(ResourceKind::Texture2D, [3, 2, 1], 1, format), &[]).expect("an image");
        let value = match format.is_integer() {
            true => [1, 2, 3, u32::MAX],
            false => [0.0, 1.0, 0.2, 0.6].map(f32::to_bits),
        };
        image.view(image.desc().kind).store(0, [2, 1, 7], value, 0xf);
        image.view(image.desc().kind).store(0, [3, 1, 0], value, 0xf);
        image.view(image.desc().kind).store(1, [0, 0, 0], value, 0xf);
        if format == Format::Rgba8UnormSrgb {
            assert!(image.read().expect("bytes").iter().all(|&b| b == 0), "sRGB is not written");
            continue;
        }
        let read = image.view(image.desc().kind).load(0, [2, 1, 0], [0; 3]);
        for i in 0..channels as usize {
            let (a, b) = (f32::from_bits(value[i]), f32::from_bits(read[i]));
            assert!(value[i] == read[i] || (a - b).abs() < 5e-4, "{format:?}: {a} became {b}");
        }
        let size = format.texel_size() as usize;
        let bytes = image.read().expect("bytes");
        assert!(bytes[..5 * size].iter().all(|&b| b == 0), "{format:?}: others are as they were");
    }
}

#[test]
fn samples_are_apart() {
    let image = Image::new(&desc(ResourceKind::Texture2DMSArray, [3, 2, 2], 1, Format::R32Sint), &[]).expect("an image");
    for sample in 0..4 {
        for layer in 0..2 {
            image.view(image.desc().kind).store(sample, [2, 1, layer], [100 * layer + sample, 0, 0, 0], 0xf);
        }
    }
    image.view(image.desc().kind).store(4, [2, 1, 0], [77; 4], 0xf);
    for sample in 0..4 {
        assert_eq!(image.view(image.desc().kind).load(sample, [2, 1, 1], [0; 3])[0], 100 + sample);
        assert_eq!(image.view(image.desc().kind).load(sample, [1, 1, 0], [1, 0, 5])[0], sample);
        assert_eq!(image.view(image.desc().kind).load(sample, [1, 1, 1], [0; 3])[0], 0);
    }
    assert_eq!(image.view(image.desc().kind).load(4, [2, 1, 1], [0; 3])[0], 0);
    assert_eq!(image.view(image.desc().kind).dimensions(0), [3, 2, 2, 4]);
    assert!(image.read().is_err());
}

#[test]
fn sizes_of_every_kind() {
    use ResourceKind as K;
    #[rustfmt::skip]
    let rows = [
        (K::Texture1D,        [8, 1, 1],  2, 1, [4, 0, 0, 2]),
        (K::Texture1DArray,   [8, 1, 3],  4, 3, [1, 3, 0, 4]),
        (K::Texture2D,        [5, 3, 1],  3, 2, [1, 1, 0, 3]),
        (K::Texture2D,        [5, 3, 1],  3, 3, [0, 0, 0, 3]),
        (K::Texture2DArray,   [5, 3, 7],  3, 1, [2, 1, 7, 3]),
        (K::Texture3D,        [5, 3, 9],  3, 1, [2, 1, 4, 3]),
        (K::TextureCube,      [4, 4, 6],  3, 1, [2, 2, 0, 3]),
        (K::TextureCubeArray, [4, 4, 18], 3, 0, [4, 4, 3, 3]),
        (K::Texture2DMS,      [5, 3, 1],  1, 0, [5, 3, 0, 4]),
    ];
    for (kind, size, levels, level, expected) in rows {
        let image = Image::new(&desc(kind, size, levels, Format::R8Unorm), &[]).expect("an image");
        assert_eq!(image.view(image.desc().kind).dimensions(level), expected, "{kind:?}");
        assert!(image.view(image.desc().kind).dimensions(u32::MAX)[..3].iter().all(|&n| n == 0));
    }
}

#[test]
fn invalid_images_are_rejected() {
    let good = desc(ResourceKind::Texture2D, [4, 4, 1], 1, Format::R8Unorm);
    assert!(Image::new(&good, &[]).is_ok());
    assert!(Image::new(&ImageDesc { width: 0, ..good }, &[]).is_err());
    assert!(Image::new(&good, &[0; 15]).is_err());
    let many = |samples| ImageDesc { kind: ResourceKind::Texture2DMS, samples, ..good };
    assert!(Image::new(&many(16), &[]).is_ok());
    assert!(Image::new(&many(32), &[]).is_err_and(|e| e.message.contains("32 samples per texel; the maximum is 16")));
}

#[test]
fn texels_are_modified_atomically() {
    let image = Image::new(&desc(ResourceKind::Texture2D, [2, 2, 1], 1, Format::Rg32Uint), &[]).expect("an image");
    assert_eq!(image.view(image.desc().kind).atomic_u64([1, 1, 0], AtomicOp::Add, 1 << 40), 0);
    assert_eq!(image.view(image.desc().kind).atomic_u64([1, 1, 0], AtomicOp::Add, 1), 1 << 40);
    assert_eq!(image.view(image.desc().kind).load(0, [1, 1, 0], [0; 3]), [1, 256, 0, 1]);
    assert_eq!(image.view(image.desc().kind).compare_exchange_u64([1, 1, 0], 1 << 40 | 1, 5), 1 << 40 | 1);
    assert_eq!(image.view(image.desc().kind).atomic_u64([2, 1, 0], AtomicOp::Add, 1), 0);
    assert_eq!(image.view(image.desc().kind).atomic_u32([1, 1, 0], AtomicOp::Add, 1), 0, "texels of another size have no atomics");
    assert_eq!(image.view(image.desc().kind).load(0, [1, 1, 0], [0; 3]), [5, 0, 0, 1]);
    let image = numbered(ResourceKind::Texture2D, [2, 2, 1], 1);
    assert_eq!(image.view(image.desc().kind).atomic_u32([1, 1, 0], AtomicOp::SMax, u32::MAX), 3);
    assert_eq!(image.view(image.desc().kind).compare_exchange_u32([1, 1, 0], 3, 9), 3);
    assert_eq!(image.view(image.desc().kind).load(0, [1, 1, 0], [0; 3])[0], 9);
}

#[test]
fn positions_are_the_standard_ones() {
    assert_eq!(sample_position(4, 0), [-0.125, -0.375]);
    assert_eq!(sample_position(16, 12), [-0.5, 0.0]);
    for (samples, index) in [(1, 0), (4, 4), (3, 0), (0, 0), (8, u32::MAX)] {
        assert_eq!(sample_position(samples, index), [0.0; 2]);
    }
    // No two samples have the same position, and patterns of that size use each row and column once.
    for samples in [2, 4, 8, 16] {
        let all: Vec<_> = (0..samples).map(|i| sample_position(samples, i)).collect();
        for (i, p) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|q| q[0] != p[0] && q[1] != p[1]), "{samples}: {i}");
        }
    }
}
