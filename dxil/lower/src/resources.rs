//! The resources that a module uses: their ids, registers and flags for metadata and RDAT.

use rtc_base::{EntitySet, Span};
use rtc_ir::{DeclKind, Function, Global, GlobalData, GlobalKind, InstData, Module, Opcode, ResourceType, TypeKind, Value};
use rtc_tables::diagnostics::{E0506, E0507};
use rtc_tables::resources::{CompType, ResourceClass, ResourceFlags, ResourceKind};

use super::live::Live;
use super::{LowerError, Profile, layout};
use rtc_dxil_container::metadata;

/// One used resource.
#[derive(Clone, PartialEq, Debug)]
pub struct Resource {
    /// Its declaration in the module.
    pub global: Global,
    /// Its hidden counter goes up and down.
    pub counts_both_directions: bool,
    /// Register class.
    pub class: ResourceClass,
    /// Shape.
    pub kind: ResourceKind,
    /// Number within its class.
    pub id: u32,
    /// Register space; `u32::MAX` if not assigned.
    pub space: u32,
    /// First register; `u32::MAX` if not assigned.
    pub lower: u32,
    /// Number of registers; `u32::MAX` without bound.
    pub count: u32,
    /// HLSL name.
    pub name: String,
    /// The constant buffer of variables outside constant buffers.
    pub loose: bool,
    /// Component type of a typed resource, as DXIL has it (64-bit components are pairs of words).
    pub comp: CompType,
    /// Components of a texel.
    pub lanes: u32,
    /// Bytes of an element or of a constant buffer.
    pub stride: u32,
    /// Logarithm of the alignment of a structured buffer's elements, if they are structures.
    pub align_log2: u32,
    /// Samples of a texel if declared; of sampler feedback the kind of map.
    pub samples: u32,
    /// Declared and used properties.
    pub flags: ResourceFlags,
    /// Where it was declared.
    pub span: Span,
}

impl Resource {
    /// Last register, inclusive.
    pub fn upper(&self) -> u32 {
        if self.count == u32::MAX { u32::MAX } else { self.lower.wrapping_add(self.count).wrapping_sub(1) }
    }

    /// The record that declares it in a module of shader model 6.`model`; its variable and type are those of the module.
    pub fn declared(&self, model: u32) -> metadata::Resource {
        let has = |flag| self.flags.contains(flag);
        let uav = self.class == ResourceClass::Uav;
        let feedback = matches!(self.kind, ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray);
        let component = self.kind.is_typed() || matches!(self.kind, ResourceKind::AccelerationStructure | ResourceKind::TBuffer);
        metadata::Resource {
            space: self.space,
            lower: self.lower,
            count: self.count,
            component: if component && !feedback { self.comp } else { CompType::Invalid },
            size: self.stride,
            samples: self.samples,
            sampler: u32::from(has(ResourceFlags::COMPARISON)),
            coherent: uav && has(ResourceFlags::COHERENT),
            counter: uav && has(ResourceFlags::COUNTER),
            rov: uav && has(ResourceFlags::ROV),
            reorder_coherent: has(ResourceFlags::REORDER_COHERENT) && model >= REORDER_MODEL,
            atomic64: has(ResourceFlags::ATOMIC64),
            feedback: feedback.then_some(self.samples),
            ..metadata::Resource::new(self.class, self.id, self.name.clone(), self.kind)
        }
    }
}

/// The first shader model that has `reordercoherent`.
const REORDER_MODEL: u32 = 9;

/// The component type that DXIL declares: Booleans are words, and 64-bit components are read as pairs of words.
fn declared_comp(comp: CompType) -> CompType {
    match comp {
        CompType::I1 | CompType::I64 | CompType::U64 | CompType::F64 => CompType::U32,
        CompType::SNormF64 | CompType::UNormF64 => CompType::U32,
        c => c,
    }
}

/// The component type that DXIL declares of a resource.
pub fn comp_of(ty: &ResourceType) -> CompType {
    match ty.kind {
        // Neither raw nor structured, so it gets a component type.
        ResourceKind::AccelerationStructure => CompType::I32,
        ResourceKind::TBuffer => CompType::U32,
        _ => declared_comp(ty.comp),
    }
}

/// Whether a handle comes from a descriptor heap.
pub fn from_heap(f: &Function, handle: Value) -> bool {
    f.def_inst(handle).is_some_and(|i| f.op(i) == Opcode::heap_resource)
}

/// The declared resource of a handle.
pub fn declaration_of(f: &Function, handle: Value) -> Option<Global> {
    match f.insts[f.def_inst(handle)?] {
        InstData::Resource { global, .. } => Some(global),
        _ => None,
    }
}

