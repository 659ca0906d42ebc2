//! A scene at another resolution: as many rays as a measurement needs, or as few as a test can wait for.

use super::{BufferContents, Scene};

impl Scene {
    /// The scene with `factor` times as many rays in each direction; `None` if its size is part of what it says: it draws, runs compute shaders,
    /// or traces no rays.
    ///
    /// Images that shaders write and buffers of zeros go along if they have a texel, or bytes, for each ray of a dispatch. The camera stays, and
    /// so do constants: a scene whose constants say the size of its picture shows a part of it.
    pub fn scaled(&self, factor: f64) -> Option<Scene> {
        if !self.draws.is_empty() || self.dispatches.is_empty() || self.dispatches.iter().any(|d| d.compute) {
            return None;
        }
        let mut scene = self.clone();
        // A picture of one texel is still one.
        let side = |n: u32| (f64::from(n) * factor).round().clamp(1.0, f64::from(u16::MAX)) as u32;
        let mut sizes: Vec<[u32; 2]> = self.dispatches.iter().map(|d| [d.size[0], d.size[1]]).collect();
        sizes.dedup();
        for d in &mut scene.dispatches {
            (d.size[0], d.size[1]) = (side(d.size[0]), side(d.size[1]));
        }
        for i in &mut scene.images {
            if i.texels.is_empty() && i.desc.writable && sizes.contains(&[i.desc.width, i.desc.height]) {
                (i.desc.width, i.desc.height) = (side(i.desc.width), side(i.desc.height));
            }
        }
        for b in &mut scene.buffers {
            let BufferContents::Zero(bytes) = &mut b.contents else { continue };
            let rays = |s: &&[u32; 2]| {
                let rays = u64::from(s[0]) * u64::from(s[1]);
                rays > 1 && bytes.is_multiple_of(rays)
            };
            if let Some(&[w, h]) = sizes.iter().find(rays) {
                *bytes = *bytes / (u64::from(w) * u64::from(h)) * u64::from(side(w)) * u64::from(side(h));
            }
        }
        Some(scene)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;
    use std::path::Path;

    fn scene(text: &str) -> Scene {
        Scene::parse(Path::new("s.toml"), &format!("[shader]\npackage = \"s.rtp\"\n{text}")).expect("a scene")
    }

    #[test]
    fn what_belongs_to_rays_goes_along() {
        let text = "[images.Out]\nsize = [40, 20]\nformat = \"rgba8_unorm\"\n[images.Noise]\nsize = [8, 8]\nformat = \"r32_uint\"\n\
                    [buffers.Sums]\nsize = 12800\n[buffers.Count]\nsize = 4\n";
        let s = scene(text);
        let big = s.scaled(2.5).expect("rays alone");
        assert_eq!(big.dispatches[0].size, [100, 50, 1]);
        assert_eq!((big.images[0].desc.width, big.images[0].desc.height), (100, 50));
        assert_eq!((big.images[1].desc.width, big.images[1].desc.height), (8, 8));
        assert_eq!(big.buffers[0].contents, BufferContents::Zero(80000));
        assert_eq!(big.buffers[1].contents, BufferContents::Zero(4));
        assert_eq!(s.scaled(0.0001).expect("rays alone").dispatches[0].size, [1, 1, 1]);
    }

    #[test]
    fn compute_shaders_have_their_size() {
        assert_eq!(scene("[dispatch]\ngroups = [1]\n").scaled(2.0), None);
    }
}
