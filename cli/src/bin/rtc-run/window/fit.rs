//! A picture in a window of another size: as large as fits, in the middle, with square pixels; black is around it.

/// Colors of a picture, row by row, as a window has them: `0RGB`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pixels {
    /// Width and height.
    pub size: [u32; 2],
    /// The colors.
    pub colors: Vec<u32>,
}

impl Pixels {
    /// The pixels of red, green and blue.
    pub fn of(size: [u32; 2], colors: &[[u8; 3]]) -> Pixels {
        Pixels { size, colors: colors.iter().map(|&[r, g, b]| u32::from_be_bytes([0, r, g, b])).collect() }
    }

    /// Draws the picture into a window of this size; each pixel of the window has the color of the nearest one.
    pub fn draw(&self, window: [u32; 2], out: &mut [u32]) {
        let (place, size) = place(self.size, window);
        let [width, height] = self.size;
        for (y, row) in out.chunks_exact_mut((window[0] as usize).max(1)).enumerate() {
            let source = nearest(y as u32, place[1], size[1], height);
            let colors = source.and_then(|y| self.colors.get(y as usize * width as usize..)?.get(..width as usize));
            for (x, pixel) in row.iter_mut().enumerate() {
                let color = nearest(x as u32, place[0], size[0], width).and_then(|x| colors?.get(x as usize));
                *pixel = color.copied().unwrap_or(0);
            }
        }
    }
}

/// Where a picture is in a window, and how large.
fn place(picture: [u32; 2], window: [u32; 2]) -> ([u32; 2], [u32; 2]) {
    let [w, h] = picture.map(|n| u64::from(n.max(1)));
    let [across, down] = window.map(u64::from);
    // The side that has less room decides.
    let size = if across * h <= down * w { [across, across * h / w] } else { [down * w / h, down] };
    let size = size.map(|n| n.max(1) as u32);
    ([0, 1].map(|i| window[i].saturating_sub(size[i]) / 2), size)
}

/// The texel nearest to a pixel; none: no picture is there.
fn nearest(pixel: u32, place: u32, size: u32, texels: u32) -> Option<u32> {
    let inside = pixel.checked_sub(place).filter(|p| *p < size)?;
    Some((u64::from(inside) * u64::from(texels) / u64::from(size)) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_scaled() {
        let picture = Pixels::of([2, 1], &[[1, 2, 3], [255, 0, 0]]);
        assert_eq!(picture.colors, [0x0001_0203, 0x00ff_0000]);
        let [a, b] = [picture.colors[0], picture.colors[1]];
        let draw = |window: [u32; 2]| {
            let mut out = vec![9; (window[0] * window[1]) as usize];
            picture.draw(window, &mut out);
            out
        };
        assert_eq!(draw([2, 1]), [a, b]);
        assert_eq!(draw([4, 2]), [a, a, b, b].repeat(2));
        assert_eq!(draw([2, 3]), [0, 0, a, b, 0, 0]);
        assert_eq!(draw([4, 1]), [0, a, b, 0]);
        assert_eq!(draw([1, 1]), [a]);
        assert_eq!(draw([0, 1]), [0; 0]);
        let mut out = [9];
        Pixels::default().draw([1, 1], &mut out);
        assert_eq!(out, [0]);
    }
}
