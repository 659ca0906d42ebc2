//! A program in all the forms that must do what the model says.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rtc::link::{Input, LinkOptions};
use rtc::paq::Assume;
use rtc::{ConvergeTraces, NoIncludes, OptLevel, Options, PayloadLayout, Profile, Ser, Style, Target};

use super::program::{Body, Program, Split, Stmt, Type};
use super::{print, shared};

/// How a program is compiled.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Its name.
    pub name: &'static str,
    output: Output,
    level: OptLevel,
    layout: Layout,
    ser: Ser,
    /// Each trace divides the ray generation shader.
    wavefront: bool,
    /// Traces under divergent control flow are executed by all lanes.
    converge: ConvergeTraces,
    /// `rtc paq -fix` writes the qualifiers first.
    inferred: bool,
}

/// What is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Output {
    /// DXIL, on the CPU device, which follows the qualifiers.
    Dxil,
    /// The module that SPIR-V is made of, as DXIL without qualifiers: on the CPU device all stages share one payload then, as they do in Vulkan.
    Shared,
    /// A package, on a Vulkan device.
    Package,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    Declared,
    Packed,
    Whole,
}

const DXIL: Form = Form {
    name: "DXIL -O3",
    output: Output::Dxil,
    level: OptLevel::O3,
    layout: Layout::Declared,
    ser: Ser::ByExtension,
    wavefront: false,
    converge: ConvergeTraces::Off,
    inferred: false,
};
const SHARED: Form = Form { name: "shared, declared", output: Output::Shared, ..DXIL };
const PACKAGE: Form = Form { name: "package, declared", output: Output::Package, ..DXIL };
const CONVERGED: Form = Form { name: "package, declared, converged", converge: ConvergeTraces::On, ..PACKAGE };

/// All forms, those first that take the least time.
pub const FORMS: [Form; 23] = [
    DXIL,
    Form { name: "DXIL -Od", level: OptLevel::O0, ..DXIL },
    Form { name: "DXIL, inferred", inferred: true, ..DXIL },
    SHARED,
    Form { name: "shared, whole", layout: Layout::Whole, ..SHARED },
    Form { name: "shared, packed", layout: Layout::Packed, ..SHARED },
    Form { name: "shared, inferred", inferred: true, ..SHARED },
    Form { name: "shared, inferred, packed", layout: Layout::Packed, inferred: true, ..SHARED },
    Form { name: "shared, declared, -Od", level: OptLevel::O0, ..SHARED },
    Form { name: "shared, whole, -Od", level: OptLevel::O0, layout: Layout::Whole, ..SHARED },
    Form { name: "shared, packed, -Od", level: OptLevel::O0, layout: Layout::Packed, ..SHARED },
    PACKAGE,
    Form { name: "package, whole", layout: Layout::Whole, ..PACKAGE },
    Form { name: "package, packed", layout: Layout::Packed, ..PACKAGE },
    Form { name: "package, inferred, packed", layout: Layout::Packed, inferred: true, ..PACKAGE },
    Form { name: "package, declared, -Od", level: OptLevel::O0, ..PACKAGE },
    Form { name: "package, whole, -Od", level: OptLevel::O0, layout: Layout::Whole, ..PACKAGE },
    CONVERGED,
    Form { name: "package, packed, converged", layout: Layout::Packed, ..CONVERGED },
    Form { name: "package, whole, converged, -Od", level: OptLevel::O0, layout: Layout::Whole, ..CONVERGED },
    Form { name: "package, sorted rays", ser: Ser::Wavefront, wavefront: true, ..PACKAGE },
    Form { name: "package, whole, sorted rays", ser: Ser::Wavefront, wavefront: true, layout: Layout::Whole, ..PACKAGE },
    Form { name: "package, packed, sorted rays", ser: Ser::Wavefront, wavefront: true, layout: Layout::Packed, ..PACKAGE },
];

/// Why there is no build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// rtc refuses the program.
    Refused(String),
    /// It panics.
    Panicked,
    /// It does not infer the qualifiers.
    NotInferred(String),
}

