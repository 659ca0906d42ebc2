//! Quads: groups of four lanes whose indices differ in the lowest two bits, as two rows of two.

/// The thread of a group for lane `lane`, where quads matter (SM 6.6 derivatives): in a one-dimensional group, lanes are
/// consecutive; in a group of even width and height, four lanes are a square of threads.
pub fn thread_of(lane: u32, threads: [u32; 3]) -> [u32; 3] {
    let [x, y, z] = threads;
    let line = x % 4 == 0 && y == 1 && z == 1;
    if line || x % 2 != 0 || y % 2 != 0 {
        return [lane % x, lane / x % y, lane / x / y];
    }
    let (quad, corner) = (lane / 4, lane % 4);
    let (across, down) = (x / 2, y / 2);
    [quad % across * 2 + corner % 2, quad / across % down * 2 + corner / 2, quad / across / down]
}

/// The pairs of lanes whose difference is a derivative, the preferred pair first. `own` is the requesting lane.
pub fn pairs(own: u32, fine: bool, down: bool) -> [[u32; 2]; 2] {
    let pairs = if down { [[0, 2], [1, 3]] } else { [[0, 1], [2, 3]] };
    let second = fine && (if down { own & 1 } else { own & 2 }) != 0;
    if second { [pairs[1], pairs[0]] } else { pairs }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_lines() {
        let quad = |q: u32, threads| (0..4).map(|n| thread_of(q * 4 + n, threads)).collect::<Vec<_>>();
        assert_eq!(quad(1, [8, 1, 1]), [[4, 0, 0], [5, 0, 0], [6, 0, 0], [7, 0, 0]]);
        assert_eq!(quad(0, [4, 4, 1]), [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]);
        assert_eq!(quad(3, [4, 4, 2]), [[2, 2, 0], [3, 2, 0], [2, 3, 0], [3, 3, 0]]);
        assert_eq!(quad(4, [4, 4, 2])[0], [0, 0, 1]);
        assert_eq!(quad(1, [2, 6, 1])[3], [1, 3, 0]);
    }

    #[test]
    fn every_thread_is_one_lane() {
        for threads in [[8, 1, 1], [4, 4, 1], [6, 2, 3], [3, 5, 2], [4, 1, 2]] {
            let count: u32 = threads.iter().product();
            let mut all: Vec<[u32; 3]> = (0..count).map(|n| thread_of(n, threads)).collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len() as u32, count, "{threads:?}");
            assert!(all.iter().all(|t| (0..3).all(|i| t[i] < threads[i])));
        }
    }
}
