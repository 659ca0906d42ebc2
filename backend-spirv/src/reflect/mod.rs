//! Reflection of a SPIR-V module, of any compiler: entry points, bindings with the layouts of buffers, specialization constants.
//!
//! The names are those of `OpName` and `OpMemberName`; a module without them has empty ones.

use rspirv::dr::{Instruction, Module, Operand};
use rustc_hash::FxHashMap;
use spirv::{Decoration, ExecutionMode, Op, StorageClass};

use crate::listing::{ListingError, check_lengths, newer, without_kinds};

mod stage;

pub use stage::{StageState, StageVariable};

/// What a host needs to know of a module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reflection {
    /// Version of SPIR-V.
    pub version: (u8, u8),
    /// Capabilities by name.
    pub capabilities: Vec<String>,
    /// Extensions.
    pub extensions: Vec<String>,
    /// Entry points, in order.
    pub entries: Vec<EntryPoint>,
    /// Resources, in order of set and binding; push constants and shader records have neither.
    pub bindings: Vec<Binding>,
    /// Constants that a host may replace, in order of their ids.
    pub constants: Vec<SpecConstant>,
}

/// An entry point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntryPoint {
    /// Its name.
    pub name: String,
    /// The execution model (`RayGenerationKHR`).
    pub model: String,
    /// Threads of a group, of a stage that has groups.
    pub local_size: Option<[u32; 3]>,
    /// The names of the resources that it lists.
    pub resources: Vec<String>,
    /// Stage inputs and outputs, of a shader of the graphics pipeline.
    pub variables: Vec<StageVariable>,
    /// The state of a stage of the graphics pipeline.
    pub state: Option<StageState>,
}

/// A resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Binding {
    /// The name of the variable.
    pub name: String,
    /// Descriptor set and binding.
    pub slot: Option<(u32, u32)>,
    /// What it is: `uniform buffer`, `sampled image` and so on.
    pub descriptor: &'static str,
    /// How many: the size of the array; none for an unbounded one.
    pub count: Option<u32>,
    /// Shaders may write to it.
    pub writable: bool,
    /// The HLSL type, if the module has it (`-fspv-reflect`).
    pub hlsl: Option<String>,
    /// The members of a buffer.
    pub layout: Option<Variable>,
}

/// A variable in a buffer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type as in HLSL: `float4x4`, or the name of a structure.
    pub ty: String,
    /// Bytes from the start of what it is in.
    pub offset: u32,
    /// Elements of an array, all dimensions together; 0 for one without a size.
    pub elements: Option<u32>,
    /// Bytes from one element of the (innermost) array to the next.
    pub stride: Option<u32>,
    /// Rows and columns of a matrix in HLSL, bytes between its vectors, and whether rows are contiguous.
    pub matrix: Option<(u32, u32, u32, bool)>,
    /// The members of a structure.
    pub members: Vec<Variable>,
}

/// A specialization constant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpecConstant {
    /// The number by which the host names it.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its type in HLSL.
    pub ty: String,
    /// The bits of its default.
    pub default: u64,
}

/// The built-in input that says which view a shader runs for.
pub const VIEW: spirv::BuiltIn = spirv::BuiltIn::ViewIndex;

/// Structures may be nested this deep.
const MAX_DEPTH: u32 = 64;

/// Reads a module.
///
/// # Errors
/// The words are no module.
pub fn reflect(words: &[u32]) -> Result<Reflection, ListingError> {
    check_lengths(words)?;
    let (words, _) = newer::replaced(without_kinds(words).0);
    let module = rspirv::dr::load_words(words).map_err(|e| ListingError::new(format!("{e:?}")))?;
    Ok(Reader::new(&module).reflection())
}

/// Decorations with their operands, by the id (and member) that they decorate.
type Decorations<'m> = FxHashMap<(u32, Option<u32>), Vec<(Decoration, &'m [Operand])>>;

/// The decorations and names of a module.
struct Reader<'m> {
    module: &'m Module,
    globals: FxHashMap<u32, &'m Instruction>,
    names: FxHashMap<u32, &'m str>,
    members: FxHashMap<(u32, u32), &'m str>,
    decorations: Decorations<'m>,
}

/// The first operand as a number.
fn number(operands: &[Operand], n: usize) -> Option<u32> {
    match operands.get(n)? {
        Operand::LiteralBit32(n) => Some(*n),
        _ => None,
    }
}

