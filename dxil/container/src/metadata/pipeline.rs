//! The state of a geometry, hull, domain, mesh or amplification shader: a property of its entry point, and the first words of `PSV0`.

use rtc_tables::pipeline::{Domain, InputPrimitive, MeshTopology, Partitioning, StreamTopology, TessellatorOutput};

use super::{Props, int, tag, tuple, value};
use rtc_dxil_module::{ConstKind, Func, Meta, Module, Value};

/// The largest tessellation factor of a hull shader that sets no limit: 64, as the bits of a float.
pub const LARGEST_FACTOR: u32 = 0x4280_0000;

/// The state of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum PipelineState {
    /// A geometry shader; without inputs it may have no primitive.
    Geometry { primitive: Option<InputPrimitive>, max_vertices: u32, streams: u32, topology: StreamTopology, instances: u32 },
    /// A domain shader.
    Domain { domain: Domain, input_points: u32 },
    /// A hull shader.
    Hull {
        patch_constants: Func,
        input_points: u32,
        output_points: u32,
        domain: Domain,
        partitioning: Partitioning,
        output: TessellatorOutput,
        /// The bits of a float.
        max_factor: u32,
    },
    /// A mesh shader; without `[outputtopology]` it makes no primitives. `payload`: bytes.
    Mesh { threads: [u32; 3], max_vertices: u32, max_primitives: u32, topology: Option<MeshTopology>, payload: u32 },
    /// An amplification shader; `payload`: bytes.
    Amplification { threads: [u32; 3], payload: u32 },
}

/// What a number names, where 0 is nothing; `None` if it names nothing else.
fn unless_none<T>(n: u32, named: fn(u32) -> Option<T>) -> Option<Option<T>> {
    if n == 0 { Some(None) } else { named(n).map(Some) }
}

impl PipelineState {
    /// The tag of the property.
    pub fn tag(&self) -> i64 {
        match self {
            PipelineState::Geometry { .. } => tag::GEOMETRY,
            PipelineState::Domain { .. } => tag::DOMAIN,
            PipelineState::Hull { .. } => tag::HULL,
            PipelineState::Mesh { .. } => tag::MESH,
            PipelineState::Amplification { .. } => tag::AMPLIFICATION,
        }
    }

    /// The threads of a group, of stages that have groups.
    pub fn threads(&self) -> Option<[u32; 3]> {
        match *self {
            PipelineState::Mesh { threads, .. } | PipelineState::Amplification { threads, .. } => Some(threads),
            _ => None,
        }
    }

    /// The shape of the patches.
    pub fn domain(&self) -> Option<Domain> {
        match *self {
            PipelineState::Hull { domain, .. } | PipelineState::Domain { domain, .. } => Some(domain),
            _ => None,
        }
    }

