//! Meshes of clusters, and cluster templates.
//!
//! `[meshes.m] clusters = [{ id = 3, positions = […], indices = […], geometry = 1, opaque = true }, …]` is a mesh of clusters, each with at
//! most 256 triangles. `placing = "implicit"`, `"explicit"` or `"moved"` builds them by indirect operations: at addresses that the device
//! chooses, at addresses that the host passes, or moved to other memory afterwards. `geometries` are indices that are added to `geometry`, one for each triangle; `opaque` and
//! `no_duplicate_any_hit` are given once or for each triangle; `micromaps` as those of meshes, with -5 for triangles that
//! have none; `truncate_bits` and `max_geometry` as the specification has them.
//!
//! `[templates.t]` has the same keys (positions are a hint and may be left out), `vertices`, and `bounds = [[min], [max]]` or
//! `compressed = { exponent, bits = [x, y, z] }`. A cluster of it is `{ template = "t", id_offset, geometry_offset, positions }`.

use super::fields::{bounds, rows};
use super::micromaps::{self, MicromapSource};
use super::reader::{Node, SourceLocation, Table};
use crate::device::{
    CLUSTER_GEOMETRY_NO_DUPLICATE_ANY_HIT, CLUSTER_GEOMETRY_OPAQUE, Cluster, ClusterDesc, ClusterInstantiation, ClusterPositions,
    ClusterTemplate, ClusterTemplateDesc, Compressed1Template, Device, GeometryMicromaps, MAX_GEOMETRY_INDEX, VertexFormat,
};
use crate::error::{Result, list};

/// A cluster of a mesh.
#[derive(Clone, PartialEq, Debug)]
pub enum ClusterSource {
    /// Built from triangles; its micromaps are made when the scene runs.
    Built(Box<ClusterDesc>, Option<MicromapSource>),
    /// Instantiated from a template.
    Of {
        /// Index among the scene's templates.
        template: usize,
        /// Added to the template's id.
        id_offset: u32,
        /// Added to the template's geometry indices.
        geometry_offset: i32,
        /// Positions.
        positions: Vec<[f32; 3]>,
    },
}

/// A template of clusters.
#[derive(Clone, PartialEq, Debug)]
pub struct TemplateSource {
    /// Its name.
    pub name: String,
    /// Its location in the scene file.
    pub location: SourceLocation,
    /// Build inputs without micromaps.
    pub desc: ClusterTemplateDesc,
    /// Its micromaps.
    pub micromaps: Option<MicromapSource>,
}

/// Where clusters, templates and structures of clusters are built.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DestinationMode {
    /// Outside buffers: the host names them by handles.
    #[default]
    Handles,
    /// At addresses that the device chooses.
    Implicit,
    /// At addresses that the host chooses from the sizes that the device returns.
    Explicit,
    /// At addresses that the device chooses, and moved afterwards.
    Moved,
}

impl DestinationMode {
    pub(super) fn read(n: &Node<'_>) -> Result<DestinationMode> {
        n.word(&[("implicit", DestinationMode::Implicit), ("explicit", DestinationMode::Explicit), ("moved", DestinationMode::Moved)])
    }
}

impl ClusterSource {
    /// The build inputs with the micromaps built.
    pub(crate) fn finished(desc: &ClusterDesc, micromaps: Option<&MicromapSource>, device: &mut dyn Device) -> Result<ClusterDesc> {
        finished(desc, micromaps, device, false, false)
    }
    /// Builds it. `positions`: shaders read vertex positions; `disable`: instances may disable micromaps.
    pub(crate) fn build(&self, device: &mut dyn Device, templates: &[ClusterTemplate], positions: bool, disable: bool) -> Result<Cluster> {
        match self {
            ClusterSource::Built(desc, micromaps) => {
                let desc = finished(desc, micromaps.as_ref(), device, positions, disable)?;
                device.build_cluster(&desc)
            }
            ClusterSource::Of { template, id_offset, geometry_offset, positions } => device.instantiate_cluster(&ClusterInstantiation {
                template: templates[*template],
                id_offset: *id_offset,
                geometry_offset: *geometry_offset,
                positions: ClusterPositions::Float(positions.clone()),
            }),
        }
    }
}

impl TemplateSource {
    /// Builds it; see [`ClusterSource::build`].
    pub(crate) fn build(&self, device: &mut dyn Device, positions: bool, disable: bool) -> Result<ClusterTemplate> {
        let cluster = finished(&self.desc.cluster, self.micromaps.as_ref(), device, positions, disable)?;
        device.build_cluster_template(&ClusterTemplateDesc { cluster, ..self.desc.clone() })
    }
}