impl Form {
    /// Whether `rtc paq -fix` writes the qualifiers first.
    pub fn is_inferred(&self) -> bool {
        self.inferred
    }

    /// Whether the CPU device executes it.
    pub fn is_on_cpu(&self) -> bool {
        self.output != Output::Package
    }

    /// Whether nothing is optimised.
    pub fn is_unoptimised(&self) -> bool {
        self.level == OptLevel::O0
    }

    /// Whether each trace divides the ray generation shader. What that makes takes long to load on processors.
    pub fn is_sorted(&self) -> bool {
        self.wavefront
    }

    /// Whether payloads are laid out by what is alive.
    pub fn is_packed(&self) -> bool {
        self.layout != Layout::Declared
    }

    /// Whether programs like this one have the form.
    pub fn fits(&self, p: &Program) -> bool {
        // Functions of other libraries are there after linking, of which there is none of packages.
        let split = match p.split {
            Split::One => true,
            // Packages with lowered hit objects, and those whose traces all lanes execute, are pipelines of their own.
            Split::Together if self.converge != ConvergeTraces::Off => false,
            Split::Together => self.layout != Layout::Whole && !self.wavefront && (self.output != Output::Package || !p.hit_objects),
            Split::Linked => self.output == Output::Dxil,
        };
        let layout = self.layout != Layout::Packed || self.inferred || p.qualified;
        split && layout && (!self.inferred || (!p.qualified && may_be_inferred(p)))
    }

    fn options(&self, p: &Program) -> Options {
        let minor = match (p.hit_objects, p.qualified || self.inferred) {
            (true, _) => 9,
            (false, true) => 7,
            (false, false) => 6,
        };
        let mut o = Options::new(Profile::parse(&format!("lib_6_{minor}")).expect("a profile"));
        o.target = match self.output {
            Output::Dxil => Target::Dxil,
            Output::Shared => Target::Spirv,
            Output::Package => Target::Package,
        };
        o.snapshots = self.output == Output::Shared;
        o.level = self.level;
        o.native_16bit = p.native_16bit;
        o.payload_qualifiers = Some(p.qualified || self.inferred);
        o.payload_layout = match self.layout {
            Layout::Declared => PayloadLayout::Declared,
            Layout::Packed => PayloadLayout::Packed,
            Layout::Whole => PayloadLayout::Whole,
        };
        (o.vulkan.ser, o.vulkan.wavefront_traces, o.vulkan.converge_traces) = (self.ser, self.wavefront, self.converge);
        o.warnings.none = true;
        o
    }

    /// The files of the program in this form.
    ///
    /// # Errors
    /// The qualifiers are not inferred.
    pub fn sources(&self, p: &Program) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let parts = print::parts(p).into_iter().enumerate();
        let mut sources: Vec<(String, Vec<u8>)> = parts.map(|(i, text)| (format!("part{i}.hlsl"), text.into_bytes())).collect();
        if self.inferred {
            let o = self.options(p);
            let assume = Assume { may_lack_closest_hit: true, ..Assume::default() };
            let found = rtc::paq::infer(&sources, &mut NoIncludes, &o, assume);
            if found.failed() {
                let all = found.libraries.iter().flat_map(|c| c.diagnostics.iter().map(|d| d.message.clone()));
                let all: Vec<String> = all.chain(found.diagnostics.iter().map(|d| d.message.clone())).collect();
                return Err(Failure::NotInferred(all.join("; ")));
            }
            let new = rtc::paq::rewrite(&found, &sources, &mut NoIncludes, &o);
            if let Some(d) = new.diagnostics.first() {
                return Err(Failure::NotInferred(d.message.clone()));
            }
            for (path, text) in new.files {
                if let Some(s) = sources.iter_mut().find(|s| s.0 == path) {
                    s.1 = text;
                }
            }
        }
        Ok(sources)
    }

    /// The files that a device loads: one, or two that are given together.
    ///
    /// # Errors
    /// There are none.
    pub fn build(&self, p: &Program) -> Result<Vec<Vec<u8>>, Failure> {
        catch_unwind(AssertUnwindSafe(|| self.compiled(p))).unwrap_or(Err(Failure::Panicked))
    }

    fn compiled(&self, p: &Program) -> Result<Vec<Vec<u8>>, Failure> {
        let o = self.options(p);
        let mut files = Vec::new();
        for (name, text) in self.sources(p)? {
            let out = rtc::compile(&name, &text, &mut NoIncludes, &o);
            let errors: Vec<String> =
                out.diagnostics.iter().filter(|d| d.is_error()).map(|d| rtc::render(&out.sources, d, Style::Short)).collect();
            let product = out.product.ok_or_else(|| Failure::Refused(errors.concat()))?;
            files.push(if self.output == Output::Shared {
                shared::dxil(&out.snapshots, &o).map_err(Failure::Refused)?
            } else {
                product.into_bytes()
            });
        }
        if p.split == Split::Linked {
            let inputs = [Input { name: "part0", bytes: &files[0] }, Input { name: "part1", bytes: &files[1] }];
            let target = rtc::link::Target::Library(o.profile.minor);
            let linked = rtc::link::link(&inputs, &LinkOptions::new(target))
                .map_err(|e| Failure::Refused(e.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("; ")))?;
            return Ok(vec![linked.bytes]);
        }
        Ok(files)
    }
}

