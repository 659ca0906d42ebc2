//! Rules about functions: external ones are used DXIL operations, functions are only called, parameters and attributes fit.

use crate::{Cx, Here};
use rtc_dxil_module::{Attr, FUNCTION_INDEX, Func, Module, Op, Type, TypeKind, Value};
use rtc_tables::validation::rule;
use rustc_hash::FxHashMap;

/// All functions.
pub(crate) fn functions(cx: &mut Cx<'_>) {
    let m = cx.m;
    let uses = cx.uses();
    let library = cx.info.is_library();
    let mut objects = Objects::default();
    for (func, f) in m.funcs.iter() {
        let operation = m.is_dx_op(func) && parameters(m, func).is_some_and(|p| !p.is_empty());
        let used = uses.funcs[func];
        if f.body.is_none() {
            if is_lifetime(&f.name) && cx.info.dxil.minor >= 6 || f.name.starts_with("llvm.dbg.") && cx.is_debug() {
                continue;
            }
            if !operation && !library {
                cx.function(rule::DECL_EXTERNAL, func, "is declared only, and is no DXIL operation");
                continue;
            }
            if !used.any() {
                cx.function(rule::DECL_UNUSED_FUNCTION, func, "is declared and never used");
                continue;
            }
        }
        // What sets up static variables is in a list of the library, and defined there.
        let first = used.runs_first && !(library && f.body.is_some());
        if used.by_instruction || used.by_constant || first {
            cx.function(rule::DECL_ONLY_CALLED, func, "is used for something else than calling it");
        }
        if operation && f.body.is_none() || f.name.starts_with("llvm.") {
            continue;
        }
        if f.body.is_some() && !library {
            flat(cx, func);
        }
        objects.check(cx, func);
        if !library {
            attributes(cx, func);
        }
    }
    indirect(cx);
}

fn is_lifetime(name: &str) -> bool {
    name.starts_with("llvm.lifetime.")
}

fn parameters(m: &Module, func: Func) -> Option<&[Type]> {
    m.types.signature(m.funcs[func].ty).map(|s| s.1)
}

/// Calls of something that is not simply a function of the module.
fn indirect(cx: &mut Cx<'_>) {
    let m = cx.m;
    for (func, f) in m.funcs.iter() {
        let Some(body) = &f.body else { continue };
        for &inst in body.blocks.values().flatten() {
            if let Op::Call { callee, .. } = body.insts[inst].op
                && !matches!(callee, Value::Func(_))
            {
                cx.inst(rule::DECL_ONLY_CALLED, Here { func, body }, inst, "calls something else than a function by its name");
            }
        }
    }
}

/// Outside of libraries no parameter is a structure.
fn flat(cx: &mut Cx<'_>, func: Func) {
    let m = cx.m;
    for (n, &param) in parameters(m, func).unwrap_or_default().iter().enumerate() {
        let mut ty = m.types.pointee(param).unwrap_or(param);
        while let TypeKind::Array { elem, .. } = m.types[ty] {
            ty = elem;
        }
        if m.types.fields(ty).is_some() {
            cx.function(rule::DECL_FLAT_PARAMETERS, func, format!("takes a structure as parameter {n}"));
            break;
        }
    }
}

/// Attributes with texts are those that DXIL knows.
fn attributes(cx: &mut Cx<'_>, func: Func) {
    let m = cx.m;
    let Some(group) = m.funcs[func].attrs.expand().and_then(|l| m.attrs.at(l, FUNCTION_INDEX)) else { return };
    for attr in &m.attrs.group_data(group).attrs {
        let Attr::Text(key, value) = attr else { continue };
        let fits = match (&**key, value.as_deref().unwrap_or_default()) {
            ("fp32-denorm-mode", value) => matches!(value, "any" | "ftz" | "preserve"),
            ("waveops-include-helper-lanes", _) => true,
            _ => false,
        };
        if !fits {
            let value = value.as_deref().unwrap_or_default().escape_debug();
            let text = format!("has the attribute `{}` with the value `{value}`, which DXIL does not know", key.escape_debug());
            cx.function(rule::DECL_ATTRIBUTE, func, text);
        }
    }
}

