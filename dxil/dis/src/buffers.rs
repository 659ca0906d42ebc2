//! The layouts of constant buffers and structured buffers, from the type annotations of a module.

use rtc_dxil_container::metadata::{Field, Layout, Resource, annotations, resources};
use rtc_dxil_container::{ComponentType, ResourceClass, ResourceKind};
use rtc_dxil_module::{LAYOUT_NATIVE_16BIT, Module, Type, TypeKind};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The column of the offsets.
const COLUMN: usize = 54;
/// Deepest nesting that is shown; more than any real structure has.
const MAX_DEPTH: usize = 32;
/// Most text that is written: structures that nest without end are cut off.
const MAX_TEXT: usize = 1 << 22;

/// Writes the layouts of all buffers.
pub fn buffer_definitions(out: &mut String, m: &Module) {
    out.push_str(";\n; Buffer Definitions:\n;\n");
    let mut layouts = Layouts { m, out, notes: annotations(m), native: &*m.data_layout == LAYOUT_NATIVE_16BIT };
    for r in resources(m) {
        match (r.class, r.kind) {
            (ResourceClass::Cbv, _) => layouts.constant_buffer(&r, "cbuffer"),
            (_, ResourceKind::TBuffer) => layouts.constant_buffer(&r, "tbuffer"),
            (_, ResourceKind::StructuredBuffer) => layouts.structured_buffer(&r),
            _ => {}
        }
    }
}

struct Layouts<'a> {
    m: &'a Module,
    out: &'a mut String,
    notes: FxHashMap<Type, Layout>,
    native: bool,
}

impl Layouts<'_> {
    fn constant_buffer(&mut self, r: &Resource, keyword: &str) {
        let _ = write!(self.out, "; {keyword} {}\n; {{\n;\n", r.name);
        if let Some(ty) = r.element(self.m) {
            self.structure(ty, &r.name, 0, 3, Some(r.size), 0);
        }
        self.out.push_str("; }\n;\n");
    }

    fn structured_buffer(&mut self, r: &Resource) {
        let Some(ty) = r.element(self.m) else { return };
        let _ = write!(self.out, "; Resource bind info for {}\n; {{\n;\n", r.name);
        let element = self.m.types.fields(ty).and_then(|f| f.types.first().copied());
        if let Some(element) = element {
            let mut note = self.notes.get(&ty).and_then(|n| n.fields.first().cloned()).unwrap_or_default();
            note.name = "$Element".into();
            note.offset = 0;
            self.field(element, &note, 0, 3, Some(r.size), 0);
            if !self.is_structure(element, &note) {
                self.out.push_str(";\n");
            }
        }
        self.out.push_str("; }\n;\n");
    }

    fn is_structure(&self, mut ty: Type, note: &Field) -> bool {
        while let TypeKind::Array { elem, .. } = self.m.types[ty] {
            ty = elem;
        }
        note.matrix.is_none() && self.m.types.fields(ty).is_some()
    }

    fn structure(&mut self, ty: Type, name: &str, offset: u32, indent: usize, size: Option<u32>, depth: usize) {
        let title = self.m.types.struct_name(ty).unwrap_or_default();
        let _ = write!(self.out, ";{:indent$}struct {title}\n;{:indent$}{{\n;\n", "", "");
        if depth < MAX_DEPTH && self.out.len() < MAX_TEXT {
            let m = self.m;
            let types = m.types.fields(ty).map_or(&[][..], |f| &f.types);
            match self.notes.remove(&ty) {
                Some(notes) => {
                    for (&ty, note) in types.iter().zip(&notes.fields) {
                        let offset = offset.wrapping_add(note.offset);
                        self.field(ty, note, offset, indent + 4, None, depth + 1);
                    }
                    self.notes.insert(ty, notes);
                }
                None => {
                    let bytes = size.unwrap_or(0);
                    let text = format!("[{bytes} x i8] (type annotation not present)");
                    let _ = writeln!(self.out, ";{:1$}{text}", "", indent + 4);
                }
            }
        }
        let _ = writeln!(self.out, ";{:indent$}", "");
        self.line(indent, &format!("}} {name};"), offset, size);
        self.out.push_str(";\n");
    }

    fn field(&mut self, ty: Type, note: &Field, offset: u32, indent: usize, size: Option<u32>, depth: usize) {
        let mut elem = ty;
        let (mut count, mut levels) = (1u64, 0);
        while let TypeKind::Array { elem: inner, len } = self.m.types[elem] {
            count = count.saturating_mul(len);
            levels += 1;
            elem = inner;
        }
        let mut name = note.name.clone();
        if let Some([rows, columns, orientation]) = note.matrix {
            // A matrix is an array of its rows or columns itself.
            let inner = if orientation == 1 { rows } else { columns };
            count = count.checked_div(inner as u64).unwrap_or(0);
            levels -= 1.min(levels);
        }
        if levels > 0 {
            let _ = write!(name, "[{count}]");
        }
        if self.is_structure(ty, note) {
            return self.structure(elem, &name, offset, indent, size, depth);
        }
        let component = note.component.map_or("", |c| hlsl_name(c, self.native));
        let text = match note.matrix {
            Some([rows, columns, orientation]) => {
                let order = match orientation {
                    1 => "row_major ",
                    2 => "column_major ",
                    _ => "",
                };
                format!("{order}{component}{rows}x{columns} {name};")
            }
            None => match self.m.types[elem] {
                TypeKind::Vector { len, .. } => format!("{component}{len} {name};"),
                _ => format!("{component} {name};"),
            },
        };
        self.line(indent, &text, offset, size);
    }

    /// A line with its offset, and its size if that is to be shown.
    fn line(&mut self, indent: usize, text: &str, offset: u32, size: Option<u32>) {
        let width = COLUMN.saturating_sub(indent + 1);
        let _ = write!(self.out, ";{:indent$}{text:<width$}; Offset:{offset:>5}", "");
        if let Some(size) = size {
            let _ = write!(self.out, " Size: {size:>5}");
        }
        self.out.push('\n');
    }
}

/// A component type as HLSL has it; minimum-precision types unless 16-bit types are real.
fn hlsl_name(component: ComponentType, native: bool) -> &'static str {
    match component {
        ComponentType::I1 => "bool",
        ComponentType::I16 if native => "int16_t",
        ComponentType::I16 => "min16int",
        ComponentType::U16 if native => "uint16_t",
        ComponentType::U16 => "min16uint",
        ComponentType::I32 => "int",
        ComponentType::U32 => "uint",
        ComponentType::I64 => "int64_t",
        ComponentType::U64 => "uint64_t",
        ComponentType::F16 if native => "half",
        ComponentType::F16 => "min16float",
        ComponentType::F32 => "float",
        ComponentType::F64 => "double",
        ComponentType::SNormF16 => "snorm half",
        ComponentType::UNormF16 => "unorm half",
        ComponentType::SNormF32 => "snorm float",
        ComponentType::UNormF32 => "unorm float",
        ComponentType::SNormF64 => "snorm double",
        ComponentType::UNormF64 => "unorm double",
        ComponentType::PackedS8x32 => "int8_t4_packed",
        ComponentType::PackedU8x32 => "uint8_t4_packed",
        ComponentType::Invalid => "",
    }
}
