//! Batched operations: argument counts, result modes, and arrays of result sizes and addresses.

use super::addresses::{aligned, error};
use super::plan::{Access, Elements, Plan};
use super::{cluster_bottoms, clusters, sizes};
use crate::device::{
    BOTTOM_ALIGNMENT, BatchData, CLUSTER_ALIGNMENT, INDIRECT_ADDRESSES, INDIRECT_ARGUMENTS, INDIRECT_COUNT, INDIRECT_RESULT,
    INDIRECT_SCRATCH, INDIRECT_SIZES, Inputs, MOVE_NO_OVERLAP, MoveKind, OPERATION_ALLOW_OMM, OPERATION_FAST_OPERATION,
    OPERATION_FAST_TRACE, OperationMode, OperationSizes, Strided, TEMPLATE_ALIGNMENT,
};
use crate::error::Result;

/// The memory layout of arguments and results of an operation type.
struct Kind {
    flags: u32,
    known_flags: u32,
    mode: OperationMode,
    max_args: u32,
    argument: u64,
    alignment: u64,
}

fn kind(inputs: &Inputs) -> Result<Kind> {
    const BUILD: u32 = OPERATION_FAST_TRACE | OPERATION_FAST_OPERATION | OPERATION_ALLOW_OMM;
    let built = |flags, mode, max_args, argument, alignment| Kind { flags, known_flags: BUILD, mode, max_args, argument, alignment };
    Ok(match inputs {
        Inputs::Clusters(b) => built(b.flags, b.mode, b.limits.max_args, 80, CLUSTER_ALIGNMENT),
        Inputs::Templates(b) => built(b.flags, b.mode, b.limits.max_args, 88, TEMPLATE_ALIGNMENT),
        Inputs::Instantiate(b) => built(b.flags, b.mode, b.limits.max_args, 32, CLUSTER_ALIGNMENT),
        Inputs::Bottoms(b) => built(b.flags, b.mode, b.max_args, 16, BOTTOM_ALIGNMENT),
        Inputs::Move(m) => Kind {
            flags: m.flags,
            known_flags: MOVE_NO_OVERLAP | OPERATION_ALLOW_OMM,
            mode: m.mode,
            max_args: m.max_args,
            argument: 8,
            alignment: match m.kind {
                MoveKind::Bottom => BOTTOM_ALIGNMENT,
                MoveKind::Cluster => CLUSTER_ALIGNMENT,
                MoveKind::Template => TEMPLATE_ALIGNMENT,
            },
        },
        Inputs::Partitioned(_) => return Err(error("partitioned structures are not batched; use partitioned operation data")),
    })
}

/// [`BatchData`] with its indirections resolved.
struct Resolved {
    result: u64,
    scratch: u64,
    addresses: Strided,
    sizes: Strided,
    arguments: Strided,
    count: u64,
}

fn resolve(plan: &mut Plan<'_>, d: &BatchData) -> Result<Resolved> {
    const ALL: u32 = (INDIRECT_COUNT << 1) - 1;
    if d.resolution & !ALL != 0 {
        return Err(error(format!("AddressResolutionFlags: {:#x} has undefined bits", d.resolution)));
    }
    let mut one = |flag: u32, field: &'static str, address: u64| match address {
        // A null field has no indirection.
        0 => Ok(0),
        a if d.resolution & flag == 0 => Ok(a),
        a => Ok(u64::from_le_bytes(plan.read(field, a, 8, 8)?.try_into().unwrap_or_default())),
    };
    let result = one(INDIRECT_RESULT, "BatchResultData", d.result)?;
    let scratch = one(INDIRECT_SCRATCH, "BatchScratchData", d.scratch)?;
    let addresses = one(INDIRECT_ADDRESSES, "ResultAddressArray", d.addresses.address)?;
    let sizes = one(INDIRECT_SIZES, "ResultSizeArray", d.sizes.address)?;
    let arguments = one(INDIRECT_ARGUMENTS, "IndirectArgumentArray", d.arguments.address)?;
    let count = one(INDIRECT_COUNT, "IndirectArgumentArraySize", d.count)?;
    Ok(Resolved {
        result,
        scratch,
        addresses: Strided { address: addresses, ..d.addresses },
        sizes: Strided { address: sizes, ..d.sizes },
        arguments: Strided { address: arguments, ..d.arguments },
        count,
    })
}

fn require(field: &str, address: u64) -> Result<()> {
    match address {
        0 => Err(error(format!("{field}: must not be null"))),
        _ => Ok(()),
    }
}

/// Checks scratch memory: its size, and that nothing else is in it.
///
/// # Errors
/// Too little memory, or memory that something else is in.
pub fn scratch(plan: &mut Plan<'_>, field: &'static str, address: u64, size: u64) -> Result<()> {
    aligned(field, address, BOTTOM_ALIGNMENT)?;
    if size > 0 {
        require(field, address)?;
        plan.objects.bytes_at(field, address, size)?;
        plan.touch(field, address, size, Access::Write);
        plan.cleared.push((address, size));
    }
    Ok(())
}

