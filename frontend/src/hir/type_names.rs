//! The spelling of types in diagnostics, reports and debug information.

use rtc_tables::linalg;

use super::Pass;
use super::inline::SpirvType;
use super::types::{Norm, Scalar, Ty, TyKind, Types};

impl Types {
    /// The spelling of a type in diagnostics.
    pub fn show(&self, t: Ty) -> String {
        match self.kind(t) {
            TyKind::Error => "<error>".into(),
            TyKind::Void => "void".into(),
            TyKind::Scalar(s) => s.name().into(),
            TyKind::Vector(s, n) if n <= 4 && shaped(s) => format!("{}{n}", s.name()),
            TyKind::Vector(s, n) => format!("vector<{}, {n}>", s.name()),
            TyKind::Matrix { scalar, rows, cols, row_major } => {
                let packing = if row_major { "row_major " } else { "" };
                format!("{packing}{}{rows}x{cols}", scalar.name())
            }
            TyKind::Array(..) => {
                let mut dims = String::new();
                let mut at = t;
                while let TyKind::Array(e, n) = self.kind(at) {
                    dims.push_str(&n.map_or("[]".into(), |n| format!("[{n}]")));
                    at = e;
                }
                self.show(at) + &dims
            }
            TyKind::Record(r) => self.records[r].qualified.clone(),
            TyKind::Enum(e) => self.enums[e].qualified.clone(),
            TyKind::Resource(r) => {
                let name = r.object.info().name;
                match r.elem {
                    Some(e) => {
                        let norm = match r.norm {
                            Norm::None => "",
                            Norm::Snorm => "snorm ",
                            Norm::Unorm => "unorm ",
                        };
                        let samples = if r.kind.is_multisampled() && r.samples != 0 { format!(", {}", r.samples) } else { String::new() };
                        format!("{name}<{norm}{}{samples}>", self.show(e))
                    }
                    None => name.into(),
                }
            }
            TyKind::RayQuery { flags, query_flags: 0 } => format!("RayQuery<{flags}>"),
            TyKind::RayQuery { flags, query_flags } => format!("RayQuery<{flags}, {query_flags}>"),
            TyKind::HitObject => "dx::HitObject".into(),
            TyKind::Linalg(None) => linalg::TYPE_NAME.into(),
            TyKind::Linalg(Some(t)) => {
                let [component, rows, columns, use_, scope] = t.numbers();
                format!("{} [[{}({component}, {rows}, {columns}, {use_}, {scope})]]", linalg::TYPE_NAME, linalg::ATTRIBUTE)
            }
            TyKind::Stream(topology, t) => format!("{}<{}>", topology.word(), self.show(t)),
            TyKind::Patch(output, t, n) => format!("{}Patch<{}, {n}>", if output { "Output" } else { "Input" }, self.show(t)),
            TyKind::Spirv(id) => match self.spirv[id] {
                SpirvType { number: Some(n), .. } => format!("vk::ext_type<{n}>"),
                SpirvType { opcode, size: 0, .. } => format!("vk::SpirvOpaqueType<{opcode}>"),
                SpirvType { opcode, size, align, .. } => format!("vk::SpirvType<{opcode}, {size}, {align}>"),
            },
            TyKind::BufferPointer(t, 0) => format!("vk::BufferPointer<{}>", self.show(t)),
            TyKind::BufferPointer(t, align) => format!("vk::BufferPointer<{}, {align}>", self.show(t)),
            TyKind::Integral(t, bits) => format!("vk::integral_constant<{}, {bits}>", self.show(t)),
            TyKind::SpirvLiteral(t, bits) => format!("vk::Literal<vk::integral_constant<{}, {bits}>>", self.show(t)),
            TyKind::Function(f) => {
                let f = &self.functions[f];
                let passed = |&(t, pass): &(Ty, Pass)| match pass {
                    Pass::Out => format!("out {}", self.show(t)),
                    Pass::InOut => format!("inout {}", self.show(t)),
                    Pass::In | Pass::Ref => self.show(t),
                };
                format!("{}({})", self.show(f.ret), f.params.iter().map(passed).collect::<Vec<_>>().join(", "))
            }
            TyKind::Subobject(s) => format!("{s:?}"),
            TyKind::String => "string".into(),
            TyKind::Heap(false) | TyKind::HeapElement(false) => "ResourceDescriptorHeap".into(),
            TyKind::Heap(true) | TyKind::HeapElement(true) => "SamplerDescriptorHeap".into(),
            TyKind::MipsOf(t, _) | TyKind::MipOf(t, _) => format!("mips of {}", self.show(t)),
        }
    }
}

/// Whether `float3`-like names exist for it.
fn shaped(s: Scalar) -> bool {
    !s.is_literal() && !matches!(s, Scalar::Int8x4 | Scalar::Uint8x4)
}
