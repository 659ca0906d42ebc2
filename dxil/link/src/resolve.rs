//! Symbol resolution: which functions the result contains, and which library defines each.

use rustc_hash::{FxHashMap, FxHashSet};

use super::import::{difference, is_internal};
use super::library::Library;
use super::{Export, Options, Target, statics};
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::rdat::unmangle;
use rtc_dxil_container::recompute::rdat::is_external;
use rtc_dxil_dis::type_text;
use rtc_dxil_module::{Func, Module, Type, TypeKind};
use rtc_tables::stages::Stage;

/// A function of a library: number of the library, and the function.
pub type FunctionRef = (usize, Func);

/// What is linked.
pub struct Chosen {
    /// Functions with code, by library and then in the order of its module.
    pub functions: Vec<FunctionRef>,
    /// Declarations, with the definitions that they stand for.
    pub resolved: FxHashMap<FunctionRef, FunctionRef>,
    /// What the result exports: a function and its name there, mangled.
    pub exports: Vec<(FunctionRef, String)>,
    /// Functions that set up static variables of those.
    pub set_up: Vec<FunctionRef>,
    /// Messages about functions without a definition.
    pub undefined: Vec<String>,
}

/// The functions that libraries see of each other, by mangled name.
fn definitions<'a>(libraries: &'a [Library], wrong: &mut Vec<String>) -> FxHashMap<&'a str, FunctionRef> {
    let mut out: FxHashMap<&str, FunctionRef> = FxHashMap::default();
    for (n, library) in libraries.iter().enumerate() {
        for (func, f) in library.module.funcs.iter() {
            if f.body.is_none() || is_internal(f.linkage) {
                continue;
            }
            if let Some(&(other, _)) = out.get(&*f.name) {
                wrong.push(format!(
                    "function `{}` is defined twice, in `{}` and in `{}`",
                    shown(&f.name),
                    libraries[other].name,
                    library.name
                ));
                continue;
            }
            out.insert(&f.name, (n, func));
        }
    }
    out
}

/// A name in a message: as people write it, since mangled names begin with a character that does not print.
pub fn shown(name: &str) -> &str {
    unmangle(name)
}

/// A mangled name without the character that does not print, which command lines escape.
fn mangled(name: &str) -> &str {
    name.strip_prefix('\u{1}').or(name.strip_prefix("\\01")).unwrap_or(name)
}

/// The name in a mangled name; other names unchanged.
fn plain(name: &str) -> &str {
    let name = mangled(name);
    name.strip_prefix('?').and_then(|n| n.split('@').next()).unwrap_or(name)
}

/// Whether a function is called so, mangled or not.
fn is_called(own: &str, name: &str) -> bool {
    mangled(own) == mangled(name) || unmangle(own) == name
}

/// A mangled name with another function's name in it.
fn renamed(name: &str, new: &str) -> String {
    let new = plain(new);
    match name.strip_prefix("\u{1}?") {
        Some(rest) => match rest.find('@') {
            Some(at) => format!("\u{1}?{new}{}", &rest[at..]),
            None => new.to_owned(),
        },
        None => new.to_owned(),
    }
}