/// What live code does with resources.
#[derive(Default)]
struct Uses {
    /// Those that it names.
    seen: EntitySet<Global>,
    /// Those whose counter it moves, and in which directions.
    counted: EntitySet<Global>,
    up: EntitySet<Global>,
    down: EntitySet<Global>,
    /// Those on which it has atomic operations of 64 bits.
    atomic64: EntitySet<Global>,
    /// Flags of a type are what any resource of that type does; kept where a handle may be one of several.
    kept: ResourceFlags,
}

/// The flags that are those of a resource, not of its type.
const USED: ResourceFlags = ResourceFlags::COUNTER.union(ResourceFlags::ATOMIC64);

impl Uses {
    fn of<'a>(m: &Module, funcs: impl Iterator<Item = (&'a Function, &'a Live)>) -> Uses {
        let mut uses = Uses::default();
        for (f, live) in funcs {
            for i in live.iter() {
                match f.insts[i] {
                    InstData::Resource { global, .. } => {
                        uses.seen.insert(global);
                    }
                    InstData::Many { op: Opcode::counter_add, args, imm } => {
                        let handle = f.get(args)[0];
                        let Some(g) = declaration_of(f, handle) else {
                            if !from_heap(f, handle) {
                                uses.kept |= ResourceFlags::COUNTER;
                            }
                            continue;
                        };
                        uses.counted.insert(g);
                        let own = if imm == 1 { &mut uses.up } else { &mut uses.down };
                        own.insert(g);
                    }
                    InstData::Many { op: Opcode::buf_atomic | Opcode::raw_atomic | Opcode::tex_atomic, args, .. } => {
                        let wide = f.results(i).first().is_some_and(|&v| m.types.numeric(f.ty(v)).is_some_and(|n| n.0.bits() == 64));
                        let handle = f.get(args)[0];
                        match declaration_of(f, handle) {
                            Some(g) if wide => {
                                uses.atomic64.insert(g);
                            }
                            None if wide && !from_heap(f, handle) => uses.kept |= ResourceFlags::ATOMIC64,
                            _ => {}
                        }
                    }
                    _ => {}
                }
            }
        }
        uses
    }

    /// A resource of this class, if code names it. It has no number yet.
    fn resource(&self, m: &Module, global: Global, data: &GlobalData, class: ResourceClass, profile: Profile) -> Option<Resource> {
        let decl = data.resource().filter(|_| self.seen.contains(global))?;
        let ty = m.types.as_resource(decl.ty).filter(|t| t.class == class)?;
        let mut flags = ty.flags - (USED - self.kept);
        if self.counted.contains(global) {
            flags |= ResourceFlags::COUNTER;
        }
        if self.atomic64.contains(global) {
            flags |= ResourceFlags::ATOMIC64;
        }
        let nowhere =
            decl.binding.register.is_none() && decl.binding.space == 0 && profile == Profile::Library && decl.kind != DeclKind::Loose;
        let typed = ty.elem.is_some_and(|_| ty.kind.is_typed());
        Some(Resource {
            global,
            counts_both_directions: self.up.contains(global) && self.down.contains(global),
            class,
            kind: ty.kind,
            id: 0,
            space: if nowhere { u32::MAX } else { decl.binding.space },
            lower: decl.binding.register.unwrap_or(u32::MAX),
            count: decl.count.unwrap_or(u32::MAX),
            name: data.name.clone(),
            loose: decl.kind == DeclKind::Loose,
            comp: comp_of(&ty),
            lanes: match ty.elem {
                Some(e) if typed => m.types.numeric(e).map_or(1, |n| n.1),
                _ => 1,
            },
            stride: ty.stride,
            align_log2: match decl.layout {
                Some(t) if matches!(m.types.kind(t), TypeKind::Struct(_)) => layout::size_align(m, t).1.trailing_zeros(),
                _ => 0,
            },
            samples: ty.samples,
            flags,
            span: data.span,
        })
    }
}

