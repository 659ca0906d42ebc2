//! Merges the resolved functions of several libraries into one module, inlines and optimises it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::annotations::{Payloads, annotations};
use super::import::{Importer, is_internal, same};
use super::library::Library;
use super::merged::{FunctionMetadata, Merged};
use super::orientation::{self, Orientations};
use super::resolve::{Chosen, FunctionRef, choose};
use super::resources::{self, Merger, Resource};
use super::{
    DebugGoes, Linked, Options, Target, constants, cse, emit, handles, inline, mem2reg, memory, older, outside, scalars, statics,
    subobjects, variables,
};
use rtc_dxil_container::Version;
use rtc_dxil_container::metadata::{self, Info};
use rtc_dxil_container::rdat::{Subobject, unmangle};
use rtc_dxil_container::recompute::uses::Uses;
use rtc_dxil_module::{AttrKind, FUNCTION_INDEX, Func, Global, GlobalVar, Linkage, Meta, Module, Type};
use rtc_tables::limits::{NEWEST_MODEL, OFFLINE_MODEL};

/// The first minor shader model with texel offsets that are no constants.
const COMPUTED_OFFSETS: u32 = 7;

/// A run of the linker.
pub struct Job<'a> {
    libraries: Vec<Library>,
    options: &'a Options,
    validator: Version,
    warnings: Vec<String>,
    /// Whether debug information comes along.
    debug: bool,
}

