//! Meshlets: the triangles of a geometry in small groups, as mesh shaders draw them.
//!
//! A group starts with a triangle and takes a neighbour after the other: one that would be left alone, else the one that needs the fewest new
//! vertices, among those the one nearest to the group's middle, so that groups are round and no single triangles stay between them.

use super::shapes::Triangles;

/// Vertices of a meshlet at most.
pub const MESHLET_VERTICES: usize = 64;
/// Triangles of a meshlet at most.
pub const MESHLET_TRIANGLES: usize = 126;
/// Neighbours that are looked at. More are there only around a vertex of very many triangles, where any will do.
const MAX_BORDER: usize = 1024;

/// The meshlets of a geometry.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Meshlets {
    /// Of each meshlet: its first entry in `vertices` and their number, its first entry in `triangles` and their number.
    pub meshlets: Vec<[u32; 4]>,
    /// Indices into the vertices of the geometry.
    pub vertices: Vec<u32>,
    /// Three indices into the vertices of the meshlet, 10 bits each, the first in the lowest bits.
    pub triangles: Vec<u32>,
}

/// The group that grows.
#[derive(Default)]
struct Group {
    vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// The sum of the vertices' positions.
    sum: [f64; 3],
}

impl Group {
    /// How many vertices a triangle would add.
    fn added(&self, t: [u32; 3]) -> usize {
        let new = |i: usize| !self.vertices.contains(&t[i]) && !t[..i].contains(&t[i]);
        (0..3).filter(|&i| new(i)).count()
    }

    fn fits(&self, t: [u32; 3]) -> bool {
        self.triangles.len() < MESHLET_TRIANGLES && self.vertices.len() + self.added(t) <= MESHLET_VERTICES
    }

    fn add(&mut self, t: [u32; 3], positions: &[[f32; 3]]) {
        let local = t.map(|v| {
            let at = self.vertices.iter().position(|known| *known == v).unwrap_or_else(|| {
                let p = positions.get(v as usize).copied().unwrap_or_default();
                self.sum = [0, 1, 2].map(|k| self.sum[k] + f64::from(p[k]));
                self.vertices.push(v);
                self.vertices.len() - 1
            });
            at as u32
        });
        self.triangles.push(local);
    }

    /// The square of the distance between a triangle's first vertex and the middle of the group.
    fn distance(&self, t: [u32; 3], positions: &[[f32; 3]]) -> f64 {
        let p = positions.get(t[0] as usize).copied().unwrap_or_default();
        let n = self.vertices.len().max(1) as f64;
        (0..3).map(|k| (f64::from(p[k]) - self.sum[k] / n).powi(2)).sum()
    }
}