/// The resources that live code of `funcs` names: constant buffers, samplers, SRVs, UAVs, each in source
/// order (`$Globals` first).
pub fn used<'a>(
    m: &Module,
    funcs: impl Iterator<Item = (&'a Function, &'a Live)>,
    profile: Profile,
    errors: &mut Vec<LowerError>,
) -> Vec<Resource> {
    let uses = Uses::of(m, funcs);
    use ResourceClass::{Cbv, Sampler, Srv, Uav};
    let mut out: Vec<Resource> = Vec::new();
    for class in [Cbv, Sampler, Srv, Uav] {
        let first = out.len();
        for (global, data) in &m.globals {
            out.extend(uses.resource(m, global, data, class, profile));
        }
        let ours = &mut out[first..];
        // Texture buffers come after all other views, as the reference compiler numbers them.
        ours.sort_by_key(|r| (!r.loose, r.kind == ResourceKind::TBuffer));
        for (id, r) in ours.iter_mut().enumerate() {
            r.id = id as u32;
        }
        if profile != Profile::Library {
            allocate(ours, Vec::new(), errors);
        }
        overlaps(ours, errors);
    }
    out
}

/// Gives registers to all resources that entry points and exports use and that have none, space by space. If `reserve`, those of
/// resources that nothing uses are taken too, and arrays without a size are errors: they would take all that are left.
pub fn bind_all(m: &mut Module, reserve: bool) -> Vec<LowerError> {
    let mut errors = Vec::new();
    let declared = || m.globals.values().filter(|_| reserve).filter_map(|g| Some((g, g.resource()?)));
    for (g, _) in declared().filter(|(_, decl)| decl.count.is_none()) {
        let message = format!("`{}` has no size, so its registers cannot be reserved (-flegacy-resource-reservation)", g.name);
        errors.push(LowerError::new(&E0507, g.span, message));
    }
    let registers = |class| {
        let ours = declared().filter(|(_, decl)| m.types.as_resource(decl.ty).is_some_and(|t| t.class == class));
        let taken = ours.filter_map(|(_, decl)| {
            let first = decl.binding.register?;
            Some((decl.binding.space, first, first.saturating_add(decl.count?.saturating_sub(1))))
        });
        taken.collect::<Vec<_>>()
    };
    let classes = [ResourceClass::Cbv, ResourceClass::Sampler, ResourceClass::Srv, ResourceClass::Uav];
    let reserved = classes.map(registers);
    let lives: Vec<Live> = m.roots().map(|(_, f)| Live::new(m, f)).collect();
    let funcs = m.roots().map(|(_, f)| f).zip(&lives);
    let mut all = used(m, funcs, Profile::Library, &mut errors);
    for (class, reserved) in classes.into_iter().zip(reserved) {
        let mut ours: Vec<Resource> = all.extract_if(.., |r| r.class == class).collect();
        for r in &mut ours {
            let binding = m.globals[r.global].resource().map(|d| d.binding);
            r.space = binding.map_or(0, |b| b.space);
        }
        allocate(&mut ours, reserved, &mut errors);
        for r in ours {
            if let GlobalKind::Resource(decl) = &mut m.globals[r.global].kind {
                decl.binding.register = Some(r.lower);
            }
        }
    }
    errors
}

/// Gives registers to the resources of one class that have none: the lowest that are free, and not among `taken` (space, first, last).
fn allocate(resources: &mut [Resource], mut taken: Vec<(u32, u32, u32)>, errors: &mut Vec<LowerError>) {
    taken.extend(resources.iter().filter(|r| r.lower != u32::MAX).map(|r| (r.space, r.lower, r.upper())));
    taken.sort_unstable();
    for r in resources.iter_mut().filter(|r| r.lower == u32::MAX) {
        let mut at = 0u32;
        let mut fits = true;
        for &(_, low, high) in taken.iter().filter(|t| t.0 == r.space) {
            let last = at.checked_add(r.count.saturating_sub(1));
            if last.is_some_and(|last| last < low) && r.count != u32::MAX {
                break;
            }
            match high.checked_add(1) {
                Some(next) => at = at.max(next),
                None => fits = false,
            }
        }
        if !fits {
            let message = format!("no registers are left in space {} for `{}`", r.space, r.name);
            errors.push(LowerError::new(&E0507, r.span, message));
            continue;
        }
        r.lower = at;
        let new = (r.space, r.lower, r.upper());
        let place = taken.partition_point(|t| *t < new);
        taken.insert(place, new);
    }
}

/// Complains about resources of one class that share registers.
fn overlaps(resources: &[Resource], errors: &mut Vec<LowerError>) {
    let mut bound: Vec<&Resource> = resources.iter().filter(|r| r.lower != u32::MAX).collect();
    bound.sort_by_key(|r| (r.space, r.lower));
    for pair in bound.windows(2) {
        let [a, b] = pair else { continue };
        if a.space == b.space && a.upper() >= b.lower {
            let letter = a.class.letter();
            let message = format!("`{}` and `{}` both use register {letter}{} of space {}", a.name, b.name, b.lower, a.space);
            errors.push(LowerError::new(&E0506, b.span, message));
        }
    }
}
