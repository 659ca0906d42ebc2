//! Clusters: hit attributes, templates, compressed positions, rejected inputs.

use super::super::{Cluster, compressed};
use super::*;

/// A square of two triangles at z, `x` to `x + 1`.
fn square(id: u32, x: f32, z: f32) -> ClusterDesc {
    let positions = vec![[x, 0.0, z], [x, 1.0, z], [x + 1.0, 0.0, z], [x + 1.0, 1.0, z]];
    ClusterDesc::new(id, positions, vec![0, 1, 2, 2, 1, 3])
}

fn build(desc: &ClusterDesc) -> Arc<Cluster> {
    Arc::new(Cluster::build(desc, &no_micromaps).unwrap())
}

fn down(x: f32, y: f32) -> Ray {
    Ray { origin: [x, y, -1.0], t_min: 0.0, direction: [0.0, 0.0, 1.0], t_max: 100.0 }
}

fn seen(top: &Top, x: f32, y: f32) -> Option<(u32, u32, u32, bool)> {
    closest(top, down(x, y), 0).map(|h| (h.cluster, h.geometry, h.primitive, h.opaque))
}

#[test]
fn hits_show_cluster_geometry_and_the_primitive_in_the_cluster() {
    let mut a = square(7, 0.0, 0.0);
    a.base_geometry = 10;
    a.geometries = vec![5, 1 | CLUSTER_GEOMETRY_OPAQUE];
    a.geometry_indices = Some(vec![1, 0]);
    let mut b = square(u32::MAX - 1, 1.0, 0.0);
    b.base_geometry = 3 | CLUSTER_GEOMETRY_OPAQUE;
    let bottom = Arc::new(Bottom::of_clusters(&[None, Some(build(&a)), None, Some(build(&b))]).unwrap());
    assert!(bottom.is_clustered() && bottom.primitives() == 4);
    let top = top(&[placed(&bottom)]);
    assert_eq!(seen(&top, 0.2, 0.2), Some((7, 11, 0, true)));
    assert_eq!(seen(&top, 0.8, 0.8), Some((7, 15, 1, false)));
    assert_eq!(seen(&top, 1.2, 0.2), Some((u32::MAX - 1, 3, 0, true)));
    assert_eq!(seen(&top, 1.8, 0.8), Some((u32::MAX - 1, 3, 1, true)));
    assert_eq!(seen(&top, 2.2, 0.2), None);
    let hit = closest(&top, down(1.8, 0.8), 0).unwrap();
    assert_eq!(top.positions(&hit).unwrap(), [[2.0, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 1.0, 0.0]]);
    // Serialisation round trip.
    let bytes = bottom.serialize();
    assert_eq!(deserialize(&bytes, &[]).unwrap(), Structure::Bottom((*bottom).clone()));
    // Other structures have no clusters.
    let plain = super::bottom(vec![triangles(vec![[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], 0)]);
    assert_eq!(closest(&super::top(&[placed(&plain)]), down(0.2, 0.2), 0).unwrap().cluster, CLUSTER_ID_INVALID);
}

#[test]
fn clusters_are_hit_like_the_same_triangles() {
    let mut random = Random(31);
    let mut all = Vec::new();
    let clusters: Vec<Option<Arc<Cluster>>> = (0..60)
        .map(|id| {
            let (n, at) = (random.below(CLUSTER_MAX as u32 / 3 + 1), random.point(4.0));
            let positions: Vec<[f32; 3]> = (0..3 * n)
                .map(|_| {
                    let p = random.point(0.7);
                    std::array::from_fn(|a| at[a] + p[a])
                })
                .collect();
            all.extend(&positions);
            Some(build(&ClusterDesc::new(id, positions, (0..3 * n).collect())))
        })
        .collect();
    let clustered = Arc::new(Bottom::of_clusters(&clusters).unwrap());
    let (a, b) = (top(&[placed(&clustered)]), top(&[placed(&bottom(vec![triangles(all, 0)]))]));
    let mut hits = 0;
    for _ in 0..1000 {
        let (from, to) = (random.point(8.0), random.point(3.0));
        let r = ray(from, std::array::from_fn(|i| to[i] - from[i]));
        let (x, y) = (closest(&a, r, 0), closest(&b, r, 0));
        assert_eq!(x.map(|h| (h.t, h.barycentrics, h.front_face)), y.map(|h| (h.t, h.barycentrics, h.front_face)));
        if let (Some(x), Some(y)) = (x, y) {
            hits += 1;
            assert_eq!(a.positions(&x), b.positions(&y));
        }
    }
    assert!(hits > 300);
}

#[test]
fn nothing_is_a_cluster_too() {
    let empty = build(&ClusterDesc::new(1, Vec::new(), Vec::new()));
    for list in [vec![], vec![None], vec![Some(empty)]] {
        let bottom = Arc::new(Bottom::of_clusters(&list).unwrap());
        assert!(bottom.bounds().is_none());
        assert!(seen(&top(&[placed(&bottom)]), 0.2, 0.2).is_none());
    }
}

#[test]
fn micromaps_of_a_cluster_may_be_skipped() {
    let maps = Arc::new(
        MicromapArray::build(&MicromapArrayDesc {
            data: vec![0],
            entries: vec![MicromapEntry { offset: 0, level: 0, format: MicromapFormat::TwoState }],
        })
        .unwrap(),
    );
    let mut desc = square(1, 0.0, 0.0);
    desc.base_geometry = CLUSTER_GEOMETRY_OPAQUE;
    let link = |indices| Some(GeometryMicromaps { array: Some(Micromaps::number(0)), indices: Some(indices), base: 0 });
    desc.micromaps = link(vec![0, MICROMAP_CLUSTER_SKIP]);
    let find = |_| Ok(maps.clone());
    let cluster = Arc::new(Cluster::build(&desc, &find).unwrap());
    let bottom = Arc::new(Bottom::of_clusters(&[Some(cluster)]).unwrap());
    let top = top(&[placed(&bottom)]);
    assert_eq!(seen(&top, 0.2, 0.2), None);
    assert_eq!(seen(&top, 0.8, 0.8), Some((1, 0, 1, true)));
    desc.micromaps = link(vec![0, -6]);
    assert!(Cluster::build(&desc, &find).unwrap_err().message.contains("-6 is no index"));
}

#[test]
fn templates_become_clusters() {
    for hint in [true, false] {
        let mut cluster = square(5, 0.0, 0.0);
        cluster.base_geometry = 20;
        cluster.max_geometry = 30;
        let floats = |c: &ClusterDesc| c.positions.clone();
        let real = floats(&square(0, 3.0, 0.5));
        if !hint {
            cluster.positions = ClusterPositions::Float(Vec::new());
        }
        let bounds = Some([0.0, 0.0, 0.0, 4.0, 1.0, 0.5]);
        let desc = ClusterTemplateDesc { cluster, vertices: 4, bounds, compressed: None, precision: VertexFormat::default() };
        let template = Template::build(&desc, &no_micromaps).unwrap();
        let made = template.instantiate(u32::MAX, -15, &real).unwrap();
        let again = template.instantiate(2, 10, &floats(&square(0, 0.0, 0.0))).unwrap();
        let bottom = Arc::new(Bottom::of_clusters(&[Some(Arc::new(made)), Some(Arc::new(again))]).unwrap());
        let top = top(&[placed(&bottom)]);
        assert_eq!(seen(&top, 3.2, 0.2), Some((4, 5, 0, false)));
        assert_eq!(seen(&top, 0.8, 0.8), Some((7, 30, 1, false)));
        let refused = |offset, p: &ClusterPositions| template.instantiate(0, offset, p).unwrap_err().message;
        assert!(refused(11, &real).contains("geometry index 31"));
        assert!(refused(-21, &real).contains("geometry index -1"));
        assert!(refused(0, &floats(&square(0, 3.5, 0.0))).contains("outside of the bounds"));
        assert!(refused(0, &ClusterPositions::Float(vec![[0.0; 3]; 3])).contains("3 positions"));
    }
}

#[test]
fn compressed_positions_are_read_as_they_were_written() {
    let mut random = Random(37);
    for _ in 0..300 {
        let format =
            Compressed1Template { exponent: 100 + random.below(50) as u8, bits: std::array::from_fn(|_| 1 + random.below(16) as u8) };
        let scale = 2f32.powi(i32::from(format.exponent) - 127);
        let anchor: [i32; 3] = std::array::from_fn(|_| random.below(1 << 20) as i32 - (1 << 19));
        let n = 1 + random.below(20);
        let exact: Vec<[f32; 3]> = (0..n)
            .map(|i| {
                std::array::from_fn(|a| {
                    let offset = if i == 0 { 0 } else { random.below(1 << format.bits[a]) as i32 };
                    (anchor[a] + offset) as f32 * scale
                })
            })
            .collect();
        let bytes = compressed::encode(&exact, &format).unwrap();
        assert_eq!(compressed::decode(&bytes, n).unwrap(), exact);
        let h = compressed::header(&bytes).unwrap();
        assert_eq!((h.anchor, h.exponent), (anchor, u32::from(format.exponent)));
        for cut in 0..bytes.len() {
            assert!(compressed::decode(&bytes[..cut], n).is_err());
        }
        // Displaced by less than half a step, they are unchanged.
        let near: Vec<[f32; 3]> = exact.iter().map(|p| p.map(|x| x + scale * 0.375)).collect();
        assert_eq!(compressed::rounded(&near, &format).unwrap(), exact);
    }
    // A hand-computed example: exponent 127, anchors 1, -2, 3; 4, 8 and 16 bits; offsets 15, 255, 65535.
    let mut bytes = Vec::new();
    for w in [127 | 1 << 8, 3 | 7 << 4 | (-2i32 as u32) << 8, 15 | 3 << 8] {
        bytes.extend(w.to_le_bytes());
    }
    bytes.extend([0xff, 0xff, 0xff, 0x0f]);
    assert_eq!(compressed::decode(&bytes, 1).unwrap(), [[16.0, 253.0, 65538.0]]);
    let format = |exponent, bits| Compressed1Template { exponent, bits: [bits; 3] };
    let wrong = |p: &[[f32; 3]], f| compressed::encode(p, &f).unwrap_err().to_string();
    assert!(wrong(&[], format(0, 1)).contains("exponent 0") && wrong(&[], format(233, 1)).contains("exponent 233"));
    assert!(wrong(&[], format(1, 0)).contains("0 bits") && wrong(&[], format(1, 17)).contains("17 bits"));
    assert!(wrong(&[[0.0; 3], [2.0, 0.0, 0.0]], format(127, 1)).contains("too far"));
    assert!(wrong(&[[1e9; 3]], format(127, 1)).contains("24 bits"));
    assert!(wrong(&[[f32::NAN; 3]], format(127, 1)).contains("24 bits"));
}

#[test]
fn templates_have_compressed_instances() {
    let format = Compressed1Template { exponent: 126, bits: [4; 3] };
    let desc = ClusterTemplateDesc {
        cluster: ClusterDesc::new(0, Vec::new(), vec![0, 1, 2]),
        vertices: 3,
        bounds: None,
        compressed: Some(format),
        precision: VertexFormat::default(),
    };
    let template = Template::build(&desc, &no_micromaps).unwrap();
    let positions = |c: Cluster| {
        let bottom = Arc::new(Bottom::of_clusters(&[Some(Arc::new(c))]).unwrap());
        let top = top(&[placed(&bottom)]);
        let hit = closest(&top, down(0.6, 0.6), 0).unwrap();
        top.positions(&hit).unwrap()
    };
    let rough = vec![[0.1, 0.1, 0.1], [0.1, 3.1, 0.0], [3.3, 0.2, 0.0]];
    let made = template.instantiate(0, 0, &ClusterPositions::Float(rough)).unwrap();
    assert_eq!(positions(made), [[0.0; 3], [0.0, 3.0, 0.0], [3.5, 0.0, 0.0]]);
    // Compressed positions with few bits keep their own exponent.
    let fine = [[0.0; 3], [0.0, 1.75, 0.0], [1.75, 0.0, 0.0]];
    let few = compressed::encode(&fine, &Compressed1Template { exponent: 125, bits: [3; 3] }).unwrap();
    let made = template.instantiate(0, 0, &ClusterPositions::Compressed1(few, 3)).unwrap();
    assert_eq!(positions(made), fine);
    let far = ClusterPositions::Float(vec![[0.0; 3], [0.0, 8.0, 0.0], [1.0, 0.0, 0.0]]);
    assert!(template.instantiate(0, 0, &far).unwrap_err().message.contains("too far"));
}

#[test]
fn wrong_clusters_are_refused() {
    let message = |d: &ClusterDesc| Cluster::build(d, &no_micromaps).unwrap_err().message;
    let good = square(1, 0.0, 0.0);
    let positions = |n| ClusterPositions::Float(vec![[0.0; 3]; n]);
    assert!(message(&ClusterDesc { positions: positions(257), ..good.clone() }).contains("257 vertices"));
    let many = ClusterDesc { indices: vec![0; 3 * 257], ..good.clone() };
    assert!(message(&many).contains("257 triangles"));
    assert!(message(&ClusterDesc { indices: vec![0, 1, 4], ..good.clone() }).contains("index 4"));
    assert!(message(&ClusterDesc { indices: vec![0, 1], ..good.clone() }).contains("whole triangles"));
    assert!(message(&ClusterDesc { truncate_bits: 33, ..good.clone() }).contains("33 bits"));
    assert!(message(&ClusterDesc { geometries: vec![1], ..good.clone() }).contains("geometry 1, but there are 1"));
    let listed = ClusterDesc { geometry_indices: Some(vec![0, 2]), geometries: vec![1, 1], ..good.clone() };
    assert!(message(&listed).contains("geometry 2"));
    let high = ClusterDesc { base_geometry: MAX_GEOMETRY_INDEX, geometries: vec![1, 0], ..good.clone() };
    assert!(message(&high).contains("geometry index 16777216"));
    let short = ClusterDesc { positions: ClusterPositions::Compressed1(vec![0; 5], 1), ..good.clone() };
    assert!(message(&short).contains("no header"));
    let one = build(&good);
    assert!(Bottom::of_clusters(&[Some(one.clone()), Some(one.clone())]).unwrap_err().message.contains("more than once"));
    let readable = build(&ClusterDesc { allow_data_access: true, ..good.clone() });
    assert!(Bottom::of_clusters(&[Some(one), Some(readable)]).unwrap_err().message.contains("only some"));
    // Truncation shortens coordinates.
    let cut = ClusterDesc { truncate_bits: 23, ..square(0, 1.75, 0.0) };
    let bottom = Arc::new(Bottom::of_clusters(&[Some(build(&cut))]).unwrap());
    assert_eq!(bottom.bounds().unwrap(), ([1.0, 0.0, 0.0], [2.0, 1.0, 0.0]));
}
