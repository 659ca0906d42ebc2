//! Boxes of a dispatch: as large as the memory for their rays allows, whole rows and planes where these fit.

/// A box of a dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// Its first ray.
    pub origin: [u32; 3],
    /// Rays along each axis.
    pub size: [u32; 3],
}

impl Tile {
    /// Its rays.
    pub fn rays(&self) -> u64 {
        self.size.iter().map(|&n| u64::from(n)).product()
    }
}

/// A dispatch that is divided into boxes of one size, but for those at its ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tiling {
    size: [u32; 3],
    tile: [u32; 3],
}

impl Tiling {
    /// Divides a dispatch. A tile has at most `rays` rays, which is at least one, and at most `along` of them along an axis.
    pub fn new(size: [u32; 3], rays: u64, along: [u64; 3]) -> Tiling {
        let mut left = rays.max(1);
        let mut tile = [1; 3];
        for axis in 0..3 {
            let n = u64::from(size[axis]).min(along[axis].max(1)).min(left).max(1);
            tile[axis] = n as u32;
            // Only whole rows make a plane, and only whole planes a box.
            left = if n == u64::from(size[axis]) { left / n } else { 1 };
        }
        Tiling { size, tile }
    }

    /// The rays of a tile, at most.
    pub fn capacity(&self) -> u64 {
        Tile { origin: [0; 3], size: self.tile }.rays()
    }

    /// How many tiles there are along each axis; a dispatch without rays has none.
    fn counts(&self) -> [u32; 3] {
        if self.size.contains(&0) {
            return [0; 3];
        }
        std::array::from_fn(|axis| self.size[axis].div_ceil(self.tile[axis]))
    }

    /// How many tiles there are.
    pub fn count(&self) -> u128 {
        self.counts().iter().map(|&n| u128::from(n)).product()
    }

    /// Tile `n`, row by row; none: there are fewer.
    pub fn tile(&self, n: u128) -> Option<Tile> {
        if n >= self.count() {
            return None;
        }
        let counts = self.counts().map(u128::from);
        let at = [n % counts[0], n / counts[0] % counts[1], n / counts[0] / counts[1]];
        let origin = std::array::from_fn(|axis| at[axis] as u32 * self.tile[axis]);
        let size = std::array::from_fn(|axis| self.tile[axis].min(self.size[axis] - origin[axis]));
        Some(Tile { origin, size })
    }

    /// The tiles, one after the other.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        (0..self.count()).map_while(|n| self.tile(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: [u64; 3] = [u64::MAX; 3];

    #[test]
    fn every_ray_is_in_one_tile() {
        for size in [[1, 1, 1], [7, 5, 3], [16, 16, 1], [1, 9, 2], [3, 1, 40]] {
            for rays in [1, 2, 3, 7, 8, 34, 35, 36, 1000] {
                for along in [FREE, [4, 4, 4], [1, 1, 1]] {
                    let tiling = Tiling::new(size, rays, along);
                    let [w, h, d] = size;
                    let mut seen = vec![0; (w * h * d) as usize];
                    for tile in tiling.tiles() {
                        assert!((1..=rays).contains(&tile.rays()), "{size:?} {rays} {tile:?}");
                        assert!(tile.rays() <= tiling.capacity());
                        let [x, y, z] = tile.origin;
                        for z in z..z + tile.size[2] {
                            for y in y..y + tile.size[1] {
                                (x..x + tile.size[0]).for_each(|x| seen[((z * h + y) * w + x) as usize] += 1);
                            }
                        }
                    }
                    assert!(seen.iter().all(|n| *n == 1), "{size:?} {rays} {along:?}");
                    assert_eq!(tiling.tiles().count() as u128, tiling.count());
                }
            }
        }
    }

    #[test]
    fn tiles_are_as_large_as_they_can_be() {
        let tile = |size, rays| Tiling::new(size, rays, FREE).tile;
        assert_eq!(tile([1920, 1080, 1], 1 << 30), [1920, 1080, 1]);
        assert_eq!(tile([1920, 1080, 1], 1 << 20), [1920, 546, 1]);
        assert_eq!(tile([1920, 1080, 4], 5_000_000), [1920, 1080, 2]);
        assert_eq!(tile([1920, 1080, 4], 1000), [1000, 1, 1]);
        assert_eq!(tile([1920, 1080, 4], 0), [1, 1, 1]);
    }

    #[test]
    fn dispatches_without_rays_have_no_tile() {
        for size in [[0, 1, 1], [5, 0, 5], [0; 3]] {
            let tiling = Tiling::new(size, 10, FREE);
            assert_eq!((tiling.count(), tiling.tile(0), tiling.tiles().next()), (0, None, None));
        }
    }

    #[test]
    fn huge_dispatches_are_counted() {
        let all = Tiling::new([u32::MAX; 3], 1, FREE);
        assert_eq!(all.count(), u128::from(u32::MAX).pow(3));
        assert_eq!(all.tile(all.count() - 1).unwrap().origin, [u32::MAX - 1; 3]);
        let many = Tiling::new([1 << 16, 1 << 16, 1], 1 << 20, FREE);
        assert_eq!(many.count(), 4096);
        assert_eq!(many.tile(4095), Some(Tile { origin: [0, 65520, 0], size: [1 << 16, 16, 1] }));
        assert_eq!(many.tile(4096), None);
    }
}
