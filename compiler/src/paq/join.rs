//! Several libraries as one program: a function that one of them declares and another defines becomes a function of the first, so that the
//! analyses follow payloads through it as through any other call; and a structure that is a payload in one of them is one in all.

use rtc_base::{EntityRef, Span};
use rtc_ir::{
    Field, Func, Function, Global, GlobalData, GlobalKind, InstData, Module, Numbers, ResourceType, Root, SlotRole, Struct, StructData,
    Type, TypeKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A structure of a library that is declared there for functions which other libraries call.
pub(super) type Shared = (usize, Struct);

/// Gives each library the functions of the others that it calls. What is in the result are their own declarations of structures that both know.
pub(super) fn functions(modules: &mut [&mut Module]) -> Vec<Shared> {
    let declares = |m: &Module| m.funcs.values().any(|f| f.declared && f.inline.is_none());
    if modules.len() < 2 || !modules.iter().any(|m| declares(m)) {
        return Vec::new();
    }
    let original: Vec<Module> = modules.iter().map(|m| (**m).clone()).collect();
    let mut defined: FxHashMap<&str, (usize, Func)> = FxHashMap::default();
    for (n, m) in original.iter().enumerate() {
        for (id, f) in m.funcs.iter().filter(|(_, f)| f.exported && !f.declared && !f.is_entry()) {
            defined.entry(&f.symbol).or_insert((n, id));
        }
    }
    let (mut called, mut shared) = (Vec::new(), Vec::new());
    for (n, m) in original.iter().enumerate() {
        for (id, f) in m.funcs.iter().filter(|(_, f)| f.declared) {
            let Some(&from) = defined.get(f.symbol.as_str()).filter(|from| from.0 != n) else { continue };
            let mut import = Import::new(n, modules[n].clone(), &original, &defined, f.span);
            if import.define(id, from).is_some() {
                *modules[n] = import.to;
                shared.append(&mut import.shared);
                called.push(from);
            }
        }
    }
    // Their callers are known now.
    for (n, f) in called {
        modules[n].funcs[f].exported = false;
    }
    shared
}

/// Makes the payloads of any library payloads of all, as their declarations will be: inside of another payload they have qualifiers of their own.
pub(super) fn payloads(modules: &mut [&mut Module]) {
    let mut names: FxHashSet<String> = FxHashSet::default();
    for m in modules.iter() {
        for s in m.funcs.values().flat_map(|f| f.slots.values()) {
            if let (SlotRole::PayloadIn | SlotRole::PayloadOut, TypeKind::Struct(id)) = (s.role, m.types.kind(s.ty)) {
                names.insert(m.structs[id].name.clone());
            }
        }
    }
    for s in modules.iter_mut().flat_map(|m| m.structs.values_mut()) {
        s.raypayload |= names.contains(&s.name);
    }
}

/// Takes functions of other libraries over into one.
struct Import<'a> {
    own: usize,
    to: Module,
    original: &'a [Module],
    defined: &'a FxHashMap<&'a str, (usize, Func)>,
    /// Where the function is declared: what it does has no other place in the library.
    at: Span,
    funcs: FxHashMap<(usize, Func), Func>,
    globals: FxHashMap<(usize, Global), Global>,
    shared: Vec<Shared>,
}

impl<'a> Import<'a> {
    fn new(own: usize, to: Module, original: &'a [Module], defined: &'a FxHashMap<&'a str, (usize, Func)>, at: Span) -> Self {
        Import { own, to, original, defined, at, funcs: FxHashMap::default(), globals: FxHashMap::default(), shared: Vec::new() }
    }

    /// Defines the declared function `id` as `from`; nothing if something in it cannot be taken over.
    fn define(&mut self, id: Func, from: (usize, Func)) -> Option<()> {
        self.funcs.insert(from, id);
        self.to.funcs[id] = self.function(from)?;
        Some(())
    }