/// Plans a batch.
///
/// # Errors
/// Arguments that do not fit, or addresses that are not valid.
pub fn plan(plan: &mut Plan<'_>, inputs: &Inputs, data: &BatchData) -> Result<()> {
    let kind = kind(inputs)?;
    if kind.flags & !kind.known_flags != 0 {
        return Err(error(format!("Flags: {:#x} has undefined bits", kind.flags)));
    }
    if kind.flags & OPERATION_FAST_TRACE != 0 && kind.flags & OPERATION_FAST_OPERATION != 0 {
        return Err(error("Flags: FAST_TRACE and FAST_OPERATION are mutually exclusive"));
    }
    let sizes = sizes::prebuild(inputs)?;
    let d = resolve(plan, data)?;
    let count = match d.count {
        0 => kind.max_args,
        at => kind.max_args.min(plan.read_u32("IndirectArgumentArraySize", at)?),
    };
    scratch(plan, "BatchScratchData", d.scratch, sizes.scratch)?;
    if count > 0 {
        require("IndirectArgumentArray", d.arguments.address)?;
    }
    // Each element is an address.
    let arguments = plan.read_array("IndirectArgumentArray", d.arguments, count, kind.argument, 8)?;
    let arguments: Vec<&[u8]> = arguments.chunks_exact(kind.argument as usize).collect();
    let made = match inputs {
        Inputs::Clusters(b) => clusters::build(plan, b, &arguments)?,
        Inputs::Templates(b) => clusters::templates(plan, b, &arguments)?,
        Inputs::Instantiate(b) => clusters::instantiate(plan, b, &arguments)?,
        Inputs::Bottoms(b) => cluster_bottoms::build(plan, b, &arguments)?,
        Inputs::Move(m) => cluster_bottoms::moves(plan, m, &arguments)?,
        Inputs::Partitioned(_) => Vec::new(),
    };
    let lengths: Vec<u64> = made.iter().map(|o| o.size).collect();
    let moved = matches!(inputs, Inputs::Move(_));
    let addresses = result_addresses(plan, &kind, &d, &sizes, &lengths, moved)?;
    for (outcome, &at) in made.into_iter().zip(&addresses) {
        if let Some(object) = outcome.object {
            plan.objects_made.push((at, outcome.size, object));
        }
    }
    if kind.mode == OperationMode::GetSizes {
        require("ResultSizeArray", d.sizes.address)?;
    }
    if d.sizes.address != 0 {
        let list = plan.elements("ResultSizeArray", d.sizes, count, 8, 8)?;
        write(plan, "ResultSizeArray", &list, &lengths);
    }
    tools(plan, data.tools, count, &lengths, &addresses)
}

/// The addresses of results; none if only sizes are requested.
fn result_addresses(
    plan: &mut Plan<'_>,
    kind: &Kind,
    d: &Resolved,
    sizes: &OperationSizes,
    lengths: &[u64],
    moved: bool,
) -> Result<Vec<u64>> {
    let count = lengths.len() as u32;
    match kind.mode {
        OperationMode::GetSizes => Ok(Vec::new()),
        _ if count == 0 => Ok(Vec::new()),
        OperationMode::Implicit => {
            const FIELD: &str = "BatchResultData";
            require("ResultAddressArray", d.addresses.address)?;
            require(FIELD, d.result)?;
            aligned(FIELD, d.result, kind.alignment)?;
            let total: u64 = lengths.iter().sum();
            // Moved objects are packed; built objects may be anywhere in the requested region.
            let region = if moved { total } else { sizes.result };
            if total > region {
                return Err(error(format!("{FIELD}: results of {total} bytes exceed the region of {region} bytes")));
            }
            plan.objects.bytes_at(FIELD, d.result, region)?;
            let list = plan.elements("ResultAddressArray", d.addresses, count, 8, 8)?;
            plan.cleared.push((d.result, region));
            plan.touch(FIELD, d.result, region, if moved { Access::MoveTo } else { Access::Write });
            let addresses: Vec<u64> = lengths
                .iter()
                .scan(d.result, |next, n| {
                    let at = *next;
                    *next += n;
                    Some(at)
                })
                .collect();
            write(plan, "ResultAddressArray", &list, &addresses);
            Ok(addresses)
        }
        OperationMode::Explicit => {
            const FIELD: &str = "ResultAddressArray";
            require(FIELD, d.addresses.address)?;
            let list = plan.read_array(FIELD, d.addresses, count, 8, 8)?;
            let addresses: Vec<u64> = list.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap_or_default())).collect();
            for (i, (&at, &length)) in addresses.iter().zip(lengths).enumerate() {
                let element = format!("{FIELD}[{i}]");
                aligned(&element, at, kind.alignment)?;
                plan.objects.bytes_at(&element, at, length)?;
                plan.touch("a destination in ResultAddressArray", at, length, if moved { Access::MoveTo } else { Access::Write });
                plan.cleared.push((at, length));
            }
            Ok(addresses)
        }
    }
}

fn write(plan: &mut Plan<'_>, field: &'static str, list: &Elements, values: &[u64]) {
    plan.touch_elements(field, list, Access::Write);
    for (i, &value) in (0u32..).zip(values) {
        plan.numbers.push((list.at(i), 8, value));
    }
}

/// The copies for tools: the number of results, sizes, addresses.
fn tools(plan: &mut Plan<'_>, address: u64, count: u32, lengths: &[u64], addresses: &[u64]) -> Result<()> {
    if address == 0 {
        return Ok(());
    }
    let values: Vec<u64> = [u64::from(count)].into_iter().chain(lengths.iter().copied()).chain(addresses.iter().copied()).collect();
    let list = plan.elements("ToolsInfo", Strided::packed(address), values.len() as u32, 8, 8)?;
    write(plan, "ToolsInfo", &list, &values);
    Ok(())
}
