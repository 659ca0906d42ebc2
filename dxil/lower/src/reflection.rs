//! The module of the reflection part (`STAT`): declarations without code, with names and offsets of buffer fields.
//!
//! Matrices are arrays of rows in the IR and hence in the types; that they are matrices, and whether
//! integers are signed, follows from the spelling of the field's type in the source.

use rtc_ir::{self as ir, Matrix, MatrixOrder, Numbers, TypeKind};
use rtc_tables::resources::ResourceKind;

use super::buffer_uses;
use super::facts::Facts;
use super::layout;
use super::types::{HOST, TypeCache, is_one_component, is_rows, is_unsigned, matrix, matrix_words};
use rtc_dxil_container::metadata::{field_tag as tag, int};
use rtc_dxil_container::recompute::counters;
use rtc_dxil_container::{ComponentType, Version};
use rtc_dxil_module::{Func, Meta, MetaNode, Module, Type, TypeKind as Kind, Value};

/// Turns a module, whose functions are `funcs`, into the one that reflection reads. `bare`: its structures have no annotations yet.
pub fn reflect(m: &ir::Module, facts: &Facts, mut out: Module, funcs: Vec<Func>, bare: bool) -> Module {
    let counts = counters::count(&out).collect::<Vec<_>>();
    if bare {
        annotate(m, facts, &mut out, Version::new(0, 0));
    }
    for f in funcs {
        out.funcs[f].body = None;
    }
    // Not bound to any validator: always the newest form.
    out.meta.remove_named("dx.valver");
    let zero = out.meta_i32(0);
    let node = out.meta.node(&[Some(zero), Some(zero)]);
    out.meta.add_named("dx.valver", node);
    counters::write(&mut out, counts.into_iter());
    out
}

/// Annotates the structures of buffers, before the functions. The code of `out` says which members are read. Nothing is said that
/// the validator of this version does not know; 0.0 knows all.
pub fn annotate(m: &ir::Module, facts: &Facts, out: &mut Module, validator: Version) {
    let mut a = Annotator { m, types: TypeCache::default(), validator, done: Vec::new(), list: Vec::new() };
    // A structure of both kinds of buffers has the offsets of constant buffers; those of structured buffers follow from the types.
    let (constant, structured): (Vec<_>, Vec<_>) =
        facts.resources.iter().partition(|r| matches!(r.kind, ResourceKind::CBuffer | ResourceKind::TBuffer));
    for r in constant.into_iter().chain(structured) {
        let data = &m.globals[r.global];
        let Some(decl) = data.resource() else {
            continue;
        };
        let Some(layout) = decl.layout else { continue };
        match r.kind {
            ResourceKind::CBuffer | ResourceKind::TBuffer => {
                let host = out.types.find_named(&format!("{HOST}{}", data.name));
                let Some(wrapper) = host.or_else(|| out.types.find_named(&data.name)) else {
                    continue;
                };
                match m.types.kind(layout) {
                    TypeKind::Struct(s) if decl.kind.is_block() => a.fields_of(out, wrapper, s, r.stride),
                    _ => {
                        a.inner(out, layout);
                        let field = a.field(out, &data.name, 0, layout, (decl.element, &[]));
                        a.put(out, wrapper, r.stride, &[field]);
                    }
                }
            }
            ResourceKind::StructuredBuffer => {
                a.inner(out, layout);
                let class = a.types.class(m, out, data);
                if a.done.contains(&class) {
                    continue;
                }
                a.done.push(class);
                let field = a.field(out, "h", 0, layout, (decl.element, &[]));
                a.put(out, class, r.stride, &[field]);
            }
            _ => {}
        }
    }
    if a.list.is_empty() {
        return;
    }
    let mut all = vec![Some(out.meta_i32(0))];
    all.append(&mut a.list);
    let others = out.meta.named("dx.typeAnnotations").to_vec();
    let (structs, others): (Vec<Meta>, Vec<Meta>) =
        others.into_iter().partition(|&n| int(out, out.meta.elems(n).first().copied().flatten()) == Some(0));
    // Readers take one list of structures. What a buffer says of a structure is more than what a function does.
    for node in structs {
        if let Some(node) = without(out, node, &a.done) {
            all.extend_from_slice(&out.meta.elems(node)[1..]);
        }
    }
    let node = out.meta.node(&all);
    out.meta.remove_named("dx.typeAnnotations");
    out.meta.add_named("dx.typeAnnotations", node);
    for other in others {
        out.meta.add_named("dx.typeAnnotations", other);
    }
    buffer_uses::mark(out);
}

/// The annotation of a structure with matrices whose memory other libraries share: linkers compare where its members are. `ty` is the structure in memory.
pub fn passed(m: &ir::Module, out: &mut Module, s: ir::Struct, ty: Type) -> Vec<Option<Meta>> {
    // The oldest form, which each validator reads; the rest is said by reflection.
    let mut a = Annotator { m, types: TypeCache::default(), validator: Version::new(1, 0), done: Vec::new(), list: Vec::new() };
    let size = a.size(s);
    a.fields_alone(out, ty, s, size);
    a.list
}