impl Meshlets {
    /// Makes meshlets of triangles.
    pub fn new(t: &Triangles) -> Meshlets {
        let whole = || (0..t.positions.len() as u32).collect();
        let indices: Vec<u32> = t.indices.clone().unwrap_or_else(whole);
        let triangles: Vec<[u32; 3]> = indices.as_chunks::<3>().0.to_vec();
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); t.positions.len()];
        for (n, corners) in triangles.iter().enumerate() {
            for v in corners {
                if let Some(list) = around.get_mut(*v as usize) {
                    list.push(n as u32);
                }
            }
        }
        let mut used = vec![false; triangles.len()];
        // Triangles of each vertex that are in no group.
        let mut left: Vec<usize> = around.iter().map(Vec::len).collect();
        let mut out = Meshlets::default();
        let mut first = 0;
        loop {
            while used.get(first).is_some_and(|u| *u) {
                first += 1;
            }
            let Some(seed) = triangles.get(first) else { return out };
            let mut group = Group::default();
            // Triangles next to the group, each once; those that are used stay until they are seen.
            let mut border: Vec<u32> = Vec::new();
            let mut next = Some((first, *seed));
            while let Some((n, corners)) = next {
                used[n] = true;
                for v in corners {
                    if let Some(left) = left.get_mut(v as usize) {
                        *left = left.saturating_sub(1);
                    }
                }
                let before = group.vertices.len();
                group.add(corners, &t.positions);
                let new = group.vertices[before..].iter().filter_map(|v| around.get(*v as usize)).flatten();
                border.extend(new.copied());
                border.retain(|n| !used[*n as usize]);
                border.sort_unstable();
                border.dedup();
                border.truncate(MAX_BORDER);
                let fitting = border.iter().map(|n| (*n as usize, triangles[*n as usize])).filter(|c| group.fits(c.1));
                next = fitting.min_by(|(_, a), (_, b)| {
                    let alone = |c: [u32; 3]| c.iter().any(|v| left.get(*v as usize) == Some(&1));
                    let key = |c: [u32; 3]| (if alone(c) { 0 } else { 1 + group.added(c) }, group.distance(c, &t.positions));
                    let (a, b) = (key(*a), key(*b));
                    a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
                });
            }
            out.push(&group);
        }
    }

    fn push(&mut self, group: &Group) {
        let (v, t) = (self.vertices.len() as u32, self.triangles.len() as u32);
        self.meshlets.push([v, group.vertices.len() as u32, t, group.triangles.len() as u32]);
        self.vertices.extend(&group.vertices);
        self.triangles.extend(group.triangles.iter().map(|[a, b, c]| a | b << 10 | c << 20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every triangle of the source is in one meshlet, with its corners in their order, and no meshlet is too large.
    fn whole(t: &Triangles) -> Meshlets {
        let out = Meshlets::new(t);
        let mut found = Vec::new();
        let (mut vertices, mut triangles) = (0, 0);
        for [v, vs, t, ts] in &out.meshlets {
            assert_eq!((*v, *t), (vertices, triangles));
            (vertices, triangles) = (v + vs, t + ts);
            assert!((3..=MESHLET_VERTICES).contains(&(*vs as usize)) && (1..=MESHLET_TRIANGLES).contains(&(*ts as usize)));
            for packed in &out.triangles[*t as usize..triangles as usize] {
                let corner = |n: u32| {
                    let local = packed >> n & 1023;
                    assert!(local < *vs);
                    out.vertices[(v + local) as usize]
                };
                found.push([corner(0), corner(10), corner(20)]);
            }
        }
        assert_eq!((vertices as usize, triangles as usize), (out.vertices.len(), out.triangles.len()));
        let mut given: Vec<[u32; 3]> = match &t.indices {
            Some(list) => list.as_chunks::<3>().0.to_vec(),
            None => (0..t.positions.len() as u32 / 3).map(|n| [n * 3, n * 3 + 1, n * 3 + 2]).collect(),
        };
        found.sort_unstable();
        given.sort_unstable();
        assert_eq!(found, given);
        out
    }

    fn grid(n: u32) -> Triangles {
        let row = n + 1;
        let mut t =
            Triangles { positions: (0..row * row).map(|i| [(i % row) as f32, 0.0, (i / row) as f32]).collect(), ..Triangles::default() };
        let cell = |i: u32| {
            let a = i / n * row + i % n;
            [a, a + row, a + row + 1, a, a + row + 1, a + 1]
        };
        t.indices = Some((0..n * n).flat_map(cell).collect());
        t
    }

    #[test]
    fn meshlets_hold_every_triangle_once() {
        let few = whole(&grid(40));
        // 33 squares of 64 vertices would hold the grid.
        assert!(few.meshlets.len() <= 40, "{}", few.meshlets.len());
        assert_eq!(whole(&grid(1)).meshlets, [[0, 4, 0, 2]]);
    }

    #[test]
    fn meshlets_of_odd_geometry() {
        assert_eq!(whole(&Triangles::default()), Meshlets::default());
        // No indices and no common vertices: no triangle has a neighbour.
        let loose = Triangles { positions: (0..300).map(|i| [i as f32, f32::NAN, 0.0]).collect(), ..Triangles::default() };
        let m = whole(&loose);
        assert_eq!(m.meshlets.len(), 100);
        // The same triangle again and again, and one without an area.
        let mut same = grid(1);
        same.indices = Some([[0, 1, 2]; 200].as_flattened().to_vec());
        assert_eq!(whole(&same).meshlets, [[0, 3, 0, 126], [3, 3, 126, 74]]);
        let fan = |n: u32| (1..n).flat_map(|i| [0, i, i + 1]).collect::<Vec<u32>>();
        let around = Triangles { positions: vec![[0.0; 3]; 5000], indices: Some(fan(4999)), ..Triangles::default() };
        assert!((81..=85).contains(&whole(&around).meshlets.len()));
        same.indices = Some(vec![0, 0, 1]);
        assert_eq!(Meshlets::new(&same).meshlets, [[0, 2, 0, 1]]);
    }
}
