//! The data of accessors: strided, sparse, of every type of component. Nothing outside of a view or a buffer is read.

use super::nodes::Matrix;
use gltf::accessor::{Accessor, DataType, Dimensions};
use gltf::buffer::View;

/// Most bytes of an accessor without data of its own: one that is made of zeros.
const MAX_ZEROS: usize = 1 << 28;

/// The contents of all buffers.
pub(super) struct Buffers(pub Vec<Vec<u8>>);

type Read<T> = Result<T, String>;

impl Buffers {
    /// The bytes of a view.
    pub fn view(&self, view: &View<'_>) -> Read<&[u8]> {
        let (index, offset, length) = (view.buffer().index(), view.offset(), view.length());
        let buffer = self.0.get(index).map_or(&[][..], Vec::as_slice);
        offset.checked_add(length).and_then(|end| buffer.get(offset..end)).ok_or_else(|| {
            format!(
                "bufferView {}: {length} bytes from byte {offset} on are not within buffer {index}, which has {}",
                view.index(),
                buffer.len()
            )
        })
    }

    /// `count` elements of `size` bytes, `stride` apart.
    fn strided(&self, view: &View<'_>, offset: usize, stride: usize, size: usize, count: usize) -> Read<Vec<u8>> {
        let bytes = self.view(view)?;
        let last =
            count.checked_sub(1).and_then(|n| n.checked_mul(stride)).and_then(|n| n.checked_add(offset)).and_then(|n| n.checked_add(size));
        if last.is_none_or(|end| end > bytes.len()) {
            let length = bytes.len();
            return Err(format!(
                "{count} elements from byte {offset} on are not within bufferView {}, which has {length} bytes",
                view.index()
            ));
        }
        if stride == size {
            return Ok(bytes[offset..offset + size * count].to_vec());
        }
        let mut out = Vec::with_capacity(size * count);
        for n in 0..count {
            let at = offset + n * stride;
            out.extend_from_slice(&bytes[at..at + size]);
        }
        Ok(out)
    }

    /// The elements of an accessor without gaps.
    fn elements(&self, a: &Accessor<'_>) -> Read<Vec<u8>> {
        let (size, count) = (a.size(), a.count());
        let at = |why: String| format!("accessor {}: {why}", a.index());
        if count == 0 {
            return Err(at("it has no elements".into()));
        }
        let mut out = match a.view() {
            Some(view) => {
                let stride = view.stride().unwrap_or(size);
                if stride < size {
                    return Err(at(format!("its elements of {size} bytes are only {stride} apart")));
                }
                self.strided(&view, a.offset(), stride, size, count).map_err(at)?
            }
            None => match size.checked_mul(count).filter(|n| *n <= MAX_ZEROS) {
                Some(_) if a.sparse().is_none() => return Err(at("it has no data (data of compressed meshes are not read)".into())),
                Some(total) => vec![0; total],
                None => return Err(at(format!("{count} elements are too many for one without data"))),
            },
        };
        let Some(sparse) = a.sparse() else { return Ok(out) };
        let at = |why: String| at(format!("sparse: {why}"));
        if sparse.count() == 0 {
            return Ok(out);
        }
        let (indices, values) = (sparse.indices(), sparse.values());
        let width = indices.index_type().size();
        let places = self.strided(&indices.view(), indices.offset(), width, width, sparse.count()).map_err(at)?;
        let values = self.strided(&values.view(), values.offset(), size, size, sparse.count()).map_err(at)?;
        for (place, value) in places.chunks_exact(width).zip(values.chunks_exact(size)) {
            let place = little_endian(place) as usize;
            let Some(range) = (place < count).then(|| place * size..(place + 1) * size) else {
                return Err(at(format!("element {place} of {count}")));
            };
            out[range].copy_from_slice(value);
        }
        Ok(out)
    }

    /// Vectors of `N` numbers. Integers are what they are, or fractions of their range if they are normalized.
    pub fn vectors<const N: usize>(&self, a: &Accessor<'_>) -> Read<Vec<[f32; N]>> {
        let expected = match N {
            1 => Dimensions::Scalar,
            2 => Dimensions::Vec2,
            3 => Dimensions::Vec3,
            _ => Dimensions::Vec4,
        };
        if a.dimensions() != expected {
            return Err(format!("accessor {}: its elements are {:?}, expected {expected:?}", a.index(), a.dimensions()));
        }
        let bytes = self.elements(a)?;
        let width = a.data_type().size();
        let (kind, normalized) = (a.data_type(), a.normalized());
        let numbers: Vec<f32> = bytes.chunks_exact(width).map(|c| number(kind, normalized, c)).collect();
        if let Some(n) = numbers.iter().position(|x| !x.is_finite()) {
            return Err(format!("accessor {}: element {} is not a finite number", a.index(), n / N));
        }
        Ok(numbers.as_chunks::<N>().0.to_vec())
    }

    /// Matrices of four rows and columns, column by column.
    pub fn matrices(&self, a: &Accessor<'_>) -> Read<Vec<Matrix>> {
        if a.dimensions() != Dimensions::Mat4 || a.data_type() != DataType::F32 {
            return Err(format!(
                "accessor {}: its elements are {:?} {:?}, expected matrices of floats",
                a.index(),
                a.data_type(),
                a.dimensions()
            ));
        }
        let bytes = self.elements(a)?;
        let numbers: Vec<f32> = bytes.chunks_exact(4).map(|c| f32::from_bits(little_endian(c))).collect();
        if numbers.iter().any(|x| !x.is_finite()) {
            return Err(format!("accessor {}: a matrix is not finite", a.index()));
        }
        Ok(numbers.as_chunks::<4>().0.as_chunks::<4>().0.to_vec())
    }

    /// Indices of any width.
    pub fn indices(&self, a: &Accessor<'_>) -> Read<Vec<u32>> {
        let wide = matches!(a.data_type(), DataType::U8 | DataType::U16 | DataType::U32);
        if a.dimensions() != Dimensions::Scalar || !wide {
            return Err(format!("accessor {}: indices are unsigned integers, found {:?} {:?}", a.index(), a.data_type(), a.dimensions()));
        }
        Ok(self.elements(a)?.chunks_exact(a.data_type().size()).map(little_endian).collect())
    }
}

fn little_endian(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |n, b| n << 8 | u32::from(*b))
}

fn number(kind: DataType, normalized: bool, c: &[u8]) -> f32 {
    let bits = little_endian(c);
    let (value, range) = match kind {
        DataType::I8 => (f32::from(bits as u8 as i8), 127.0),
        DataType::U8 => (bits as f32, 255.0),
        DataType::I16 => (f32::from(bits as u16 as i16), 32767.0),
        DataType::U16 => (bits as f32, 65535.0),
        DataType::U32 => (bits as f32, u32::MAX as f32),
        DataType::F32 => return f32::from_bits(bits),
    };
    // The most negative number is as far from zero as the most positive one.
    if normalized { (value / range).max(-1.0) } else { value }
}