fn id(operands: &[Operand], n: usize) -> Option<u32> {
    match operands.get(n)? {
        Operand::IdRef(id) => Some(*id),
        _ => None,
    }
}

impl<'m> Reader<'m> {
    fn new(module: &'m Module) -> Reader<'m> {
        let globals = module.types_global_values.iter().filter_map(|i| Some((i.result_id?, i))).collect();
        let (mut names, mut members) = (FxHashMap::default(), FxHashMap::default());
        for i in &module.debug_names {
            match &i.operands[..] {
                [Operand::IdRef(id), Operand::LiteralString(s)] => _ = names.insert(*id, s.as_str()),
                [Operand::IdRef(id), Operand::LiteralBit32(n), Operand::LiteralString(s)] => _ = members.insert((*id, *n), s.as_str()),
                _ => {}
            }
        }
        let mut decorations = Decorations::default();
        for i in &module.annotations {
            let (key, rest) = match (i.class.opcode, &i.operands[..]) {
                (Op::Decorate | Op::DecorateString | Op::DecorateId, [Operand::IdRef(id), rest @ ..]) => ((*id, None), rest),
                (Op::MemberDecorate, [Operand::IdRef(id), Operand::LiteralBit32(n), rest @ ..]) => ((*id, Some(*n)), rest),
                _ => continue,
            };
            if let [Operand::Decoration(d), operands @ ..] = rest {
                decorations.entry(key).or_default().push((*d, operands));
            }
        }
        Reader { module, globals, names, members, decorations }
    }

    fn name(&self, id: u32) -> String {
        self.names.get(&id).copied().unwrap_or_default().to_string()
    }

    fn decoration(&self, of: u32, member: Option<u32>, d: Decoration) -> Option<&'m [Operand]> {
        self.decorations.get(&(of, member))?.iter().find(|x| x.0 == d).map(|x| x.1)
    }

    fn decorated(&self, of: u32, member: Option<u32>, d: Decoration) -> Option<u32> {
        number(self.decoration(of, member, d)?, 0)
    }

    fn reflection(&self) -> Reflection {
        let m = self.module;
        let mut out = Reflection { version: m.header.as_ref().map_or((0, 0), |h| h.version()), ..Reflection::default() };
        for i in &m.capabilities {
            if let Some(Operand::Capability(c)) = i.operands.first() {
                out.capabilities.push(format!("{c:?}"));
            }
        }
        for i in &m.extensions {
            if let Some(Operand::LiteralString(s)) = i.operands.first() {
                out.extensions.push(s.clone());
            }
        }
        out.bindings = m.types_global_values.iter().filter_map(|i| self.binding(i)).collect();
        out.bindings.sort_by_key(|b| b.slot);
        out.entries = m.entry_points.iter().filter_map(|i| self.entry(i)).collect();
        out.constants = m.types_global_values.iter().filter_map(|i| self.spec_constant(i)).collect();
        out.constants.sort_by_key(|c| c.id);
        out
    }

    fn entry(&self, i: &Instruction) -> Option<EntryPoint> {
        let [Operand::ExecutionModel(model), Operand::IdRef(function), Operand::LiteralString(name), interface @ ..] = &i.operands[..]
        else {
            return None;
        };
        let local_size = self.module.execution_modes.iter().find_map(|m| match m.operands[..] {
            [
                Operand::IdRef(f),
                Operand::ExecutionMode(ExecutionMode::LocalSize),
                Operand::LiteralBit32(x),
                Operand::LiteralBit32(y),
                Operand::LiteralBit32(z),
            ] if f == *function => Some([x, y, z]),
            _ => None,
        });
        let resources = interface.iter().filter_map(|o| match o {
            Operand::IdRef(v) => Some(self.binding(self.globals.get(v)?)?.name),
            _ => None,
        });
        use spirv::ExecutionModel as X;
        let graphics = matches!(
            model,
            X::Vertex | X::TessellationControl | X::TessellationEvaluation | X::Geometry | X::Fragment | X::TaskEXT | X::MeshEXT
        );
        Some(EntryPoint {
            name: name.clone(),
            model: format!("{model:?}"),
            local_size,
            resources: resources.collect(),
            variables: if graphics { self.stage_variables(interface) } else { Vec::new() },
            state: graphics.then(|| self.stage_state(*function, *model)),
        })
    }