/// A node of annotations without those of these structures; none if nothing is left of it.
fn without(out: &mut Module, node: Meta, structs: &[Type]) -> Option<Meta> {
    let elems = out.meta.elems(node).to_vec();
    let (&kind, pairs) = elems.split_first()?;
    let is_one = |what: Option<Meta>| match what.map(|w| &out.meta[w]) {
        Some(MetaNode::Value(Value::Const(c))) => structs.contains(&out.consts[*c].ty),
        _ => false,
    };
    let kept: Vec<&[Option<Meta>]> = pairs.chunks(2).filter(|pair| !is_one(pair[0])).collect();
    if kept.len() * 2 == pairs.len() {
        return Some(node);
    }
    let mut all = vec![kind];
    kept.iter().for_each(|pair| all.extend_from_slice(pair));
    (all.len() > 1).then(|| out.meta.node(&all))
}

/// The nodes that [`take_names`] replaced.
pub struct Names {
    resources: Vec<Meta>,
    entries: Vec<Meta>,
}

/// Takes the names of resources out of the metadata.
pub fn take_names(out: &mut Module) -> Names {
    let names = Names { resources: out.meta.named("dx.resources").to_vec(), entries: out.meta.named("dx.entryPoints").to_vec() };
    let &[old] = &names.resources[..] else { return names };
    let empty = out.meta.string("");
    let mut lists = out.meta.elems(old).to_vec();
    for list in lists.iter_mut().flatten() {
        let mut rows = out.meta.elems(*list).to_vec();
        for row in rows.iter_mut().flatten() {
            let mut fields = out.meta.elems(*row).to_vec();
            fields[2] = Some(empty);
            *row = out.meta.node(&fields);
        }
        *list = out.meta.node(&rows);
    }
    let new = out.meta.node(&lists);
    let mut entries = names.entries.clone();
    for entry in &mut entries {
        let fields = out.meta.elems(*entry);
        if fields.contains(&Some(old)) {
            let fields: Vec<Option<Meta>> = fields.iter().map(|&f| if f == Some(old) { Some(new) } else { f }).collect();
            *entry = out.meta.node(&fields);
        }
    }
    out.meta.set_named("dx.resources", &[new]);
    out.meta.set_named("dx.entryPoints", &entries);
    names
}

/// Puts the names back.
pub fn give_names(out: &mut Module, names: Names) {
    if !names.resources.is_empty() {
        out.meta.set_named("dx.resources", &names.resources);
        out.meta.set_named("dx.entryPoints", &names.entries);
    }
}

struct Annotator<'m> {
    m: &'m ir::Module,
    types: TypeCache,
    validator: Version,
    done: Vec<Type>,
    list: Vec<Option<Meta>>,
}