impl<'a> Job<'a> {
    /// Checks the libraries as wholes.
    ///
    /// # Errors
    /// Shader models above the target's, data layouts that differ, a validator that does not know the target.
    pub fn new(libraries: Vec<Library>, options: &'a Options) -> Result<Self, Vec<String>> {
        let (minor, profile) = (options.target.minor(), options.target.profile());
        let mut wrong = Vec::new();
        for l in &libraries {
            // What a shader needs, its code tells.
            let newer = !l.offline() && l.known.model.minor > minor && matches!(options.target, Target::Library(_));
            if l.known.model.major != 6 || newer {
                wrong.push(format!("`{}` is for shader model {}, the target is {profile}", l.name, l.known.model));
            }
        }
        let first = &libraries[0];
        for l in &libraries[1..] {
            if l.module.data_layout != first.module.data_layout {
                wrong.push(format!(
                    "`{}` and `{}` disagree about 16-bit types: one is compiled with -enable-16bit-types",
                    first.name, l.name
                ));
            }
        }
        let inputs = libraries.iter().filter(|l| !l.offline()).map(|l| l.known.validator).max();
        let own = Version::new(1, minor.clamp(8, NEWEST_MODEL));
        let validator = match options.validator {
            Some(v) => v,
            None if minor == OFFLINE_MODEL => Version::new(0, 0),
            None => inputs.map_or(own, |v| v.max(own)),
        };
        if validator.major == 1 && validator.minor < minor && minor != OFFLINE_MODEL {
            wrong.push(format!("{profile} needs validator version 1.{minor}, the chosen one is {validator}"));
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let useless = |l: &Library| Some(format!("the debug information of `{}` is dropped: {}", l.name, l.without_debug.as_ref()?));
        let warnings = if options.debug == DebugGoes::Away { Vec::new() } else { libraries.iter().filter_map(useless).collect() };
        Ok(Job { libraries, options, validator, warnings, debug: false })
    }

    /// Links.
    ///
    /// # Errors
    /// See [`super::link`].
    pub fn run(mut self) -> Result<Linked, Vec<String>> {
        let wanted = self.options.debug != DebugGoes::Away && self.libraries.iter().any(|l| l.debug.is_some());
        let with_debug: Option<Vec<Library>> = if wanted { self.libraries.iter().map(Library::with_debug).collect() } else { None };
        let (merged, subobjects) = self.code()?;
        // The code is generated a second time, by the same steps and with the same facts, so that debug information
        // cannot change any.
        let debug = with_debug.and_then(|libraries| {
            let (options, validator) = (self.options, self.validator);
            let mut other = Job { libraries, options, validator, warnings: Vec::new(), debug: true };
            other.code().ok().map(|made| made.0)
        });
        let flags = self.chosen_flags();
        let reflections = self.libraries.iter().filter_map(|l| l.reflection.as_ref());
        let settings = emit::Settings { options: self.options, validator: self.validator, flags };
        let mut linked = emit::emit(merged, debug, &subobjects, &settings, reflections)?;
        if wanted && linked.debug.is_none() {
            self.warnings.push("debug information is dropped: it would not belong to the code".into());
        }
        linked.warnings = self.warnings;
        Ok(linked)
    }

    /// The linked code and its subobjects.
    fn code(&mut self) -> Result<(Merged, Vec<Subobject>), Vec<String>> {
        let minor = self.options.target.minor();
        if minor >= handles::HANDLES {
            for l in self.libraries.iter_mut() {
                let annotated = l.known.model.minor >= handles::HANDLES;
                handles::annotate(&mut l.module, &l.known.resources, annotated).map_err(|handles::Untraceable(f)| {
                    vec![format!("`{}` of `{}` takes a resource from somewhere else than a variable", l.spelling(f), l.name)]
                })?;
                l.uses = Uses::new(&l.module);
            }
        }
        let mut chosen = choose(&self.libraries, self.options)?;
        let orientations: Vec<Orientations> = self.libraries.iter().map(Orientations::of).collect();
        let wrong = orientation::of_functions(&self.libraries, &orientations, &chosen);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        self.warnings.append(&mut chosen.undefined);
        let subobjects = match self.options.target {
            Target::Library(_) => subobjects::merge(&self.libraries)?,
            Target::Shader { .. } => Vec::new(),
        };
        let (mut merged, names) = self.merge(&chosen, &orientations)?;
        let records: Vec<_> = merged.resources.iter().map(|r| r.record.clone()).collect();
        handles::agree(&mut merged.module, &records);
        let set_up: Vec<Func> = chosen.set_up.iter().map(|f| names[f]).collect();
        statics::list(&mut merged.module, &set_up);
        self.inline(&mut merged.module, &self.shaders(&chosen, &names))?;
        let mut merged = self.collect(merged, &chosen, &names);
        if minor < handles::HANDLES {
            older::lower(&mut merged.module, minor);
            let records: Vec<_> = merged.resources.iter().map(|r| r.record.clone()).collect();
            handles::declare(&mut merged.module, &records).map_err(|handles::Untraceable(f)| {
                let name = unmangle(&merged.module.funcs[f].name);
                vec![format!("`{name}` takes a resource from somewhere else than a variable, which shader models before 6.6 cannot")]
            })?;
            merged = self.written_anew(merged);
        }
        self.bind(&mut merged)?;
        if let Target::Shader { minor, .. } = self.options.target {
            let records: Vec<_> = merged.resources.iter().map(|r| r.record.clone()).collect();
            handles::bind(&mut merged.module, &records, minor).map_err(|handles::Untraceable(f)| {
                let name = unmangle(&merged.module.funcs[f].name);
                vec![format!("`{name}` takes a resource from somewhere else than a variable, which only functions of libraries can")]
            })?;
            merged = self.without_variables(merged);
        }
        Ok((merged, subobjects))
    }

    /// Flags that code does not tell: optimisation and bound resources, aliasing UAVs, native 16-bit types.
    fn chosen_flags(&self) -> u64 {
        use rtc_dxil_container::shader_flags::bit;
        let all = |f: &dyn Fn(&Info) -> bool| self.libraries.iter().all(|l| f(&l.known));
        let mut out = 0;
        if !all(&|k| k.flags() & bit::DISABLE_OPTIMIZATIONS == 0) {
            out |= bit::DISABLE_OPTIMIZATIONS;
        }
        if all(&|k| k.flags() & bit::ALL_RESOURCES_BOUND != 0) {
            out |= bit::ALL_RESOURCES_BOUND;
        }
        if all(&|k| k.flags() & bit::NATIVE_LOW_PRECISION != 0) {
            out |= bit::NATIVE_LOW_PRECISION;
        }
        // From 6.7 on libraries say whether UAVs may alias.
        let uavs = |k: &Info| k.of_class(rtc_dxil_container::ResourceClass::Uav).next().is_some();
        if all(&|k| k.dxil.minor < 7 || !uavs(k) || k.flags() & bit::UAVS_DO_NOT_ALIAS != 0) {
            out |= bit::UAVS_DO_NOT_ALIAS;
        }
        out
    }

    /// Everything chosen, in one module; and what each place has become there.
    fn merge(&self, chosen: &Chosen, orientations: &[Orientations]) -> Result<(Merged, FxHashMap<FunctionRef, Func>), Vec<String>> {
        let libraries = &self.libraries;
        let mut out = Module::new();
        out.data_layout = libraries[0].module.data_layout.clone();
        let mut imports: Vec<Importer> = libraries.iter().map(|l| Importer::new(&l.module)).collect();
        let (places, by_library) = self.declare(chosen, &mut imports, &mut out);
        for (&(n, declaration), definition) in &chosen.resolved {
            imports[n].funcs.insert(declaration, places[definition]);
        }
        let mut merger = Merger::new(libraries, orientations);
        let mut variables: FxHashMap<&str, (usize, rtc_dxil_module::Global)> = FxHashMap::default();
        let mut wrong = Vec::new();
        for (n, import) in imports.iter_mut().enumerate() {
            let library = &libraries[n];
            let used: FxHashSet<_> = by_library[n].iter().flat_map(|&f| library.uses.globals[f].iter().copied()).collect();
            merger.add(&mut out, import, n, |g| used.contains(&g));
            for (global, g) in library.module.globals.iter() {
                if !used.contains(&global) || import.globals.contains_key(&global) {
                    continue;
                }
                match variables.get(&*g.name).copied().filter(|_| !is_internal(g.linkage)) {
                    Some((other, there)) => {
                        wrong.extend(clash(&libraries[other], there, library, g));
                        let made = out.globals.iter().find(|(_, o)| o.name == g.name).map(|(made, _)| made);
                        import.globals.extend(made.map(|made| (global, made)));
                    }
                    None => {
                        let made = import.global(&mut out, global);
                        if is_internal(g.linkage) {
                            let name = free_variable(&out, made, &g.name);
                            out.globals[made].name = name.into();
                        } else {
                            variables.insert(&g.name, (n, global));
                        }
                    }
                }
            }
        }
        wrong.append(&mut merger.wrong);
        for (import, funcs) in imports.iter_mut().zip(&by_library).filter(|_| self.debug) {
            let funcs = funcs.iter().copied().collect();
            let there = import.globals.clone();
            import.with_debug(&mut out, &funcs, |g| there.contains_key(&g));
        }
        let mut about: FxHashMap<Func, FunctionMetadata> = FxHashMap::default();
        for (n, import) in imports.iter_mut().enumerate() {
            for &func in &by_library[n] {
                let body = import.body(&mut out, func);
                out.funcs[places[&(n, func)]].body = body;
            }
            import.finish(&mut out);
        }
        let (mut structs, mut payloads) = (Vec::new(), Payloads::default());
        for (n, import) in imports.iter_mut().enumerate() {
            let library = &libraries[n];
            annotations(import, &mut out, &mut about, &mut structs);
            payloads.add(import, &mut out, n, libraries, &mut wrong);
            for (func, e) in library.known.shaders() {
                let Some(&made) = places.get(&(n, func)) else { continue };
                let pairs = e.props.all.iter().filter_map(|&(t, v)| Some((t, import.meta(&mut out, v?)?))).collect();
                let signatures = e.signatures.and_then(|s| import.meta(&mut out, s));
                let about = about.entry(made).or_default();
                (about.entry, about.signatures) = (Some(pairs), signatures);
            }
        }
        let resources = merger.all;
        if !wrong.is_empty() {
            return Err(wrong);
        }
        Ok((Merged { module: out, about, resources, structs, payloads: payloads.all }, places))
    }

    /// Declares what is chosen in `out`, under names of its own: what each place becomes there, and what each library has.
    fn declare(&self, chosen: &Chosen, imports: &mut [Importer<'_>], out: &mut Module) -> (FxHashMap<FunctionRef, Func>, Vec<Vec<Func>>) {
        let libraries = &self.libraries;
        let mut places: FxHashMap<FunctionRef, Func> = FxHashMap::default();
        let mut by_library: Vec<Vec<Func>> = vec![Vec::new(); libraries.len()];
        for &(n, func) in &chosen.functions {
            by_library[n].push(func);
            let f = &libraries[n].module.funcs[func];
            let mut name = f.name.to_string();
            let mut tried = 0;
            while is_internal(f.linkage) && out.find_function(&name).is_some() {
                tried += 1;
                name = format!("{}.{tried}", f.name);
            }
            let ty = imports[n].ty(out, f.ty);
            // One of another library that is called so and is internal makes way.
            if let Some(there) = out.find_function(&name) {
                let other = free_name(out, &name);
                out.rename_function(there, &other);
            }
            let made = imports[n].declare(out, func, &name, ty);
            imports[n].funcs.insert(func, made);
            places.insert((n, func), made);
        }
        (places, by_library)
    }

    /// The functions of the result that the host can start.
    fn shaders(&self, chosen: &Chosen, names: &FxHashMap<FunctionRef, Func>) -> Vec<Func> {
        let mut out = Vec::new();
        for &(n, func) in &chosen.functions {
            let Library { module, known, .. } = &self.libraries[n];
            let Some(e) = known.entry_of(func) else { continue };
            let all = [Some(func), e.props.patch_constants(module)];
            out.extend(all.into_iter().flatten().filter_map(|f| names.get(&(n, f)).copied()));
        }
        out.sort_unstable_by_key(|f| f.as_u32());
        out.dedup();
        out
    }

    fn inline(&self, m: &mut Module, shaders: &[Func]) -> Result<(), Vec<String>> {
        let library = matches!(self.options.target, Target::Library(_));
        let wanted = |m: &Module, f: Func| !library || !m.attrs.has(m.funcs[f].attrs, FUNCTION_INDEX, AttrKind::NoInline);
        let inlined = inline::inline(m, wanted).and_then(|mut changed| {
            let own = statics::own(m, shaders)?;
            changed.extend(own.into_iter().filter(|f| !changed.contains(f)).collect::<Vec<_>>());
            Ok(changed)
        });
        let changed = inlined.map_err(|e| {
            let name = |f: Func| format!("`{}`", unmangle(&m.funcs[f].name));
            vec![match e {
                inline::Trouble::Recursion(circle) => {
                    let path: Vec<String> = circle.into_iter().map(name).collect();
                    format!("functions call each other in a circle: {}", path.join(" calls "))
                }
                inline::Trouble::TooLarge(f) => format!("{} is too large once everything is inlined", name(f)),
            }]
        })?;
        // Functions take vectors and aggregates, which shaders have not: there even what is not optimised does without.
        if !library {
            let vectors = self.options.target.minor() >= emit::VECTORS;
            let funcs: Vec<Func> = m.funcs.iter().filter(|(_, f)| f.body.is_some()).map(|(func, _)| func).collect();
            let funcs: Vec<Func> = funcs.into_iter().filter(|&f| changed.contains(&f) || scalars::concerns(m, f, vectors)).collect();
            let needs_constants = self.options.target.minor() < COMPUTED_OFFSETS;
            for f in funcs {
                memory::flatten(m, f, vectors);
                mem2reg::promote(m, f);
                scalars::values(m, f, vectors);
                if needs_constants {
                    constants::fold(m, f);
                }
                cse::eliminate(m, f);
                outside::settle(m, f);
            }
            return Ok(());
        }
        if self.chosen_flags() & rtc_dxil_container::shader_flags::bit::DISABLE_OPTIMIZATIONS == 0 {
            for &f in &changed {
                mem2reg::promote(m, f);
                cse::eliminate(m, f);
            }
        }
        changed.into_iter().for_each(|f| outside::settle(m, f));
        Ok(())
    }

    /// What is exported, under its names, with what that needs.
    fn collect(&self, from: Merged, chosen: &Chosen, places: &FxHashMap<FunctionRef, Func>) -> Merged {
        let mut exports: FxHashMap<Func, Vec<&str>> = FxHashMap::default();
        for (place, name) in &chosen.exports {
            exports.entry(places[place]).or_default().push(name);
        }
        let uses = Uses::new(&from.module);
        // What sets up the static variables that are left comes along.
        let listed = statics::listed(&from.module).unwrap_or_default();
        let mut needed: FxHashSet<Func> = FxHashSet::default();
        let mut work: Vec<Func> = exports.keys().copied().collect();
        while let Some(f) = work.pop() {
            if needed.insert(f) {
                if !listed.is_empty() {
                    let used = statics::reached(&from.module, &uses, f);
                    work.extend(statics::needed(&from.module, &uses, &listed, &used));
                }
                work.extend(uses.funcs[f].iter().filter(|&&c| from.module.funcs[c].body.is_some()));
            }
        }
        let mut import = Importer::new(&from.module);
        let mut out = Module::new();
        out.data_layout = from.module.data_layout.clone();
        let mut made: Vec<(Func, Func)> = Vec::new();
        for (func, f) in from.module.funcs.iter().filter(|(func, _)| needed.contains(func)) {
            let own = [&*f.name];
            let names: &[&str] = exports.get(&func).map_or(&own, |n| n);
            for name in names {
                let ty = import.ty(&mut out, f.ty);
                if let Some(there) = out.find_function(name) {
                    let other = free_name(&out, name);
                    out.rename_function(there, &other);
                }
                let new = import.declare(&mut out, func, name, ty);
                out.funcs[new].linkage = if exports.contains_key(&func) { Linkage::External } else { Linkage::Internal };
                import.funcs.entry(func).or_insert(new);
                made.push((func, new));
            }
        }
        if self.debug {
            let used: FxHashSet<_> = needed.iter().flat_map(|&f| uses.globals[f].iter().copied()).collect();
            from.module.globals.keys().filter(|g| used.contains(g)).for_each(|g| _ = import.global(&mut out, g));
            import.with_debug(&mut out, &needed, |g| used.contains(&g));
        }
        for &(func, new) in &made {
            let body = import.body(&mut out, func);
            out.funcs[new].body = body;
        }
        import.finish(&mut out);
        let set_up: Vec<Func> = listed.iter().filter(|&f| needed.contains(f)).map(|f| import.funcs[f]).collect();
        statics::list(&mut out, &set_up);
        let about = made.iter().filter_map(|&(func, new)| {
            let old = from.about.get(&func)?;
            let entry =
                old.entry.as_ref().map(|props| props.iter().filter_map(|&(t, v)| Some((t, import.meta(&mut out, v)?))).collect::<Vec<_>>());
            let annotation = old.annotation.and_then(|a| import.meta(&mut out, a));
            let signatures = old.signatures.and_then(|s| import.meta(&mut out, s));
            Some((new, FunctionMetadata { annotation, entry, signatures }))
        });
        let about: FxHashMap<Func, FunctionMetadata> = about.collect();
        let mut resources = Vec::new();
        for r in from.resources {
            let Some(global) = r.record.global.and_then(|g| import.globals.get(&g).copied()) else { continue };
            let mut record = r.record;
            record.global = Some(global);
            record.ty = record.ty.map(|t| import.ty(&mut out, t));
            let tags = r.tags.and_then(|t| import.meta(&mut out, t));
            resources.push(Resource { record, tags, library: r.library });
        }
        let mut carry = |list: Vec<(Type, Meta)>| -> Vec<(Type, Meta)> {
            let both = list.into_iter().filter_map(|(t, a)| Some((import.ty(&mut out, t), import.meta(&mut out, a)?)));
            both.collect()
        };
        let (structs, payloads) = (carry(from.structs), carry(from.payloads));
        Merged { module: out, about, resources, structs, payloads }
    }

    /// The same without the declarations that nothing uses any more.
    fn written_anew(&self, from: Merged) -> Merged {
        let exported: Vec<(Func, String)> = from
            .module
            .funcs
            .iter()
            .filter(|(_, f)| f.body.is_some() && f.linkage == Linkage::External)
            .map(|(f, data)| (f, data.name.to_string()))
            .collect();
        let places = exported.iter().map(|&(f, _)| ((0, f), f)).collect();
        let chosen = Chosen {
            functions: Vec::new(),
            resolved: FxHashMap::default(),
            exports: exported.into_iter().map(|(f, name)| ((0, f), name)).collect(),
            set_up: Vec::new(),
            undefined: Vec::new(),
        };
        self.collect(from, &chosen, &places)
    }

    /// Registers and numbers of the resources.
    fn bind(&self, merged: &mut Merged) -> Result<(), Vec<String>> {
        let single = matches!(self.options.target, Target::Shader { .. });
        let mut wrong = Vec::new();
        if single || self.options.auto_space.is_some() {
            wrong = resources::bind(&mut merged.resources, self.options.auto_space.unwrap_or(0));
        }
        resources::number(&mut merged.resources);
        wrong.append(&mut resources::overlaps(&merged.resources, &self.libraries));
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// The module of a single shader, in which no variables stand for resources.
    fn without_variables(&self, from: Merged) -> Merged {
        let exported: Vec<(Func, &str)> = from.module.funcs.iter().filter(|(_, f)| f.body.is_some()).map(|(f, d)| (f, &*d.name)).collect();
        let chosen = Chosen {
            functions: Vec::new(),
            resolved: FxHashMap::default(),
            exports: exported.iter().map(|&(f, name)| ((0, f), name.to_owned())).collect(),
            set_up: Vec::new(),
            undefined: Vec::new(),
        };
        let places = exported.iter().map(|&(f, _)| ((0, f), f)).collect();
        // The loads of handles are used by nothing any more; with them the variables go.
        let mut from = from;
        let funcs: Vec<Func> = from.module.funcs.keys().collect();
        for func in funcs {
            if let Some(body) = &mut from.module.funcs[func].body {
                handles::drop_unused_loads(body);
            }
            variables::forget_lost(&mut from.module, func);
        }
        // Written anew, nothing unused stays in the bodies; there is nothing to inline any more.
        _ = inline::inline(&mut from.module, |_, _| false);
        let records: Vec<(metadata::Resource, Option<Meta>, usize)> =
            from.resources.drain(..).map(|r| (r.record, r.tags, r.library)).collect();
        let source =
            Merged { module: from.module.clone(), about: from.about, resources: Vec::new(), structs: from.structs, payloads: Vec::new() };
        let mut out = self.collect(source, &chosen, &places);
        let mut import = Importer::new(&from.module);
        for (mut record, tags, library) in records {
            record.global = None;
            record.ty = record.ty.map(|t| import.ty(&mut out.module, t));
            let tags = tags.and_then(|t| import.meta(&mut out.module, t));
            out.resources.push(Resource { record, tags, library });
        }
        out
    }
}

/// A name that no function has.
fn free_name(m: &Module, name: &str) -> String {
    let mut n = 1;
    loop {
        let other = format!("{name}.{n}");
        if m.find_function(&other).is_none() {
            return other;
        }
        n += 1;
    }
}

/// Why variable `g` of `library` cannot be variable `there` of `other`, which has its name.
fn clash(other: &Library, there: Global, library: &Library, g: &GlobalVar) -> Option<String> {
    let name = unmangle(&g.name);
    let known = &other.module.globals[there];
    if !same(&other.module, known.ty, &library.module, g.ty) || known.space != g.space {
        return Some(format!("variable `{name}` has one type in `{}` and another in `{}`", other.name, library.name));
    }
    let twice = || format!("variable `{name}` is defined twice, in `{}` and in `{}`", other.name, library.name);
    g.init.is_some().then(twice)
}

/// `name`, or if another variable has it, one that none has.
fn free_variable(m: &Module, own: rtc_dxil_module::Global, name: &str) -> String {
    let taken = |name: &str| m.globals.iter().any(|(g, d)| g != own && &*d.name == name);
    let mut n = 0;
    let mut spelling = name.to_owned();
    while taken(&spelling) {
        n += 1;
        spelling = format!("{name}.{n}");
    }
    spelling
}
