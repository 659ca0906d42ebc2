//! What a scene says must be in its targets and buffers when everything has run, compared with what is there.

use super::Run;
use crate::checks::{Checks, compare};
use crate::device::{RenderTarget, TargetFormat};
use crate::error::Result;
use crate::results::channels;
use crate::scene::{BufferSource, Scalar, TargetSource};

impl Run<'_> {
    /// Compares every expectation of the scene; none leaves `out` as it is.
    pub(super) fn expectations(&mut self, out: &mut Option<Checks>) -> Result<()> {
        let scene = self.scene;
        for t in scene.targets.iter().filter(|t| !t.expect.is_empty()) {
            if let Some(&id) = self.targets.get(t.target.name.as_str()) {
                self.texels(t, id, out.get_or_insert_default())?;
            }
        }
        for b in scene.buffers.iter().filter(|b| !b.expect.is_empty()) {
            if let Some(&id) = self.buffers.get(b.target.name.as_str()) {
                let bytes = self.device.read_buffer(id)?;
                self.elements(b, &bytes, out.get_or_insert_default());
            }
        }
        Ok(())
    }

    fn texels(&mut self, t: &TargetSource, id: RenderTarget, out: &mut Checks) -> Result<()> {
        let bytes = self.device.read_target(id)?;
        let texel = match t.desc.format {
            TargetFormat::Color(format) => format.texel_size() as usize,
            TargetFormat::Depth(_) => 4,
        };
        for e in &t.expect {
            let [left, top, width, height] = e.rect;
            for (y, x) in (top..top + height).flat_map(|y| (left..left + width).map(move |x| (y, x))) {
                let row = e.layer as usize * t.desc.height as usize + y as usize;
                let at = (row * t.desc.width as usize + x as usize) * texel;
                let found = channels(t.desc.format, bytes.get(at..at + texel).unwrap_or_default());
                let close = |(a, b): (&f64, &f64)| (a - b).abs() <= e.within || (a.is_nan() && b.is_nan()) || a == b;
                let same = found.len() >= e.channels.len() && found.iter().zip(&e.channels).all(close);
                out.add(match same {
                    true => Ok(()),
                    false => {
                        let why = format!("texel ({x}, {y}) of `{}` is {found:?}, expected {:?}", t.target.name, e.channels);
                        Err(self.scene.error(&e.location, why).message)
                    }
                });
            }
        }
        Ok(())
    }

    fn elements(&self, b: &BufferSource, bytes: &[u8], out: &mut Checks) {
        let floating: Vec<bool> = b.layout.iter().flat_map(|t| std::iter::repeat_n(t.scalar == Scalar::Float, t.stored_words())).collect();
        let size = floating.len() * 4;
        for (n, (expected, location)) in b.expect.iter().enumerate() {
            let found = bytes.get(n * size..(n + 1) * size).unwrap_or_default();
            let word = |bytes: &[u8], i: usize| bytes.get(i * 4..i * 4 + 4).and_then(|c| c.try_into().ok()).map(u32::from_le_bytes);
            let wrong = floating.iter().enumerate().find_map(|(i, floating)| match (word(found, i), word(expected, i)) {
                (Some(found), Some(expected)) => compare(found, expected, *floating).err().map(|why| (i, why)),
                _ => Some((i, "there is no such element".to_string())),
            });
            out.add(match wrong {
                None => Ok(()),
                Some((i, why)) => {
                    let why = format!("element {n} of `{}`, number {i}: {why}", b.target.name);
                    Err(self.scene.error(location, why).message)
                }
            });
        }
    }
}