fn finished(
    desc: &ClusterDesc,
    micromaps: Option<&MicromapSource>,
    device: &mut dyn Device,
    positions: bool,
    disable: bool,
) -> Result<ClusterDesc> {
    let mut out = ClusterDesc { allow_data_access: positions, allow_disable_omms: disable, ..desc.clone() };
    if let Some(m) = micromaps {
        let array = m.array.as_ref().map(|a| device.build_micromaps(a)).transpose()?;
        out.micromaps = Some(GeometryMicromaps { array, indices: m.indices.clone(), base: m.base });
    }
    Ok(out)
}

/// Reads one table of `[templates]`.
pub(super) fn template(name: &str, n: &Node<'_>) -> Result<TemplateSource> {
    let t = n.table()?;
    let (cluster, micromaps) = built(&t, true)?;
    let vertices = t.need("vertices")?.u32()?;
    let bounds = t.take("bounds").map(|n| bounds(&n)).transpose()?;
    let compressed = t.take("compressed");
    let compressed = compressed.map(|n| compressed1(&n)).transpose()?;
    t.finish()?;
    let desc = ClusterTemplateDesc { cluster, vertices, bounds, compressed, precision: VertexFormat::default() };
    Ok(TemplateSource { name: name.to_string(), location: n.location.clone(), desc, micromaps })
}

fn compressed1(n: &Node<'_>) -> Result<Compressed1Template> {
    let t = n.table()?;
    let byte = |n: &Node<'_>| u8::try_from(n.u32()?).map_err(|_| n.error("expected a number of 8 bits"));
    let exponent = byte(&t.need("exponent")?)?;
    let all = t.need("bits")?;
    let bits: Vec<u8> = all.list()?.iter().map(byte).collect::<Result<_>>()?;
    t.finish()?;
    let bits = bits.try_into().map_err(|b: Vec<u8>| all.error(format!("expected 3 numbers, found {}", b.len())))?;
    Ok(Compressed1Template { exponent, bits })
}

/// Reads the clusters of a mesh.
pub(super) fn clusters(n: &Node<'_>, templates: &[TemplateSource]) -> Result<Vec<ClusterSource>> {
    n.list()?.iter().map(|n| cluster(n, templates)).collect()
}

fn cluster(n: &Node<'_>, templates: &[TemplateSource]) -> Result<ClusterSource> {
    let t = n.table()?;
    let out = if let Some(n) = t.take("template") {
        let name = n.str()?;
        let template = templates.iter().position(|t| t.name == name).ok_or_else(|| {
            n.error(format!("the scene has no template `{name}`")).note(format!("templates: {}", list(templates.iter().map(|t| &t.name))))
        })?;
        let offset = |n: &Node<'_>| {
            let i = n.integer()?;
            i32::try_from(i).map_err(|_| n.error(format!("{i} does not fit into 32 bits")))
        };
        ClusterSource::Of {
            template,
            id_offset: t.or("id_offset", Node::u32, 0)?,
            geometry_offset: t.or("geometry_offset", offset, 0)?,
            positions: rows(&t.need("positions")?)?,
        }
    } else {
        let (desc, micromaps) = built(&t, false)?;
        ClusterSource::Built(Box::new(desc), micromaps)
    };
    t.finish()?;
    Ok(out)
}

/// Reads the keys that clusters and templates share.
fn built(t: &Table<'_>, template: bool) -> Result<(ClusterDesc, Option<MicromapSource>)> {
    let positions = match t.take("positions") {
        None if template => Vec::new(),
        None => return Err(t.error("the key `positions` is missing")),
        Some(n) => rows(&n)?,
    };
    let mut indices = Vec::new();
    for item in t.need("indices")?.list()? {
        match item.is_array() {
            true => item.list()?.iter().try_for_each(|i| {
                let _: () = indices.push(i.u32()?);
                Ok(())
            })?,
            false => indices.push(item.u32()?),
        }
    }
    let triangles = indices.len() / 3;
    let mut desc = ClusterDesc::new(t.or("id", Node::u32, 0)?, positions, indices);
    desc.base_geometry = t.or("geometry", geometry, 0)?;
    desc.max_geometry = t.or("max_geometry", geometry, MAX_GEOMETRY_INDEX)?;
    desc.truncate_bits = t.or("truncate_bits", Node::u32, 0)?;
    if let Some(n) = t.take("geometries") {
        desc.geometries = n.list()?.iter().map(geometry).collect::<Result<_>>()?;
        if desc.geometries.len() != triangles {
            return Err(n.error(format!("{} numbers for {triangles} triangles", desc.geometries.len())));
        }
    }
    for (key, bit) in [("opaque", CLUSTER_GEOMETRY_OPAQUE), ("no_duplicate_any_hit", CLUSTER_GEOMETRY_NO_DUPLICATE_ANY_HIT)] {
        let Some(n) = t.take(key) else { continue };
        if !n.is_array() {
            desc.base_geometry |= if n.bool()? { bit } else { 0 };
            continue;
        }
        let said: Vec<bool> = n.list()?.iter().map(Node::bool).collect::<Result<_>>()?;
        if said.len() != triangles {
            return Err(n.error(format!("{} values for {triangles} triangles", said.len())));
        }
        desc.geometries.resize(triangles, 0);
        desc.geometries.iter_mut().zip(said).for_each(|(g, yes)| *g |= if yes { bit } else { 0 });
    }
    let micromaps = t.take("micromaps").map(|n| micromaps::read(&n)).transpose()?;
    Ok((desc, micromaps))
}

