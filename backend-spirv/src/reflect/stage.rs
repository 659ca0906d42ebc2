//! Stage inputs and outputs of an entry point, and what its execution modes say of the stage.

use rspirv::dr::{Instruction, Operand};
use rtc_tables::pipeline::{Domain, InputPrimitive, MeshTopology, Partitioning, StreamTopology, TessellatorOutput};
use spirv::{BuiltIn, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};

use super::{MAX_DEPTH, Reader, Variable, id, number};

/// A stage input or output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageVariable {
    /// Whether it is an output.
    pub output: bool,
    /// Name and type. Elements are those of all dimensions, that of the vertices included.
    pub variable: Variable,
    /// The semantic with its index, if the module has it (`-fspv-reflect`).
    pub semantic: Option<String>,
    /// Its location; what is built in has none.
    pub location: Option<u32>,
    /// Its first component in the location.
    pub component: Option<u32>,
    /// Which of two sources of blending it is.
    pub blend_index: Option<u32>,
    /// The stream of a geometry shader.
    pub stream: Option<u32>,
    /// What it is, if it is built in.
    pub built_in: Option<BuiltIn>,
    /// Its modifiers as in HLSL: `nointerpolation`, `noperspective`, `centroid`, `sample`.
    pub modifiers: Vec<&'static str>,
    /// It belongs to the patch.
    pub patch: bool,
    /// It belongs to the primitive.
    pub per_primitive: bool,
}

/// What execution modes say of a stage.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct StageState {
    pub input_primitive: Option<InputPrimitive>,
    pub output_topology: Option<&'static str>,
    pub domain: Option<Domain>,
    pub partitioning: Option<Partitioning>,
    pub output_control_points: Option<u32>,
    pub max_vertices: Option<u32>,
    pub max_primitives: Option<u32>,
    pub instances: Option<u32>,
    pub early_depth_stencil: bool,
    /// How the depth is changed: `any`, `greaterEqual`, `lessEqual`.
    pub depth: Option<&'static str>,
}

