//! One input of the linker: a library, read.

use crate::bitcode;
use crate::container::program::Program;
use crate::container::rdat::{Rdat, Subobject};
use crate::container::{Container, FourCc, ShaderKind};
use crate::metadata::Info;
use crate::module::{Func, Module, TypeKind, Value};
use crate::recompute::uses::Uses;

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
    /// Who names what.
    pub uses: Uses,
    /// Whether it has debug information.
    pub debug: bool,
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
        let debug = container.part(FourCc::ILDB).is_some() || !module.meta.named("llvm.dbg.cu").is_empty();
        let library = Library { name: name.to_owned(), uses: Uses::new(&module), module, known, subobjects, reflection, debug };
        library.check()?;
        Ok(library)
    }

    /// What the linker relies on.
    fn check(&self) -> Result<(), String> {
        let m = &self.module;
        for (func, e) in self.known.shaders() {
            if m.funcs[func].body.is_none() {
                return Err(format!("entry point `{}` has no code", e.name));
            }
        }
        for (func, f) in m.funcs.iter() {
            let Some(body) = &f.body else { continue };
            let blocks = !body.blocks.is_empty();
            if !blocks || body.blocks.keys().any(|b| body.terminator(b).is_none()) {
                return Err(format!("function `{}` has a block without end", f.name));
            }
            let arguments = m.types.signature(m.funcs[func].ty).map_or(0, |s| s.1.len());
            let mut wrong = false;
            for &i in body.blocks.values().flatten() {
                body.operands(i, |v| wrong |= matches!(v, Value::Arg(n) if n as usize >= arguments));
            }
            if wrong {
                return Err(format!("function `{}` uses an argument that it has not", f.name));
            }
        }
        let ctors = m.globals.values().find(|g| &*g.name == "llvm.global_ctors");
        if ctors.is_some_and(|g| !matches!(m.types[g.ty], TypeKind::Array { len: 0, .. })) {
            return Err("it has static variables that are set up when shaders start, which rtc does not link".into());
        }
        Ok(())
    }

    /// Whether it is for linking only.
    pub fn offline(&self) -> bool {
        self.known.model.minor == rtc_tables::limits::OFFLINE_MODEL
    }

    /// What people call a function.
    pub fn spelling(&self, func: Func) -> &str {
        crate::container::rdat::unmangle(&self.module.funcs[func].name)
    }
}