/// The inference takes it that miss indices are those of shaders, and refuses payloads that no trace of the library has or no shader receives.
fn may_be_inferred(p: &Program) -> bool {
    let bodies = p.families.iter().flat_map(|f| f.groups.iter().flat_map(|g| [&g.any, &g.closest]).chain([&f.miss])).flatten();
    // What functions of other libraries do with a payload, or a structure in one, is not known.
    let takes_structure = |b: &Body, n: usize| b.variables[..n].iter().any(|t| matches!(t, Type::Struct(_)));
    if p.split == Split::Linked && p.functions.iter().any(|f| !f.traces && !f.ends && takes_structure(&f.body, f.modes.len())) {
        return false;
    }
    let (mut traced, mut called) = (BTreeSet::new(), BTreeSet::new());
    for body in bodies.chain([&p.main]) {
        of_traces(p, body, &body.statements, &mut traced, &mut called);
    }
    // The rules of payloads hold in functions without a caller, too, of which the inference knows nothing.
    let mut everywhere = traced.clone();
    for f in &p.functions {
        of_traces(p, &f.body, &f.body.statements, &mut everywhere, &mut called);
    }
    let any = p.families.iter().filter(|f| f.groups.iter().any(|g| g.any.is_some())).map(|f| f.any_type);
    let shaded = p.families.iter().filter(|f| f.miss.is_some() || f.groups.iter().any(|g| g.closest.is_some())).map(|f| f.shade_type);
    let received: BTreeSet<usize> = any.chain(shaded).collect();
    everywhere == traced
        && traced.is_subset(&received)
        && p.families.iter().all(|f| f.miss.is_some() && [f.any_type, f.shade_type].iter().all(|t| traced.contains(t)))
}

/// The payloads of the traces that a shader may come to, also in the functions that it calls, which `called` names.
fn of_traces(p: &Program, body: &Body, statements: &[Stmt], traced: &mut BTreeSet<usize>, called: &mut BTreeSet<usize>) {
    for s in statements {
        let place = match s {
            Stmt::Trace(t) | Stmt::HitTrace(_, t) => &t.payload,
            Stmt::Invoke(_, place) => place,
            Stmt::If(_, yes, no) => {
                of_traces(p, body, yes, traced, called);
                of_traces(p, body, no, traced, called);
                continue;
            }
            Stmt::For(_, _, inner, _) => {
                of_traces(p, body, inner, traced, called);
                continue;
            }
            Stmt::Call(f, ..) => {
                if called.insert(*f) {
                    let body = &p.functions[*f].body;
                    of_traces(p, body, &body.statements, traced, called);
                }
                continue;
            }
            // Nothing comes after it.
            Stmt::Return | Stmt::Ignore | Stmt::Accept => return,
            _ => continue,
        };
        if let Type::Struct(s) = p.place_type(body, place) {
            traced.insert(s);
        }
    }
}