impl Reader<'_> {
    /// The inputs and outputs among the variables that an entry point lists.
    pub(super) fn stage_variables(&self, interface: &[Operand]) -> Vec<StageVariable> {
        let mut out = Vec::new();
        for o in interface {
            let Operand::IdRef(var) = o else { continue };
            let Some(&i) = self.globals.get(var) else { continue };
            self.stage_variable(*var, i, &mut out);
        }
        // Inputs first, by location; what is built in follows.
        out.sort_by_key(|v| (v.output, v.location.is_none(), v.location, v.component));
        out
    }

    fn stage_variable(&self, var: u32, i: &Instruction, out: &mut Vec<StageVariable>) -> Option<()> {
        let output = match (i.class.opcode, i.operands.first()) {
            (Op::Variable, Some(Operand::StorageClass(StorageClass::Input))) => false,
            (Op::Variable, Some(Operand::StorageClass(StorageClass::Output))) => true,
            _ => return None,
        };
        let ty = id(&self.globals.get(&i.result_type?)?.operands, 1)?;
        let (block, elements) = self.without_arrays(ty);
        let structure = self.globals.get(&block).filter(|b| b.class.opcode == Op::TypeStruct);
        if let Some(structure) = structure.filter(|_| self.decoration(block, None, Decoration::Block).is_some()) {
            // A block: each member is one.
            for (n, member) in structure.operands.iter().enumerate() {
                let (n, Operand::IdRef(ty)) = (n as u32, member) else { continue };
                let mut variable = self.variable(*ty, self.members.get(&(block, n)).copied().unwrap_or_default(), 0, MAX_DEPTH);
                if let Some(outer) = elements {
                    variable.elements = Some(variable.elements.unwrap_or(1).saturating_mul(outer));
                }
                out.push(self.decorated_variable(output, variable, block, Some(n)));
            }
        } else {
            let variable = self.variable(ty, &self.name(var), 0, MAX_DEPTH);
            out.push(self.decorated_variable(output, variable, var, None));
        }
        Some(())
    }

    /// What arrays of a type are of, and how many elements they have together.
    fn without_arrays(&self, mut ty: u32) -> (u32, Option<u32>) {
        let mut elements: Option<u32> = None;
        for _ in 0..MAX_DEPTH {
            match self.globals.get(&ty) {
                Some(i) if i.class.opcode == Op::TypeArray => {
                    let many = id(&i.operands, 1).and_then(|n| self.constant(n)).unwrap_or(0);
                    elements = Some(elements.unwrap_or(1).saturating_mul(many));
                    let Some(inner) = id(&i.operands, 0) else { break };
                    ty = inner;
                }
                _ => break,
            }
        }
        (ty, elements)
    }

    fn decorated_variable(&self, output: bool, variable: Variable, of: u32, member: Option<u32>) -> StageVariable {
        let has = |d| self.decoration(of, member, d).is_some();
        let modifiers = [
            (Decoration::Flat, "nointerpolation"),
            (Decoration::NoPerspective, "noperspective"),
            (Decoration::Centroid, "centroid"),
            (Decoration::Sample, "sample"),
        ];
        StageVariable {
            output,
            variable,
            semantic: match self.decoration(of, member, Decoration::UserSemantic) {
                Some([Operand::LiteralString(s)]) => Some(s.clone()),
                _ => None,
            },
            location: self.decorated(of, member, Decoration::Location),
            component: self.decorated(of, member, Decoration::Component),
            blend_index: self.decorated(of, member, Decoration::Index),
            stream: self.decorated(of, member, Decoration::Stream),
            built_in: match self.decoration(of, member, Decoration::BuiltIn) {
                Some([Operand::BuiltIn(b)]) => Some(*b),
                _ => None,
            },
            modifiers: modifiers.into_iter().filter(|m| has(m.0)).map(|m| m.1).collect(),
            patch: has(Decoration::Patch),
            per_primitive: has(Decoration::PerPrimitiveEXT),
        }
    }

    /// What the execution modes of a function say of its stage.
    pub(super) fn stage_state(&self, function: u32, model: ExecutionModel) -> StageState {
        use ExecutionMode as M;
        let mut out = StageState::default();
        let hull = model == ExecutionModel::TessellationControl;
        let tessellates = hull || model == ExecutionModel::TessellationEvaluation;
        let makes = |out: &mut StageState, word| out.output_topology = Some(word);
        for i in &self.module.execution_modes {
            let [Operand::IdRef(f), Operand::ExecutionMode(mode), rest @ ..] = &i.operands[..] else { continue };
            if *f != function {
                continue;
            }
            match mode {
                M::InputPoints => out.input_primitive = Some(InputPrimitive::Point),
                M::InputLines => out.input_primitive = Some(InputPrimitive::Line),
                M::InputLinesAdjacency => out.input_primitive = Some(InputPrimitive::LineAdjacency),
                M::InputTrianglesAdjacency => out.input_primitive = Some(InputPrimitive::TriangleAdjacency),
                M::Triangles if tessellates => out.domain = Some(Domain::Triangle),
                M::Triangles => out.input_primitive = Some(InputPrimitive::Triangle),
                M::Quads => out.domain = Some(Domain::Quad),
                M::Isolines => out.domain = Some(Domain::Isoline),
                M::SpacingEqual => out.partitioning = Some(Partitioning::Integer),
                M::SpacingFractionalEven => out.partitioning = Some(Partitioning::FractionalEven),
                M::SpacingFractionalOdd => out.partitioning = Some(Partitioning::FractionalOdd),
                M::VertexOrderCw => makes(&mut out, TessellatorOutput::Clockwise.word()),
                M::VertexOrderCcw => makes(&mut out, TessellatorOutput::Counterclockwise.word()),
                M::PointMode => makes(&mut out, TessellatorOutput::Point.word()),
                M::OutputPoints => makes(&mut out, StreamTopology::Points.primitive()),
                M::OutputLineStrip => makes(&mut out, StreamTopology::Lines.primitive()),
                M::OutputTriangleStrip => makes(&mut out, StreamTopology::Triangles.primitive()),
                M::OutputLinesEXT => makes(&mut out, MeshTopology::Line.word()),
                M::OutputTrianglesEXT => makes(&mut out, MeshTopology::Triangle.word()),
                M::OutputVertices if hull => out.output_control_points = number(rest, 0),
                M::OutputVertices => out.max_vertices = number(rest, 0),
                M::OutputPrimitivesEXT => out.max_primitives = number(rest, 0),
                M::Invocations => out.instances = number(rest, 0),
                M::EarlyFragmentTests => out.early_depth_stencil = true,
                // A more exact mode is next to it.
                M::DepthReplacing => out.depth = out.depth.or(Some("any")),
                M::DepthGreater => out.depth = Some("greaterEqual"),
                M::DepthLess => out.depth = Some("lessEqual"),
                _ => {}
            }
        }
        // No mode says lines: isolines are divided into them unless the mode says points.
        if hull && out.domain == Some(Domain::Isoline) && out.output_topology != Some(TessellatorOutput::Point.word()) {
            out.output_topology = Some(TessellatorOutput::Line.word());
        }
        out
    }
}
