//! Parameters of signatures, with the numbers that Direct3D has for semantics and components.

use rtc_dxil_container::ComponentType;
use rtc_dxil_container::metadata::signature::SignatureElement;
use rtc_tables::pipeline::Domain;
use rtc_tables::signature::Semantic;

/// A row of a signature element.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The semantic's name; of system values in upper case.
    pub name: String,
    /// The semantic's index.
    pub index: u32,
    /// The register; all bits set if it has none.
    pub register: u32,
    /// The system value.
    pub system_value: u32,
    /// The type of components.
    pub component: u32,
    /// The components of the register.
    pub mask: u8,
    /// Those that are read, or those that are never written.
    pub read_write_mask: u8,
    /// The stream.
    pub stream: u32,
    /// The minimum precision.
    pub min_precision: u32,
}

/// How the usage of elements is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Usage {
    /// By component.
    Exact,
    /// Only whether an element is used at all.
    Whole,
}

/// The parameters of a signature.
pub fn parameters(elements: &[SignatureElement], input: bool, domain: Option<Domain>, usage: Usage) -> Vec<Parameter> {
    let mut all = Vec::new();
    for e in elements {
        let mask = e.mask();
        let used = match usage {
            Usage::Exact => e.usage << if e.row.is_some() { e.column } else { 0 },
            Usage::Whole if e.usage != 0 => mask,
            Usage::Whole => 0,
        };
        let read_write_mask = match (input, usage) {
            (true, _) => used,
            (false, Usage::Whole) if used == 0 => mask,
            (false, _) => !used & 0xf,
        };
        let (component, min_precision) = component(e.component);
        let name = if e.semantic == Semantic::Arbitrary { e.name.clone() } else { e.name.to_ascii_uppercase() };
        for (row, &index) in e.indices.iter().enumerate() {
            all.push(Parameter {
                name: name.clone(),
                index,
                register: e.row.map_or(u32::MAX, |r| r).wrapping_add(row as u32),
                system_value: system_value(e.semantic, domain),
                component,
                mask,
                read_write_mask,
                stream: e.stream,
                min_precision,
            });
        }
    }
    all
}

/// Of lines, reflection tells the density as detail too.
fn system_value(semantic: Semantic, domain: Option<Domain>) -> u32 {
    match (semantic, domain) {
        (Semantic::TessFactor, Some(Domain::Isoline)) => 15,
        _ => semantic.system_value(domain, 0),
    }
}

/// The type of components, and the minimum precision.
fn component(c: ComponentType) -> (u32, u32) {
    use ComponentType::*;
    match c {
        F16 => (3, 1),
        F32 => (3, 0),
        I16 => (2, 4),
        I32 => (2, 0),
        U16 => (1, 5),
        I1 | U32 => (1, 0),
        _ => (0, 0),
    }
}
