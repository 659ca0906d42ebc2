//! Layouts of constant buffers, by which a scene's values get to members by name: those of a package, or those of a DXIL module's annotations.

use crate::device::Slot;
use rtc_dxil_container::metadata::{BufferLayouts, Info, Variable, VariableType};
use rtc_dxil_container::program::Program;
use rtc_dxil_container::rdat::Rdat;
use rtc_dxil_container::{Container, FourCc, ResourceClass, ResourceKind};
use rtc_dxil_module::bitcode;
use rtc_package::Package;
use rtc_package::layouts::{BufferLayout, MAX_MEMBERS, MemberLayout, MemberType, ScalarClass};

/// A layout, and where the buffer is bound.
struct Described {
    layout: BufferLayout,
    /// Space and register, if it has them.
    register: Option<(u32, u32)>,
}

/// The layouts of a library's constant buffers.
#[derive(Default)]
pub(super) struct Layouts(Vec<Described>);

impl Layouts {
    /// Those that a package or a container says; none if it is damaged, which is reported elsewhere.
    pub fn of(bytes: &[u8]) -> Layouts {
        if let Ok(package) = Package::read(bytes) {
            let register = |name: &str| of_rdat(&package.rdat, name);
            return Layouts(package.layouts.into_iter().map(|layout| Described { register: register(&layout.name), layout }).collect());
        }
        Container::parse(bytes).map(|c| of_container(&c)).unwrap_or_default()
    }

    /// That of the buffer in a slot.
    pub fn find(&self, slot: &Slot) -> Option<&BufferLayout> {
        let found = self.0.iter().find(|k| match slot {
            Slot::Name(name) => k.layout.name == *name,
            Slot::Register { class, register, space } => *class == 'b' && k.register == Some((*space, *register)),
        });
        found.map(|k| &k.layout)
    }
}

fn of_rdat(rdat: &Rdat, name: &str) -> Option<(u32, u32)> {
    let found = rdat.resources.iter().find(|r| r.class == ResourceClass::Cbv && r.name == name);
    found.map(|r| (r.space, r.lower))
}

/// Those of the module with the most names: reflection data, debug information, or the code.
fn of_container(container: &Container) -> Layouts {
    let part = [FourCc::STAT, FourCc::ILDB, FourCc::DXIL].into_iter().find_map(|name| container.part(name));
    let module = part.and_then(|p| bitcode::read(Program::read("program", &p.data).ok()?.bitcode).ok());
    let Some(module) = module else { return Layouts::default() };
    let info = Info::read(&module);
    let mut layouts = BufferLayouts::new(&module);
    let mut out = Vec::new();
    for r in info.resources.iter().filter(|r| r.kind == ResourceKind::CBuffer) {
        if !layouts.is_annotated(r) {
            continue;
        }
        let Some(contents) = layouts.constant_buffer(r) else { continue };
        let mut members = Vec::new();
        if add(&contents, String::new(), 0, &mut members) {
            // Reflection data name the members of `ConstantBuffer<T> Name` by both; the source says `Name` once.
            let prefix = format!("{}.", r.name);
            for m in &mut members {
                if let Some(own) = m.name.strip_prefix(&prefix).map(str::to_owned) {
                    m.name = own;
                }
            }
            let bytes = members.iter().map(|m| m.offset.saturating_add(m.ty.size())).max().unwrap_or(0);
            out.push(Described { layout: BufferLayout { name: r.name.clone(), bytes, members }, register: Some((r.space, r.lower)) });
        }
    }
    Layouts(out)
}

/// Adds a variable, `moved` by so many bytes. Returns whether everything has a place in the list.
fn add(v: &Variable, name: String, moved: u32, out: &mut Vec<MemberLayout>) -> bool {
    let offset = v.offset.saturating_add(moved);
    match &v.ty {
        VariableType::Struct { members: Some(members), .. } => {
            let elements = v.count.unwrap_or(1);
            // Elements begin at multiples of 16 bytes.
            let size = members.iter().map(|m| m.offset.saturating_sub(v.offset).saturating_add(size(m))).max().unwrap_or(0);
            let stride = size.next_multiple_of(16);
            (0..elements).all(|n| {
                let element = if v.count.is_some() { format!("{name}[{n}]") } else { name.clone() };
                members.iter().all(|m| {
                    let name = if element.is_empty() { m.name.clone() } else { format!("{element}.{}", m.name) };
                    add(m, name, moved.saturating_add((n as u32).saturating_mul(stride)), out)
                })
            })
        }
        VariableType::Struct { members: None, .. } => false,
        VariableType::Numeric { .. } => {
            let Some(ty) = number(v) else { return false };
            out.push(MemberLayout { name, offset, ty });
            out.len() <= MAX_MEMBERS
        }
    }
}

/// Bytes of a variable.
fn size(v: &Variable) -> u32 {
    match &v.ty {
        VariableType::Numeric { .. } => number(v).map_or(0, |ty| ty.size()),
        VariableType::Struct { members, .. } => {
            let members = members.as_deref().unwrap_or_default();
            let one = members.iter().map(|m| m.offset.saturating_sub(v.offset).saturating_add(size(m))).max().unwrap_or(0);
            let count = u32::try_from(v.count.unwrap_or(1)).unwrap_or(u32::MAX);
            count.saturating_sub(1).saturating_mul(one.next_multiple_of(16)).saturating_add(one)
        }
    }
}

/// The type of a number; none of one that is no host's.
fn number(v: &Variable) -> Option<MemberType> {
    let VariableType::Numeric { component, lanes, matrix } = &v.ty else { return None };
    let (class, bits) = match *component {
        "float" | "min16float" | "min10float" | "snorm float" | "unorm float" => (ScalarClass::Float, 32),
        "half" | "float16_t" => (ScalarClass::Float, 16),
        "double" => (ScalarClass::Float, 64),
        "int" | "min16int" | "min12int" => (ScalarClass::Int, 32),
        "int16_t" => (ScalarClass::Int, 16),
        "int64_t" => (ScalarClass::Int, 64),
        "uint" | "bool" | "min16uint" => (ScalarClass::Uint, 32),
        "uint16_t" => (ScalarClass::Uint, 16),
        "uint64_t" => (ScalarClass::Uint, 64),
        _ => return None,
    };
    let [rows, columns, order] = matrix.map_or([0, lanes.unwrap_or(1).into(), 0], |m| m);
    let (rows, columns) = (u32::try_from(rows).ok()?, u32::try_from(columns).ok()?);
    let one = MemberType { class, bits, rows, columns, row_major: order == 1, vector_stride: 16, elements: 0, stride: 0 };
    let elements = v.count.map_or(Some(0), |n| u32::try_from(n).ok())?;
    Some(MemberType { elements, stride: if elements > 0 { one.size().next_multiple_of(16) } else { 0 }, ..one })
}