    fn spec_constant(&self, i: &Instruction) -> Option<SpecConstant> {
        let result = i.result_id?;
        let number = self.decorated(result, None, Decoration::SpecId)?;
        let default = match (i.class.opcode, &i.operands[..]) {
            (Op::SpecConstantTrue, _) => 1,
            (Op::SpecConstant, [Operand::LiteralBit32(n)]) => u64::from(*n),
            (Op::SpecConstant, [Operand::LiteralBit64(n)]) => *n,
            _ => 0,
        };
        let ty = self.variable(i.result_type?, "", 0, MAX_DEPTH).ty;
        Some(SpecConstant { id: number, name: self.name(result), ty, default })
    }

    /// A variable that is a resource.
    fn binding(&self, i: &Instruction) -> Option<Binding> {
        let (Op::Variable, Some(var), Some(Operand::StorageClass(class))) = (i.class.opcode, i.result_id, i.operands.first()) else {
            return None;
        };
        let mut ty = id(&self.globals.get(&i.result_type?)?.operands, 1)?;
        let mut count = Some(1);
        for _ in 0..MAX_DEPTH {
            let of = self.globals.get(&ty)?;
            match of.class.opcode {
                Op::TypeArray => count = count.and_then(|c: u32| Some(c.saturating_mul(self.constant(id(&of.operands, 1)?)?))),
                Op::TypeRuntimeArray => count = None,
                _ => break,
            }
            ty = id(&of.operands, 0)?;
        }
        let of = self.globals.get(&ty)?;
        let block = of.class.opcode == Op::TypeStruct;
        let old_buffer = self.decoration(ty, None, Decoration::BufferBlock).is_some();
        let (descriptor, writable) = match (class, of.class.opcode) {
            (StorageClass::PushConstant, _) => ("push constants", false),
            (StorageClass::ShaderRecordBufferKHR, _) => ("shader record", false),
            (StorageClass::Uniform, _) if !old_buffer => ("uniform buffer", false),
            (StorageClass::Uniform | StorageClass::StorageBuffer, _) => ("storage buffer", !self.is_read_only(var, ty)),
            (StorageClass::UniformConstant, Op::TypeImage) => self.image(of, var),
            (StorageClass::UniformConstant, Op::TypeSampler) => ("sampler", false),
            (StorageClass::UniformConstant, Op::TypeSampledImage) => ("combined image sampler", false),
            (StorageClass::UniformConstant, Op::TypeAccelerationStructureKHR) => ("acceleration structure", false),
            _ => return None,
        };
        let slot = self.decorated(var, None, Decoration::DescriptorSet).zip(self.decorated(var, None, Decoration::Binding));
        let hlsl = match self.decoration(var, None, Decoration::UserTypeGOOGLE) {
            Some([Operand::LiteralString(s)]) => Some(s.clone()),
            _ => None,
        };
        let layout = block.then(|| self.variable(ty, "", 0, MAX_DEPTH));
        Some(Binding { name: self.name(var), slot, descriptor, count, writable, hlsl, layout })
    }

    /// The descriptor of an image, and whether it is written.
    fn image(&self, i: &Instruction, var: u32) -> (&'static str, bool) {
        let texels = matches!(i.operands.get(1), Some(Operand::Dim(spirv::Dim::DimBuffer)));
        let storage = number(&i.operands, 5) == Some(2);
        let writable = storage && self.decoration(var, None, Decoration::NonWritable).is_none();
        let descriptor = match (texels, storage) {
            (false, false) => "sampled image",
            (false, true) => "storage image",
            (true, false) => "uniform texel buffer",
            (true, true) => "storage texel buffer",
        };
        (descriptor, writable)
    }

    fn is_read_only(&self, var: u32, block: u32) -> bool {
        let members = self.globals.get(&block).map_or(0, |i| i.operands.len() as u32);
        self.decoration(var, None, Decoration::NonWritable).is_some()
            || members > 0 && (0..members).all(|n| self.decoration(block, Some(n), Decoration::NonWritable).is_some())
    }

    fn constant(&self, id: u32) -> Option<u32> {
        number(&self.globals.get(&id)?.operands, 0)
    }

