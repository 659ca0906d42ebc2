//! One input of the linker: a library, read.

use super::import::Importer;
use rtc_dxil_container::metadata::Info;
use rtc_dxil_container::metadata::signature::Signatures;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::rdat::{Rdat, Subobject};
use rtc_dxil_container::recompute::uses::Uses;
use rtc_dxil_container::{Container, DigestState, FourCc, ShaderKind};
use rtc_dxil_dis as dis;
use rtc_dxil_module::bitcode;
use rtc_dxil_module::{Func, Module};

/// A library.
pub struct Library {
    /// The name of its file.
    pub name: String,
    /// The code.
    pub module: Module,
    /// What its metadata says.
    pub known: Info,
    /// Its subobjects.
    pub subobjects: Vec<Subobject>,
    /// The module for reflection, which alone knows the fields of structures.
    pub reflection: Option<Module>,
    /// Calls, and references to variables.
    pub uses: Uses,
    /// The module with debug information, if it has some that belongs to its code.
    pub debug: Option<Module>,
    /// Why its debug information is of no use.
    pub without_debug: Option<String>,
}

impl Library {
    /// Reads a container.
    ///
    /// # Errors
    /// A sentence about the file, without its name: not a container, damaged, not a library.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Library, String> {
        if bytes.is_empty() {
            return Err("the file is empty".into());
        }
        let container = Container::parse(bytes).map_err(|e| e.to_string())?;
        if container.part(FourCc::SPRV).is_some() {
            return Err("a runtime package; only DXIL is linked".into());
        }
        if container.digest_state == DigestState::Mismatch {
            return Err("its digest does not match its content, which has changed since it was signed".into());
        }
        let module_of = |cc: FourCc, part: &'static str| -> Result<Module, String> {
            let program = Program::read(part, container.require(cc).map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
            if cc == FourCc::DXIL && program.kind != ShaderKind::Library {
                return Err(format!("a {} shader, not a library", program.kind));
            }
            bitcode::read(program.bitcode).map_err(|e| format!("{part}: {e}"))
        };
        let module = module_of(FourCc::DXIL, "DXIL")?;
        let known = Info::whole(&module).map_err(|e| e.to_string())?;
        if !known.is_library() {
            return Err(format!("a {} shader, not a library", known.kind));
        }
        let subobjects = match container.part(FourCc::RDAT) {
            Some(part) => Rdat::read(&part.data).map_err(|e| e.to_string())?.subobjects,
            None => Vec::new(),
        };
        // Reflection is worth having, not worth failing for.
        let reflection = container.part(FourCc::STAT).and_then(|_| module_of(FourCc::STAT, "STAT").ok());
        let (debug, without_debug) = match container.part(FourCc::ILDB).map(|_| module_of(FourCc::ILDB, "ILDB")) {
            None => (None, None),
            Some(Err(why)) => (None, Some(why)),
            Some(Ok(m)) if !rtc_dxil_validate::is_well_formed(&m) => (None, Some("it is damaged".to_owned())),
            Some(Ok(m)) if code_of(&m) != code_of(&module) => (None, Some("it belongs to other code".to_owned())),
            Some(Ok(m)) => (Some(m), None),
        };
        let uses = Uses::new(&module);
        let library = Library { name: name.to_owned(), uses, module, known, subobjects, reflection, debug, without_debug };
        library.check()?;
        Ok(library)
    }

    /// The same library with the module that has debug information, if there is one.
    pub fn with_debug(&self) -> Option<Library> {
        let module = self.debug.as_ref().unwrap_or(&self.module).clone();
        let known = Info::whole(&module).ok()?;
        let library = Library {
            name: self.name.clone(),
            uses: Uses::new(&module),
            module,
            known,
            subobjects: self.subobjects.clone(),
            reflection: None,
            debug: None,
            without_debug: None,
        };
        library.check().ok().map(|()| library)
    }

    /// What the linker relies on beyond what the reader of bitcode refuses.
    fn check(&self) -> Result<(), String> {
        let m = &self.module;
        for (func, e) in self.known.shaders() {
            if m.funcs[func].body.is_none() {
                return Err(format!("entry point `{}` has no code", e.name));
            }
            Signatures::read(m, e.signatures).map_err(|why| format!("entry point `{}` {why}", e.name))?;
        }
        super::statics::listed(m).map(|_| ())
    }

    /// Whether it is for linking only.
    pub fn offline(&self) -> bool {
        self.known.model.minor == rtc_tables::limits::OFFLINE_MODEL
    }

    /// What people call a function.
    pub fn spelling(&self, func: Func) -> &str {
        rtc_dxil_container::rdat::unmangle(&self.module.funcs[func].name)
    }
}

/// The code of a module as text, without names and debug information: equal for modules that do the same in the same way.
pub fn code_of(m: &Module) -> String {
    let mut out = Module::new();
    let mut import = Importer::new(m);
    let code = || m.funcs.iter().filter(|(_, f)| f.body.is_some());
    for (func, f) in code() {
        let ty = import.ty(&mut out, f.ty);
        let made = import.declare(&mut out, func, &f.name, ty);
        import.funcs.insert(func, made);
    }
    for (func, _) in code() {
        let body = import.body(&mut out, func);
        let made = import.funcs[&func];
        out.funcs[made].body = body.map(|mut body| {
            body.names.clear();
            body
        });
    }
    import.finish(&mut out);
    dis::module_text(&out)
}