/// Chooses what is linked: the exports that the options name, then every function that these reach, with the library that defines each. Functions that set up
/// static variables come along with the first function that uses one.
///
/// # Errors
/// Definitions of one name, exports that are not there, no entry point, declarations that do not fit their definitions.
pub fn choose(libraries: &[Library], options: &Options) -> Result<Chosen, Vec<String>> {
    let mut wrong = Vec::new();
    let defined = definitions(libraries, &mut wrong);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let mut places: Vec<FunctionRef> = defined.values().copied().collect();
    places.sort_unstable_by_key(|&(n, f)| (n, f.as_u32()));
    let mut exports = match &options.target {
        Target::Shader { stage, entry, .. } => vec![shader(libraries, &places, *stage, entry).map_err(|e| vec![e])?],
        Target::Library(_) => exports(libraries, &places, options, &mut wrong),
    };
    for &((n, func), _) in &exports {
        let library = &libraries[n];
        if library.known.entry_of(func).is_some_and(|e| library.known.stage(e) == ShaderKind::Node) {
            wrong.push(node(library, func));
        }
    }
    // A patch constant function comes with its hull shader, under its own name.
    for n in 0..exports.len() {
        let (library, func) = exports[n].0;
        let Library { module, known, .. } = &libraries[library];
        let Some(function) = known.entry_of(func).and_then(|e| e.props.patch_constants(module)) else { continue };
        let name = &module.funcs[function].name;
        if module.funcs[function].body.is_none() {
            wrong.push(no_patch_constants(libraries, library, func, name, &defined));
        } else if !exports.iter().any(|e| e.0 == (library, function)) {
            exports.push(((library, function), name.to_string()));
        }
    }
    if wrong.is_empty() && exports.is_empty() {
        wrong.push("nothing is exported: the libraries have no such functions".into());
    }
    let mut out = Chosen { functions: Vec::new(), resolved: FxHashMap::default(), exports, set_up: Vec::new(), undefined: Vec::new() };
    let lists: Vec<Vec<Func>> = libraries.iter().map(|l| statics::listed(&l.module).unwrap_or_default()).collect();
    let mut missing: Vec<(&str, Vec<String>)> = Vec::new();
    let (mut work, mut seen): (Vec<FunctionRef>, FxHashSet<FunctionRef>) =
        (out.exports.iter().map(|e| e.0).collect(), FxHashSet::default());
    while let Some((n, func)) = work.pop() {
        if !seen.insert((n, func)) {
            continue;
        }
        out.functions.push((n, func));
        let library = &libraries[n];
        if !lists[n].is_empty() && !lists[n].contains(&func) {
            let used = statics::reached(&library.module, &library.uses, func);
            for f in statics::needed(&library.module, &library.uses, &lists[n], &used) {
                if !out.set_up.contains(&(n, f)) {
                    out.set_up.push((n, f));
                    work.push((n, f));
                }
            }
        }
        let mut named: Vec<Func> = library.uses.funcs[func].iter().copied().collect();
        named.sort_unstable_by_key(|f| f.as_u32());
        for callee in named {
            let f = &library.module.funcs[callee];
            if f.body.is_some() {
                work.push((n, callee));
            } else if is_external(&library.module, callee) {
                let caller = format!("`{}` of `{}`", library.spelling(func), library.name);
                match defined.get(&*f.name) {
                    Some(&(other, definition)) => {
                        let there = &libraries[other].module;
                        if let Some(differ) = difference(&library.module, f.ty, there, there.funcs[definition].ty, |name| name) {
                            wrong.push(other_types(&caller, (&library.module, callee), (&libraries[other], definition), differ));
                        }
                        out.resolved.insert((n, callee), (other, definition));
                        work.push((other, definition));
                    }
                    None => match missing.iter_mut().find(|m| *m.0 == *f.name) {
                        Some((_, callers)) => callers.push(caller),
                        None => missing.push((&f.name, vec![caller])),
                    },
                }
            }
        }
    }
    out.functions.sort_unstable_by_key(|&(n, f)| (n, f.as_u32()));
    out.undefined.extend(missing.into_iter().map(|(name, callers)| undefined(libraries, name, callers, &defined)));
    out.undefined.sort();
    let complete = matches!(options.target, Target::Shader { .. }) || options.shaders_only;
    if complete {
        wrong.append(&mut out.undefined);
    }
    if wrong.is_empty() { Ok(out) } else { Err(wrong) }
}

/// Why a declaration does not fit the definition of its name; `differ`: the types in them that are not alike.
fn other_types(caller: &str, (module, declared): (&Module, Func), (library, defined): (&Library, Func), differ: (Type, Type)) -> String {
    let (name, there) = (shown(&module.funcs[declared].name), &library.module);
    let (own, given) = (type_text(module, module.funcs[declared].ty), type_text(there, there.funcs[defined].ty));
    let mut text = format!("{caller} calls `{name}` with other types than `{}` defines it with: `{own}`, and `{given}`", library.name);
    if own == given {
        let (own, given) = (body_text(module, differ.0), body_text(there, differ.1));
        text += &format!(", where `{}` is `{own}`, and `{given}`", type_text(there, differ.1));
    }
    text
}

/// Says of a function without a definition who calls it, and with which other types it is there.
fn undefined(libraries: &[Library], name: &str, mut callers: Vec<String>, defined: &FxHashMap<&str, FunctionRef>) -> String {
    callers.sort();
    let more = callers.len().saturating_sub(3);
    callers.truncate(3);
    let mut by = callers.join(", ");
    if more > 0 {
        by += &format!(" and {more} more");
    }
    let mut text = format!("function `{}` is not defined in any library; it is called by {by} as `{}`", shown(name), mangled(name));
    let mut others: Vec<(&str, usize)> = defined.iter().filter(|k| shown(k.0) == shown(name)).map(|(k, p)| (*k, p.0)).collect();
    others.sort_unstable();
    let others: Vec<String> = others.iter().take(3).map(|&(k, n)| format!("`{}` in `{}`", mangled(k), libraries[n].name)).collect();
    if !others.is_empty() {
        text += &format!("; with other types there is {}", others.join(", "));
    }
    text
}