/// The index of a geometry.
fn geometry(n: &Node<'_>) -> Result<u32> {
    let i = n.u32()?;
    if i > MAX_GEOMETRY_INDEX {
        return Err(n.error(format!("{i} has more than 24 bits")));
    }
    Ok(i)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fails, meshes};
    use super::*;

    const CORNERS: &str = "positions = [[0, 0, 0], [0, 1, 0], [1, 0, 0]], indices = [[0, 1, 2], [2, 1, 0]]";

    #[test]
    fn clusters_are_read() {
        let text = format!(
            "[templates.t]\nindices = [0, 1, 2]\nvertices = 3\ncompressed = {{ exponent = 120, bits = [4, 5, 6] }}\n[meshes.m]\nclusters = [{{ id = 4000000000, geometry = 7, geometries = [0, 2], opaque = [true, false], no_duplicate_any_hit = true, {CORNERS} }}, {{ template = \"t\", id_offset = 2, geometry_offset = -1, positions = [[0, 0, 0]] }}]\n"
        );
        let mesh = &meshes(&text)[0];
        let [ClusterSource::Built(desc, None), ClusterSource::Of { template: 0, id_offset: 2, geometry_offset: -1, positions }] =
            mesh.clusters.as_deref().expect("clusters")
        else {
            panic!("{mesh:?}");
        };
        assert_eq!((desc.id, desc.base_geometry), (4_000_000_000, 7 | CLUSTER_GEOMETRY_NO_DUPLICATE_ANY_HIT));
        assert_eq!(desc.geometries, [CLUSTER_GEOMETRY_OPAQUE, 2]);
        assert_eq!((desc.indices.len(), positions.len()), (6, 1));
        assert_eq!(mesh.bytes("positions"), None);
    }

    #[test]
    fn placing_is_read() {
        let mesh = |word: &str| meshes(&format!("[meshes.m]\nclusters = [{{ {CORNERS} }}]\n{word}\n"))[0].destinations;
        assert_eq!(mesh(""), DestinationMode::Handles);
        for (word, destinations) in
            [("implicit", DestinationMode::Implicit), ("explicit", DestinationMode::Explicit), ("moved", DestinationMode::Moved)]
        {
            assert_eq!(mesh(&format!("placing = \"{word}\"")), destinations);
        }
        let text = format!("[meshes.m]\nclusters = [{{ {CORNERS} }}]\nplacing = \"x\"\n");
        fails(&text, "dir/scene.toml:7: `meshes.m.placing`: `x` is not one of `implicit`, `explicit`, `moved`");
    }

    #[test]
    fn mistakes_are_named() {
        let m = |rest: &str, why: &str| {
            let text = format!("[meshes.m]\nclusters = [{{ {rest} }}]\n");
            fails(&text, &format!("dir/scene.toml:6: `meshes.m.clusters[0]{why}"));
        };
        m("id = 1", "`: the key `positions` is missing");
        m("positions = []", "`: the key `indices` is missing");
        m(&format!("{CORNERS}, geometry = 16777216"), ".geometry`: 16777216 has more than 24 bits");
        m(&format!("{CORNERS}, geometries = [1]"), ".geometries`: 1 numbers for 2 triangles");
        m(&format!("{CORNERS}, opaque = [true]"), ".opaque`: 1 values for 2 triangles");
        m("template = \"x\"", ".template`: the scene has no template `x`\n  note: templates: none");
        fails("[templates.t]\nindices = []\n", "dir/scene.toml:5: `templates.t`: the key `vertices` is missing");
        let two = "[templates.t]\nindices = []\nvertices = 0\ncompressed = { exponent = 1, bits = [1, 2] }\n";
        fails(two, "dir/scene.toml:8: `templates.t.compressed.bits`: expected 3 numbers, found 2");
        let both = format!("[meshes.m]\ncube = {{}}\nclusters = [{{ {CORNERS} }}]\n");
        fails(&both, "dir/scene.toml:7: `meshes.m.clusters`: `cube` and `clusters` exclude each other");
    }
}