/// What a type contains that no parameter may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Object {
    Resource,
    RayQuery,
}

/// Types that were looked into already.
#[derive(Default)]
struct Objects {
    known: FxHashMap<Type, Option<Object>>,
}

impl Objects {
    fn check(&mut self, cx: &mut Cx<'_>, func: Func) {
        let m = cx.m;
        let Some((ret, params, _)) = m.types.signature(m.funcs[func].ty) else { return };
        // Libraries pass each other ray queries by reference: the reference validator looks through no pointer there.
        let library = cx.info.is_library();
        let by_reference = |ty: Type| {
            let name = m.types.pointee(ty).and_then(|class| m.types.struct_name(class));
            library && name.and_then(object) == Some(Object::RayQuery)
        };
        for &ty in std::iter::once(&ret).chain(params.iter().filter(|p| !by_reference(**p))) {
            match self.inside(m, ty) {
                Some(Object::Resource) => {
                    return cx.function(rule::DECL_RESOURCE_PARAMETER, func, "takes or returns a resource");
                }
                Some(Object::RayQuery) => {
                    return cx.function(rule::DECL_RAY_QUERY_PARAMETER, func, "takes or returns a ray query");
                }
                None => {}
            }
        }
    }

    /// Looks through pointers, arrays and structures, each type once.
    fn inside(&mut self, m: &Module, ty: Type) -> Option<Object> {
        if let Some(&known) = self.known.get(&ty) {
            return known;
        }
        let mut found = None;
        let mut seen = vec![ty];
        let mut todo = vec![ty];
        self.known.insert(ty, None);
        while let Some(at) = todo.pop() {
            let mut add = |part: Type| {
                if self.known.insert(part, None).is_none() {
                    seen.push(part);
                    todo.push(part);
                }
            };
            match &m.types[at] {
                TypeKind::Pointer { pointee: part, .. } | TypeKind::Array { elem: part, .. } => add(*part),
                TypeKind::Named { name, body } => {
                    found = found.or(name.as_deref().and_then(object));
                    if let Some(fields) = body {
                        fields.types.iter().for_each(|&f| add(f));
                    }
                }
                TypeKind::Struct(fields) => fields.types.iter().for_each(|&f| add(f)),
                _ => {}
            }
        }
        // What was looked at on the way is known only if nothing was found.
        if found.is_some() {
            for ty in seen {
                self.known.remove(&ty);
            }
            self.known.insert(ty, found);
        }
        found
    }
}

/// The objects of HLSL, by the names of their classes.
fn object(name: &str) -> Option<Object> {
    if name.starts_with("dx.types.") {
        return Some(Object::Resource);
    }
    let name = name.strip_prefix("class.").or_else(|| name.strip_prefix("struct.")).unwrap_or(name);
    let template = name.split('<').next().unwrap_or(name);
    if template == "RayQuery" && name.len() > template.len() {
        return Some(Object::RayQuery);
    }
    let generic = name.len() > template.len();
    let plain = template.strip_prefix("RW").or_else(|| template.strip_prefix("RasterizerOrdered")).unwrap_or(template);
    let resource = match plain {
        "SamplerState" | "SamplerComparisonState" | "ByteAddressBuffer" | "RaytracingAccelerationStructure" => true,
        "FeedbackTexture2D" | "FeedbackTexture2DArray" => true,
        "Buffer" | "StructuredBuffer" | "AppendStructuredBuffer" | "ConsumeStructuredBuffer" => generic,
        "ConstantBuffer" | "TextureBuffer" => generic,
        _ => generic && plain.starts_with("Texture"),
    };
    resource.then_some(Object::Resource)
}