impl Annotator<'_> {
    /// The structures in a type.
    fn inner(&mut self, out: &mut Module, t: ir::Type) {
        match self.m.types.kind(t) {
            TypeKind::Array(e, _) => self.inner(out, e),
            TypeKind::Struct(s) => {
                let ty = self.types.host_structure(self.m, out, s);
                let size = self.size(s);
                self.fields_of(out, ty, s, size);
            }
            _ => {}
        }
    }

    /// Bytes up to the end of the last field.
    fn size(&self, s: ir::Struct) -> u32 {
        let fields = &self.m.structs[s].fields;
        let Some(last) = fields.last() else { return 0 };
        let constants = self.m.structs[s].name.starts_with(HOST);
        last.offset.unwrap_or(0) + self.field_size(last.ty, last.numbers, constants)
    }

    /// Bytes of a field. In constant buffers, elements of arrays and vectors of matrices start at multiples of 16.
    fn field_size(&self, t: ir::Type, numbers: Option<Numbers>, constants: bool) -> u32 {
        let whole = layout::slot_bytes(self.m, t);
        if !constants {
            return whole;
        }
        match self.m.types.kind(t) {
            TypeKind::Struct(s) => self.size(s),
            TypeKind::Array(e, n) => match matrix(numbers).filter(|_| is_rows(self.m, t)) {
                Some(Matrix { rows, cols, order: MatrixOrder::ColumnMajor }) => {
                    let vector = self.field_size(e, None, true) / cols.max(1) * rows;
                    16 * (cols - 1) + vector
                }
                Some(_) => 16 * (n - 1) + self.field_size(e, None, true),
                None => {
                    let one = self.field_size(e, numbers, true);
                    one.next_multiple_of(16).saturating_mul(n - 1).saturating_add(one)
                }
            },
            _ => whole,
        }
    }

    fn fields_of(&mut self, out: &mut Module, ty: Type, s: ir::Struct, size: u32) {
        if self.done.contains(&ty) {
            return;
        }
        self.done.push(ty);
        let m = self.m;
        for f in &m.structs[s].fields {
            self.inner(out, f.ty);
        }
        self.fields_alone(out, ty, s, size);
    }

    /// Annotates a structure without those in it.
    fn fields_alone(&mut self, out: &mut Module, ty: Type, s: ir::Struct, size: u32) {
        let m = self.m;
        let fields: Vec<Meta> = m.structs[s]
            .fields
            .iter()
            .enumerate()
            .map(|(n, f)| {
                let bits = m.bit_fields.get(&(s, n as u32)).map_or(&[][..], |bits| &bits[..]);
                // The base is called as its type; what bit-fields share has no name.
                let name: &str = match &f.name {
                    _ if !bits.is_empty() => "",
                    name if name.is_empty() && n == 0 => m.structs[s].base.as_deref().unwrap_or_default(),
                    name => name,
                };
                self.field(out, name, f.offset.unwrap_or(0), f.ty, (f.numbers, bits))
            })
            .collect();
        self.put(out, ty, size, &fields);
    }

    fn put(&mut self, out: &mut Module, ty: Type, size: u32, fields: &[Meta]) {
        // Only real structures can be annotated.
        if !matches!(out.types[ty], Kind::Named { .. }) {
            return;
        }
        let mut node = vec![Some(out.meta_i32(size as i32))];
        node.extend(fields.iter().map(|&f| Some(f)));
        let node = out.meta.node(&node);
        self.list.extend([Some(out.meta_undef(ty)), Some(node)]);
    }

    /// A member with what HLSL says about its numbers and the bit-fields that share it.
    fn field(&self, out: &mut Module, name: &str, offset: u32, t: ir::Type, (numbers, bits): (Option<Numbers>, &[(String, u32)])) -> Meta {
        let mut list = vec![Some(out.meta_i32(tag::NAME)), Some(out.meta.string(name))];
        let mut put = |tag: i32, value: Meta, out: &mut Module| list.extend([Some(out.meta_i32(tag)), Some(value)]);
        let shape = matrix(numbers);
        if let Some(shape) = shape {
            let words: Vec<Option<Meta>> = matrix_words(shape).iter().map(|&n| Some(out.meta_i32(n))).collect();
            let node = out.meta.node(&words);
            put(tag::MATRIX, node, out);
        }
        let at = out.meta_i32(offset as i32);
        put(tag::OFFSET, at, out);
        if let Some(c) = self.component(t, numbers) {
            let c = out.meta_i32(c as i32);
            put(tag::COMPONENT, c, out);
        }
        if !bits.is_empty() && self.knows(tag::BIT_FIELDS) {
            let parts: Vec<Option<Meta>> = bits
                .iter()
                .map(|(name, width)| {
                    let part = [out.meta_i32(tag::NAME), out.meta.string(name), out.meta_i32(tag::BIT_WIDTH), out.meta_i32(*width as i32)];
                    Some(out.meta.node(&part.map(Some)))
                })
                .collect();
            let parts = out.meta.node(&parts);
            put(tag::BIT_FIELDS, parts, out);
        }
        if let (None, true, Some(n)) = (shape, self.knows(tag::VECTOR), self.lanes(t, numbers)) {
            let n = out.meta_i32(n as i32);
            put(tag::VECTOR, n, out);
        }
        out.meta.node(&list)
    }

    fn knows(&self, tag: i32) -> bool {
        self.validator.major == 0 || self.validator >= Version::new(1, tag::since(tag.into()))
    }

    fn lanes(&self, t: ir::Type, numbers: Option<Numbers>) -> Option<u32> {
        match self.m.types.kind(t) {
            TypeKind::Array(e, _) => self.lanes(e, numbers),
            TypeKind::Vector(_, n) => Some(n),
            TypeKind::Scalar(_) if is_one_component(numbers) => Some(1),
            _ => None,
        }
    }

    fn component(&self, t: ir::Type, numbers: Option<Numbers>) -> Option<ComponentType> {
        let unsigned = is_unsigned(numbers);
        Some(match self.m.types.kind(t) {
            TypeKind::Array(e, _) => return self.component(e, numbers),
            TypeKind::Scalar(s) | TypeKind::Vector(s, _) => match (s, unsigned) {
                (ir::Scalar::Bool, _) => ComponentType::I1,
                (ir::Scalar::I16, false) => ComponentType::I16,
                (ir::Scalar::I16, true) => ComponentType::U16,
                (ir::Scalar::I32, false) => ComponentType::I32,
                (ir::Scalar::I32, true) => ComponentType::U32,
                (ir::Scalar::I64, false) => ComponentType::I64,
                (ir::Scalar::I64, true) => ComponentType::U64,
                (ir::Scalar::F16, _) => ComponentType::F16,
                (ir::Scalar::F32, _) => ComponentType::F32,
                (ir::Scalar::F64, _) => ComponentType::F64,
            },
            _ => return None,
        })
    }
}
