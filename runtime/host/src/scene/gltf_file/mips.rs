//! Mip levels of pictures: each is the one before it at half the size, averaged by area in linear light.

use super::Picture;

/// What a texel is while it is averaged: colours in linear light, and alpha.
type Linear = [f32; 4];

impl Picture {
    /// How many levels it can have.
    pub fn levels(&self) -> u32 {
        u32::BITS - self.width.max(self.height).max(1).leading_zeros()
    }

    /// The texels of all levels, one after the other.
    pub fn with_mips(&self, srgb: bool) -> Vec<u8> {
        let decoded: Vec<f32> = (0..=255u8).map(|c| decode(f32::from(c) / 255.0)).collect();
        let color = |c: u8| if srgb { decoded[usize::from(c)] } else { f32::from(c) / 255.0 };
        let linear = |t: &[u8; 4]| [color(t[0]), color(t[1]), color(t[2]), f32::from(t[3]) / 255.0];
        let mut texels: Vec<Linear> = self.texels.as_chunks().0.iter().map(linear).collect();
        let (mut width, mut height) = (self.width as usize, self.height as usize);
        let mut out = self.texels.clone();
        while width > 1 || height > 1 {
            let (across, down) = ((width / 2).max(1), (height / 2).max(1));
            let narrow = halved(&texels, across, width, (height, width), 1);
            texels = halved(&narrow, down, height, (across, 1), across);
            (width, height) = (across, down);
            let byte = |x: f32| (x.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
            let encoded = |x: f32| byte(if srgb { encode(x) } else { x });
            out.extend(texels.iter().flat_map(|t| [encoded(t[0]), encoded(t[1]), encoded(t[2]), byte(t[3])]));
        }
        out
    }
}

/// Averages of `from` texels in `to` ones along one side, by area; the texels are `step` apart. There are `lines.0` such lines, `lines.1` apart,
/// which keep their order.
fn halved(texels: &[Linear], to: usize, from: usize, lines: (usize, usize), step: usize) -> Vec<Linear> {
    let (count, apart) = lines;
    let mut out = vec![[0.0; 4]; to * count];
    for line in 0..count {
        for at in 0..to {
            // In units of 1 / to of a source texel, so that bounds are whole.
            let (begin, end) = (at * from, (at + 1) * from);
            let mut sum = [0.0f32; 4];
            for i in begin / to..end.div_ceil(to) {
                let weight = (end.min((i + 1) * to) - begin.max(i * to)) as f32 / from as f32;
                let texel = texels[line * apart + i * step];
                sum.iter_mut().zip(texel).for_each(|(s, t)| *s += t * weight);
            }
            // Along rows the lines are rows; along columns they are columns of as many.
            out[if step == 1 { line * to + at } else { at * count + line }] = sum;
        }
    }
    out
}

fn decode(x: f32) -> f32 {
    if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

fn encode(x: f32) -> f32 {
    if x <= 0.003_130_8 { x * 12.92 } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
        let texels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)).collect();
        Picture { width, height, texels }
    }

    #[test]
    fn levels_average_linear_light() {
        let p = picture(2, 2, |x, _| if x == 0 { [0, 0, 0, 0] } else { [255; 4] });
        assert_eq!((p.levels(), p.with_mips(false)[16..].to_vec()), (2, vec![128; 4]));
        // Half of the light is 188 in sRGB; alpha is linear.
        assert_eq!(p.with_mips(true)[16..], [188, 188, 188, 128]);
    }

    #[test]
    fn odd_sizes_are_averaged_by_area() {
        let p = picture(3, 1, |x, _| [[0, 90, 30][x as usize]; 4]);
        assert_eq!((p.levels(), p.with_mips(false)[12..].to_vec()), (2, vec![40; 4]));
        let p = picture(5, 2, |x, y| [(x * 20 + y * 100) as u8; 4]);
        // 5 x 2, 2 x 1, 1 x 1.
        assert_eq!(p.levels(), 3);
        let all = p.with_mips(false);
        // The first of two is of texels 0, 1 and half of 2: (0 + 20 + 20) / 2.5 = 16, and 50 for the rows.
        assert_eq!(all[40..].chunks(4).map(|t| t[0]).collect::<Vec<_>>(), [66, 114, 90]);
        let tall = picture(1, 5, |_, y| [(y * 20) as u8; 4]);
        assert_eq!(tall.with_mips(false)[20..].chunks(4).map(|t| t[0]).collect::<Vec<_>>(), [16, 64, 40]);
        // Rows and columns are not mixed up.
        let p = picture(4, 4, |x, y| [(x * 10) as u8, (y * 10) as u8, 7, 255]);
        let second: Vec<_> = p.with_mips(false)[64..80].chunks(4).map(|t| [t[0], t[1], t[2]]).collect();
        assert_eq!(second, [[5, 5, 7], [25, 5, 7], [5, 25, 7], [25, 25, 7]]);
        assert_eq!(picture(1, 1, |_, _| [9; 4]).with_mips(true), [9; 4]);
    }
}