/// Why a node of a work graph is not linked.
fn node(library: &Library, func: Func) -> String {
    let Library { name, .. } = library;
    format!(
        "`{}` of `{name}` is a node of a work graph, whose tables the linker does not write: name the other functions with `-exports`, or use `{name}` as it is",
        library.spelling(func)
    )
}

/// What a structure consists of.
fn body_text(m: &Module, ty: Type) -> String {
    match &m.types[ty] {
        TypeKind::Named { body: Some(body), .. } => {
            let fields: Vec<String> = body.types.iter().map(|&f| type_text(m, f)).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        _ => type_text(m, ty),
    }
}

/// What is wrong with a hull shader whose library does not define its patch constant function.
fn no_patch_constants(libraries: &[Library], library: usize, hull: Func, name: &str, definitions: &FxHashMap<&str, FunctionRef>) -> String {
    let own = &libraries[library];
    let there = match definitions.get(name) {
        Some(&(other, _)) => format!("; it is in `{}`, from where it cannot be taken", libraries[other].name),
        None => String::new(),
    };
    format!(
        "the patch constant function `{}` of hull shader `{}` is not defined in `{}`{there}: compile both in one library",
        shown(name),
        own.spelling(hull),
        own.name
    )
}

/// The entry point of this stage with this name.
fn shader(libraries: &[Library], places: &[FunctionRef], stage: Stage, entry: &str) -> Result<(FunctionRef, String), String> {
    let required = ShaderKind::from_u32(stage as u32).unwrap_or(ShaderKind::Invalid);
    let named = |&&(n, f): &&FunctionRef| is_called(&libraries[n].module.funcs[f].name, entry);
    let kind = |(n, f): FunctionRef| libraries[n].known.entry_of(f).map(|e| libraries[n].known.stage(e));
    let all: Vec<FunctionRef> = places.iter().filter(named).copied().collect();
    if let Some(&place) = all.iter().find(|&&p| kind(p) == Some(required)) {
        return Ok((place, entry.to_owned()));
    }
    match all.first() {
        None => Err(format!("there is no function `{entry}` in any library")),
        Some(&place) => {
            let file = &libraries[place.0].name;
            match kind(place) {
                Some(kind) => {
                    Err(format!("`{entry}` of `{file}` is {} {kind} shader, not {} {required} shader", article(kind), article(required)))
                }
                None => Err(format!("`{entry}` of `{file}` is no entry point")),
            }
        }
    }
}

/// The article of a kind of shader.
fn article(kind: ShaderKind) -> &'static str {
    if kind.name().starts_with(['a', 'i']) { "an" } else { "a" }
}

fn exports(libraries: &[Library], places: &[FunctionRef], options: &Options, wrong: &mut Vec<String>) -> Vec<(FunctionRef, String)> {
    let name = |(n, f): FunctionRef| &*libraries[n].module.funcs[f].name;
    let is_entry = |(n, f): FunctionRef| libraries[n].known.entry_of(f).is_some();
    let wanted = |&place: &FunctionRef| !options.shaders_only || is_entry(place);
    if options.exports.is_empty() {
        return places.iter().copied().filter(wanted).map(|p| (p, name(p).to_owned())).collect();
    }
    let mut out: Vec<(FunctionRef, String)> = Vec::new();
    for Export { function, names } in &options.exports {
        let found = places.iter().copied().filter(|&p| is_called(name(p), function));
        let found: Vec<FunctionRef> = found.filter(wanted).collect();
        if found.is_empty() {
            wrong.push(format!("there is no function `{function}` to export in any library"));
        }
        for place in found {
            for new in names {
                let own = is_called(name(place), new);
                let new = if own { name(place).to_owned() } else { renamed(name(place), new) };
                out.push((place, new));
            }
        }
    }
    let mut seen: FxHashMap<&str, FunctionRef> = FxHashMap::default();
    for (place, new) in &out {
        if let Some(other) = seen.insert(new, *place)
            && other != *place
        {
            let (a, b) = (libraries[other.0].spelling(other.1), libraries[place.0].spelling(place.1));
            wrong.push(format!("`{a}` and `{b}` are both exported as `{}`", shown(new)));
        }
    }
    // In the order of the libraries, and of the list for one function.
    out.sort_by_key(|((n, f), _)| (*n, f.as_u32()));
    out.dedup();
    out
}