    /// Reads the property; `None` if there is none, or one with unknown numbers.
    pub fn read(m: &Module, props: &Props) -> Option<PipelineState> {
        let list = |tag| tuple(m, props.get(tag));
        let number = |meta: Option<Meta>| int(m, meta).map(|n| n as u32);
        if let Some(&[primitive, max_vertices, streams, topology, instances]) = list(tag::GEOMETRY) {
            return Some(PipelineState::Geometry {
                primitive: unless_none(number(primitive)?, InputPrimitive::from_number)?,
                max_vertices: number(max_vertices)?,
                streams: number(streams)?,
                topology: StreamTopology::from_number(number(topology)?)?,
                instances: number(instances)?,
            });
        }
        if let Some(&[domain, points]) = list(tag::DOMAIN) {
            return Some(PipelineState::Domain { domain: Domain::from_number(number(domain)?)?, input_points: number(points)? });
        }
        let threads = |meta| {
            let all: Option<Vec<u32>> = tuple(m, meta)?.iter().map(|&n| number(n)).collect();
            all?.try_into().ok()
        };
        if let Some(&[of_group, max_vertices, max_primitives, topology, payload]) = list(tag::MESH) {
            return Some(PipelineState::Mesh {
                threads: threads(of_group)?,
                max_vertices: number(max_vertices)?,
                max_primitives: number(max_primitives)?,
                topology: unless_none(number(topology)?, MeshTopology::from_number)?,
                payload: number(payload)?,
            });
        }
        if let Some(&[of_group, payload]) = list(tag::AMPLIFICATION) {
            return Some(PipelineState::Amplification { threads: threads(of_group)?, payload: number(payload)? });
        }
        let &[_, input_points, output_points, domain, partitioning, output, factor] = list(tag::HULL)? else { return None };
        let Value::Const(factor) = value(m, factor)? else { return None };
        Some(PipelineState::Hull {
            patch_constants: props.patch_constants(m)?,
            input_points: number(input_points)?,
            output_points: number(output_points)?,
            domain: Domain::from_number(number(domain)?)?,
            partitioning: Partitioning::from_number(number(partitioning)?)?,
            output: TessellatorOutput::from_number(number(output)?)?,
            max_factor: match m.consts[factor].kind {
                ConstKind::Float(bits) => bits as u32,
                _ => 0,
            },
        })
    }

    /// Writes the property's value.
    pub fn write(&self, m: &mut Module) -> Meta {
        let numbers: Vec<u32> = match *self {
            PipelineState::Geometry { primitive, max_vertices, streams, topology, instances } => {
                vec![primitive.map_or(0, InputPrimitive::number), max_vertices, streams, topology as u32, instances]
            }
            PipelineState::Domain { domain, input_points } => vec![domain as u32, input_points],
            PipelineState::Hull { input_points, output_points, domain, partitioning, output, .. } => {
                vec![input_points, output_points, domain as u32, partitioning as u32, output as u32]
            }
            PipelineState::Mesh { max_vertices, max_primitives, topology, payload, .. } => {
                vec![max_vertices, max_primitives, topology.map_or(0, |t| t as u32), payload]
            }
            PipelineState::Amplification { payload, .. } => vec![payload],
        };
        let mut elems: Vec<Option<Meta>> = numbers.iter().map(|&n| Some(m.meta_i32(n as i32))).collect();
        if let PipelineState::Hull { patch_constants, max_factor, .. } = *self {
            elems.insert(0, Some(m.meta.value(Value::Func(patch_constants))));
            let factor = m.f32(f32::from_bits(max_factor));
            elems.push(Some(m.meta.value(factor)));
        }
        if let Some(threads) = self.threads() {
            let threads = threads.map(|n| Some(m.meta_i32(n as i32)));
            elems.insert(0, Some(m.meta.node(&threads)));
        }
        m.meta.node(&elems)
    }

    /// What `PSV0` has of it: the words of the stage, and the number after them. `position`: whether the outputs have one, `constants`: rows of
    /// patch constants.
    pub fn psv(&self, position: u32, constants: u32) -> ([u32; 4], u16) {
        match *self {
            PipelineState::Geometry { primitive, max_vertices, streams, topology, .. } => {
                ([primitive.map_or(0, InputPrimitive::number), topology as u32, streams, position], max_vertices as u16)
            }
            PipelineState::Domain { domain, input_points } => ([input_points, position, domain as u32, 0], constants as u16),
            PipelineState::Hull { input_points, output_points, domain, output, .. } => {
                ([input_points, output_points, domain as u32, output as u32], constants as u16)
            }
            // The first word is that of groupshared memory, which the code says.
            PipelineState::Mesh { max_vertices, max_primitives, topology, payload, .. } => {
                ([0, 0, payload, max_vertices | max_primitives << 16], constants as u16 | topology.map_or(0, |t| t as u16) << 8)
            }
            PipelineState::Amplification { payload, .. } => ([payload, 0, 0, 0], 0),
        }
    }
}
