//! The comments after instructions. After a call of a DXIL operation: its name, the names of its
//! arguments, and for a handle what resource it was annotated to be. With debug information: the
//! place in the source, or the variable that a debug intrinsic describes.

use super::text::Printer;
use rtc_dxil_container::ComponentType;
use rtc_dxil_container::metadata::debug_nodes;
use rtc_dxil_module::{ConstKind, DebugLoc, DebugNode, Meta, MetaNode, Value};
use rtc_tables::dxil_ops::{DxOp, op};

/// The record code of a subprogram.
const SUBPROGRAM: u32 = DebugNode::Subprogram as u32;
/// How many scopes are looked through for a function: more than any source nests.
const MAX_SCOPES: usize = 256;

impl<'m> Printer<'m> {
    /// The comment after a call, if it has one.
    pub fn call_comment(&mut self, callee: Value, args: &[Value]) {
        let m = self.m;
        let Value::Func(func) = callee else { return };
        if !m.is_dx_op(func) {
            return;
        }
        let Some(opcode) = args.first().and_then(|&v| self.int(v)) else {
            return;
        };
        let Some(row) = DxOp::from_u32(opcode as u32).map(DxOp::row) else {
            return;
        };
        self.put(format_args!("  ; {}(", row.name));
        for (at, &(name, _)) in row.params.iter().enumerate() {
            self.str(if at > 0 { "," } else { "" });
            self.str(name);
        }
        self.str(")");
        if row.opcode == op::ANNOTATE_HANDLE
            && let Some(&Value::Const(c)) = args.get(2)
        {
            let words = match &m.consts[c].kind {
                ConstKind::Aggregate(values) => values.iter().map(|&v| self.int(v)).collect(),
                ConstKind::Null => Some(vec![0, 0]),
                _ => None,
            };
            if let Some([basic, detail]) = words.as_deref() {
                self.str("  resource: ");
                self.str(&resource(*basic as u32, *detail as u32));
            }
        }
    }

    /// The comment about the source of an instruction: which variable a call of a debug intrinsic
    /// describes, for any other instruction where it comes from.
    pub fn source_comment(&mut self, callee: Option<&str>, args: &[Value], loc: Option<DebugLoc>) {
        let at = match callee {
            Some("llvm.dbg.value") => 2,
            Some("llvm.dbg.declare") => 1,
            _ => {
                if let Some(loc) = loc {
                    self.put(format_args!(" ; line:{} col:{}", loc.line, loc.column));
                }
                return;
            }
        };
        let (Some(&Value::Meta(variable)), Some(&Value::Meta(expression))) = (args.get(at), args.get(at + 1)) else {
            return;
        };
        if let Some(name) = self.debug_text(variable, "name") {
            self.str(" ; var:\"");
            self.escaped(name);
            self.str("\" ");
            self.meta_node(expression);
        }
        let mut scope = self.debug_reference(variable, "scope");
        for _ in 0..MAX_SCOPES {
            let Some(at) = scope else { return };
            match self.m.meta[at] {
                MetaNode::Debug { code: SUBPROGRAM, .. } => break,
                _ => scope = self.debug_reference(at, "scope"),
            }
        }
        if let Some(name) = scope.and_then(|scope| self.debug_text(scope, "name")) {
            self.str(" func:\"");
            self.escaped(name);
            self.str("\"");
        }
    }

    fn debug_reference(&self, node: Meta, label: &str) -> Option<Meta> {
        match &self.m.meta[node] {
            MetaNode::Debug { code, fields } => {
                let to = debug_nodes::reference(*code, fields, label)?;
                ((to.as_u32() as usize) < self.m.meta.len()).then_some(to)
            }
            _ => None,
        }
    }

    fn debug_text(&self, node: Meta, label: &str) -> Option<&'m [u8]> {
        let m = self.m;
        m.meta.bytes(self.debug_reference(node, label)?)
    }

    /// The integer that a value is.
    pub fn int(&self, value: Value) -> Option<i64> {
        self.m.int_of(value)
    }
}

/// The name of a component type in a comment: `F32`, `UNormF32`.
fn component_name(title: &str) -> String {
    match title.split_once("norm_") {
        Some((sign, plain)) => format!("{}Norm{}", sign.to_uppercase(), plain.to_uppercase()),
        None => title.to_uppercase(),
    }
}

/// What the two words of resource properties say.
fn resource(basic: u32, detail: u32) -> String {
    let bit = |n: u32| basic >> n & 1 != 0;
    let (uav, rov, coherent, flag, reorder) = (bit(12), bit(13), bit(14), bit(15), bit(16));
    let kind = basic & 0xFF;
    let mut text = String::new();
    if uav {
        text.push_str(if coherent { "globallycoherent " } else { "" });
        text.push_str(if reorder { "reordercoherent " } else { "" });
        text.push_str(if rov { "ROV" } else { "RW" });
    }
    let shape = match kind {
        1 => "Texture1D",
        2 => "Texture2D",
        3 => "Texture2DMS",
        4 => "Texture3D",
        5 => "TextureCube",
        6 => "Texture1DArray",
        7 => "Texture2DArray",
        8 => "Texture2DMSArray",
        9 => "TextureCubeArray",
        10 => "TypedBuffer",
        11 => "ByteAddressBuffer",
        12 => "StructuredBuffer",
        13 => "CBuffer",
        14 if flag => "SamplerComparisonState",
        14 => "SamplerState",
        15 => "TBuffer",
        16 => "RTAccelerationStructure",
        17 => "FeedbackTexture2D",
        18 => "FeedbackTexture2DArray",
        _ => "<invalid>",
    };
    text.push_str(shape);
    match kind {
        1..=10 => {
            let count = detail >> 8 & 0xFF;
            let component = ComponentType::from_number(detail & 0xFF);
            let component = component.map_or("INVALID".into(), |c| component_name(c.title()));
            text.push('<');
            if count > 1 {
                text.push_str(&format!("{count}x"));
            }
            text.push_str(&component);
            text.push('>');
        }
        12 => {
            let counter = if uav && flag { ", counter" } else { "" };
            text.push_str(&format!("<stride={detail}{counter}>"));
        }
        17 | 18 => text.push_str(match detail & 0xFF {
            0 => "<MinMip>",
            _ => "<MipRegionUsed>",
        }),
        _ => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use super::resource;

    #[test]
    fn resources_by_their_words() {
        assert_eq!(resource(2, 1033), "Texture2D<4xF32>");
        assert_eq!(resource(4098, 265), "RWTexture2D<F32>");
        assert_eq!(resource(69643, 0), "reordercoherent RWByteAddressBuffer");
        assert_eq!(resource(4108, 16), "RWStructuredBuffer<stride=16>");
        assert_eq!(resource(13, 80), "CBuffer");
        assert_eq!(resource(16, 0), "RTAccelerationStructure");
    }
}