    fn function(&mut self, (library, id): (usize, Func)) -> Option<Function> {
        let mut f = self.original[library].funcs[id].clone();
        (f.exported, f.debug, f.span) = (false, None, self.at);
        if let Some(t) = f.ret {
            f.ret = Some(self.ty(library, t)?);
        }
        for v in f.values.values_mut() {
            v.ty = self.ty(library, v.ty)?;
        }
        for l in f.locals.values_mut() {
            l.ty = self.ty(library, l.ty)?;
        }
        for s in f.slots.values_mut() {
            s.ty = self.ty(library, s.ty)?;
        }
        for p in f.places.values_mut() {
            if let Root::Global(g) = p.root {
                p.root = Root::Global(self.global(library, g)?);
            }
        }
        for i in f.insts.values_mut() {
            match i {
                InstData::Resource { global, .. } => *global = self.global(library, *global)?,
                InstData::Call { func, .. } => *func = self.callee((library, *func))?,
                _ => {}
            }
        }
        f.spans.values_mut().for_each(|s| *s = self.at);
        Some(f)
    }

    /// The function that a function of another library calls.
    fn callee(&mut self, from: (usize, Func)) -> Option<Func> {
        if from.0 == self.own {
            return Some(from.1);
        }
        if let Some(&known) = self.funcs.get(&from) {
            return Some(known);
        }
        let f = &self.original[from.0].funcs[from.1];
        if f.declared
            && let Some(&found) = self.defined.get(f.symbol.as_str())
        {
            return self.callee(found);
        }
        // Known before its body is, which may call it.
        let id = self.to.funcs.push(Function::new(f.name.clone(), f.stage));
        self.funcs.insert(from, id);
        self.to.funcs[id] = self.function(from)?;
        Some(id)
    }

    fn global(&mut self, library: usize, g: Global) -> Option<Global> {
        if let Some(&known) = self.globals.get(&(library, g)) {
            return Some(known);
        }
        let old = &self.original[library].globals[g];
        let mut kind = old.kind.clone();
        match &mut kind {
            GlobalKind::Resource(r) => {
                r.ty = self.ty(library, r.ty)?;
                (r.layout, r.host) = (None, None);
            }
            GlobalKind::GroupShared(t) | GlobalKind::Private(t, _) | GlobalKind::Table(t, _) => *t = self.ty(library, *t)?,
            GlobalKind::Inline(_) => return None,
        }
        let new = self.to.globals.push(GlobalData { kind, span: self.at, ..old.clone() });
        self.globals.insert((library, g), new);
        Some(new)
    }

    fn ty(&mut self, library: usize, t: Type) -> Option<Type> {
        Some(match self.original[library].types.kind(t) {
            TypeKind::Scalar(s) => self.to.types.scalar(s),
            TypeKind::Vector(s, n) => self.to.types.vector(s, n),
            TypeKind::Array(e, n) => {
                let e = self.ty(library, e)?;
                self.to.types.array(e, n)
            }
            TypeKind::Struct(s) => {
                let s = self.structure(library, s)?;
                self.to.types.struct_(s)
            }
            TypeKind::Resource(r) => {
                let elem = match r.elem {
                    Some(e) => Some(self.ty(library, e)?),
                    None => None,
                };
                self.to.types.resource(ResourceType { elem, ..r })
            }
            TypeKind::HitObject => Type::HIT_OBJECT,
            TypeKind::Linalg(t) => self.to.types.linalg(t),
            TypeKind::RayQuery(flags, query_flags) => self.to.types.ray_query(flags, query_flags),
            TypeKind::Spirv(_) => return None,
        })
    }

    /// The structure of this name, which must have the same members.
    fn structure(&mut self, library: usize, s: Struct) -> Option<Struct> {
        let old = &self.original[library].structs[s];
        let mut fields = Vec::with_capacity(old.fields.len());
        for f in &old.fields {
            fields.push(Field { ty: self.ty(library, f.ty)?, ..f.clone() });
        }
        let Some((known, data)) = self.to.structs.iter().find(|(_, d)| d.name == old.name) else {
            return Some(self.to.structs.push(StructData { fields, ..old.clone() }));
        };
        // A matrix of columns has the type of one of rows: what a function does with a part of one is something else in the other.
        let matrix = |f: &Field| f.numbers.and_then(Numbers::matrix);
        let members = |fields: &[Field]| fields.iter().map(|f| (f.name.clone(), f.ty, matrix(f))).collect::<Vec<_>>();
        let same = members(&data.fields) == members(&fields);
        if same && known.index() < self.original[self.own].structs.len() && !self.shared.contains(&(library, s)) {
            self.shared.push((library, s));
        }
        same.then_some(known)
    }
}