    /// A variable of a type.
    fn variable(&self, ty: u32, name: &str, offset: u32, depth: u32) -> Variable {
        let mut out = Variable { name: name.into(), offset, ..Variable::default() };
        let mut at = ty;
        for _ in 0..MAX_DEPTH {
            let Some(i) = self.globals.get(&at) else { break };
            let many = match i.class.opcode {
                Op::TypeArray => id(&i.operands, 1).and_then(|n| self.constant(n)).unwrap_or(0),
                Op::TypeRuntimeArray => 0,
                _ => break,
            };
            out.elements = Some(out.elements.unwrap_or(1).saturating_mul(many));
            out.stride = self.decorated(at, None, Decoration::ArrayStride).or(out.stride);
            let Some(elem) = id(&i.operands, 0) else { break };
            at = elem;
        }
        let Some(i) = self.globals.get(&at) else { return out };
        match i.class.opcode {
            Op::TypeStruct => {
                out.ty = self.name(at);
                let inside = i.operands.iter().enumerate().filter(|_| depth > 0);
                for (n, member) in inside {
                    let (n, Operand::IdRef(ty)) = (n as u32, member) else { continue };
                    let offset = self.decorated(at, Some(n), Decoration::Offset).unwrap_or(0);
                    let mut v = self.variable(*ty, self.members.get(&(at, n)).copied().unwrap_or_default(), offset, depth - 1);
                    if let (Some((rows, cols, ..)), Some(stride)) = (v.matrix, self.decorated(at, Some(n), Decoration::MatrixStride)) {
                        // The decoration names the order of SPIR-V's matrix, whose columns are the rows of HLSL's.
                        let row_major = self.decoration(at, Some(n), Decoration::ColMajor).is_some();
                        v.matrix = Some((rows, cols, stride, row_major));
                    }
                    out.members.push(v);
                }
            }
            Op::TypeMatrix => {
                let (rows, cols) = (number(&i.operands, 1).unwrap_or(0), id(&i.operands, 0).map_or(0, |v| self.lanes(v)));
                out.matrix = Some((rows, cols, 0, false));
                let scalar = id(&i.operands, 0).and_then(|v| id(&self.globals.get(&v)?.operands, 0));
                out.ty = format!("{}{rows}x{cols}", scalar.map_or(String::new(), |s| self.scalar(s)));
            }
            Op::TypeVector => {
                out.ty = format!("{}{}", id(&i.operands, 0).map_or(String::new(), |s| self.scalar(s)), self.lanes(at));
            }
            _ => out.ty = self.scalar(at),
        }
        out
    }

    fn lanes(&self, vector: u32) -> u32 {
        self.globals.get(&vector).and_then(|i| number(&i.operands, 1)).unwrap_or(0)
    }

    /// The HLSL name of a scalar type.
    fn scalar(&self, ty: u32) -> String {
        let Some(i) = self.globals.get(&ty) else { return String::new() };
        let bits = number(&i.operands, 0).unwrap_or(0);
        match (i.class.opcode, bits, number(&i.operands, 1)) {
            (Op::TypeBool, ..) => "bool".into(),
            (Op::TypeInt, 32, Some(1)) => "int".into(),
            (Op::TypeInt, 32, _) => "uint".into(),
            (Op::TypeInt, n, Some(1)) => format!("int{n}_t"),
            (Op::TypeInt, n, _) => format!("uint{n}_t"),
            (Op::TypeFloat, 32, _) => "float".into(),
            (Op::TypeFloat, 64, _) => "double".into(),
            (Op::TypeFloat, n, _) => format!("float{n}_t"),
            (op, ..) => format!("{op:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Words;

    #[test]
    fn a_structure_inside_of_itself_ends() {
        let mut w = Words::default();
        let word = w.u32_ty();
        let block = w.new_ty(Op::TypeStruct, &[word]);
        w.decorate(block, Decoration::Block, &[]);
        w.variable(StorageClass::StorageBuffer, block, None);
        w.member_name(block, 0, "itself");
        let mut words = w.finish(4);
        // The member's type becomes the structure's own.
        let at = words.windows(3).position(|x| x == [(3 << 16) | Op::TypeStruct as u32, block.word(), word.word()]).expect("the type");
        words[at + 2] = block.word();
        let found = reflect(&words).expect("the words are a module");
        assert_eq!((found.bindings.len(), found.bindings[0].descriptor), (1, "storage buffer"));
    }

    #[test]
    fn words_that_are_no_module_are_refused() {
        assert!(reflect(&[]).is_err());
        assert!(reflect(&[spirv::MAGIC_NUMBER, 0x10000, 0, 5, 0, 0xffff_ffff]).is_err());
    }
}
