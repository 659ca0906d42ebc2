//! Debug information: node kinds of references, locations inside functions, acyclic scopes.

use crate::{Cx, Here};
use rtc_base::entity::EntityRef;
use rtc_dxil_container::metadata::debug_nodes::{LOCATION, reference, references, row};
use rtc_dxil_module::{DebugNode, Meta, MetaNode, Module, Op, Value};
use rtc_tables::validation::rule;

const FILE: u32 = DebugNode::File as u32;
const COMPOSITE: u32 = DebugNode::CompositeType as u32;
const SUBROUTINE_TYPE: u32 = DebugNode::SubroutineType as u32;
const UNIT: u32 = DebugNode::CompileUnit as u32;
const SUBPROGRAM: u32 = DebugNode::Subprogram as u32;
const LEXICAL_BLOCK: u32 = DebugNode::LexicalBlock as u32;
const LEXICAL_BLOCK_FILE: u32 = DebugNode::LexicalBlockFile as u32;
const LOCAL_VARIABLE: u32 = DebugNode::LocalVariable as u32;
const EXPRESSION: u32 = DebugNode::Expression as u32;

/// What a field must refer to, if it refers to anything.
enum Wants {
    /// Records of these codes.
    Codes(&'static [u32]),
    /// A tuple.
    Tuple,
    /// A string.
    Text,
}

/// Record code (0 for every code that has the field), field, what it must refer to, whether it must refer to something.
const FIELDS: &[(u32, &str, Wants, bool)] = &[
    (UNIT, "file", Wants::Codes(&[FILE]), true),
    (0, "file", Wants::Codes(&[FILE]), false),
    (0, "name", Wants::Text, false),
    (0, "linkageName", Wants::Text, false),
    (0, "filename", Wants::Text, false),
    (0, "directory", Wants::Text, false),
    (0, "templateParams", Wants::Tuple, false),
    (COMPOSITE, "elements", Wants::Tuple, false),
    (SUBROUTINE_TYPE, "types", Wants::Tuple, false),
    (UNIT, "enums", Wants::Tuple, false),
    (UNIT, "retainedTypes", Wants::Tuple, false),
    (UNIT, "subprograms", Wants::Tuple, false),
    (UNIT, "globals", Wants::Tuple, false),
    (UNIT, "imports", Wants::Tuple, false),
    (SUBPROGRAM, "type", Wants::Codes(&[SUBROUTINE_TYPE]), false),
    (SUBPROGRAM, "variables", Wants::Tuple, false),
    (SUBPROGRAM, "declaration", Wants::Codes(&[SUBPROGRAM]), false),
    (LEXICAL_BLOCK, "scope", Wants::Codes(LOCAL_SCOPES), true),
    (LEXICAL_BLOCK_FILE, "scope", Wants::Codes(LOCAL_SCOPES), true),
    (LOCAL_VARIABLE, "scope", Wants::Codes(LOCAL_SCOPES), true),
];

const LOCAL_SCOPES: &[u32] = &[SUBPROGRAM, LEXICAL_BLOCK, LEXICAL_BLOCK_FILE];

fn code(m: &Module, meta: Meta) -> Option<u32> {
    match m.meta[meta] {
        MetaNode::Debug { code, .. } => Some(code),
        _ => None,
    }
}

pub(super) fn is_unit(m: &Module, meta: Meta) -> bool {
    code(m, meta) == Some(UNIT)
}

fn is_local_scope(m: &Module, meta: Meta) -> bool {
    code(m, meta).is_some_and(|c| LOCAL_SCOPES.contains(&c))
}

/// All nodes of a module.
pub(super) fn nodes(cx: &mut Cx<'_>) {
    let m = cx.m;
    let mut fine = true;
    for (meta, node) in m.meta.iter() {
        let MetaNode::Debug { code, fields } = node else { continue };
        if let Err(reason) = one(m, *code, fields) {
            fine = false;
            let name = row(*code).map_or("debug information", |r| r.name);
            cx.module(rule::BITCODE_VALID, format!("{name} (metadata {}) {reason}", meta.as_u32()));
        }
    }
    // Only what refers to the right kinds can be followed.
    if fine {
        circles(cx);
    }
}

fn one(m: &Module, code: u32, fields: &[u64]) -> Result<(), String> {
    let row = row(code).ok_or("is of an unknown kind")?;
    // The last field of some kinds may be missing.
    if fields.len() < row.fields.len().max(1) {
        return Err(format!("has only {} fields", fields.len()));
    }
    let mut outside = false;
    references(code, fields, |to| outside |= to.index() >= m.meta.len());
    if outside {
        return Err("refers to metadata that is not there".into());
    }
    if code == LOCATION {
        let (scope, inlined_at) = (location_scope(fields), reference(code, fields, "inlinedAt"));
        if !scope.is_some_and(|s| is_local_scope(m, s)) {
            return Err("lies in something that is no function or block".into());
        }
        if inlined_at.is_some_and(|i| self::code(m, i) != Some(LOCATION)) {
            return Err("was inlined at something that is no position".into());
        }
        return Ok(());
    }
    for (of, label, wants, required) in FIELDS {
        if *of != 0 && *of != code || row.fields.iter().all(|f| f.0 != *label) {
            continue;
        }
        let Some(to) = reference(code, fields, label) else {
            if *required {
                return Err(format!("has no {label}"));
            }
            continue;
        };
        let fits = match wants {
            Wants::Codes(codes) => self::code(m, to).is_some_and(|c| codes.contains(&c)),
            Wants::Tuple => matches!(m.meta[to], MetaNode::Node { .. }),
            Wants::Text => m.meta.bytes(to).is_some(),
        };
        if !fits {
            return Err(format!("has something of the wrong kind as its {label}"));
        }
    }
    Ok(())
}

fn location_scope(fields: &[u64]) -> Option<Meta> {
    let scope = u32::try_from(*fields.get(3)?).ok().filter(|&s| s < u32::MAX)?;
    Some(Meta::from_u32(scope))
}

/// Neither the calls that positions were inlined at nor the scopes that blocks lie in go in circles.
fn circles(cx: &mut Cx<'_>) {
    let m = cx.m;
    let next = |meta: Meta| match &m.meta[meta] {
        MetaNode::Debug { code: code @ LOCATION, fields } => reference(*code, fields, "inlinedAt"),
        MetaNode::Debug { code: code @ (LEXICAL_BLOCK | LEXICAL_BLOCK_FILE), fields } => reference(*code, fields, "scope"),
        _ => None,
    };
    // 0: new; otherwise the walk that came by first.
    let mut seen = vec![0u32; m.meta.len()];
    for (start, _) in m.meta.iter() {
        let walk = start.as_u32() + 1;
        let mut at = Some(start);
        while let Some(meta) = at {
            let slot = &mut seen[meta.index()];
            if *slot == walk {
                cx.module(rule::BITCODE_VALID, "scopes or inlined calls of debug information go in a circle");
                return;
            }
            if *slot != 0 {
                break;
            }
            *slot = walk;
            at = next(meta);
        }
    }
}

/// Positions of instructions, and the calls that say which variable has which value.
pub(super) fn positions(cx: &mut Cx<'_>, here: Here<'_>) {
    let m = cx.m;
    for loc in here.body.locs.values() {
        let scope = loc.scope.is_some_and(|s| is_local_scope(m, s));
        let inlined = loc.inlined_at.is_none_or(|i| code(m, i) == Some(LOCATION));
        if !scope || !inlined {
            cx.function(rule::BITCODE_VALID, here.func, "has a position that lies in no function or block");
            break;
        }
    }
    for &inst in here.body.blocks.values().flatten() {
        let Op::Call { callee: Value::Func(callee), args, .. } = here.body.insts[inst].op else { continue };
        let args = here.body.values(args);
        let (variable, expression) = match (&*m.funcs[callee].name, args) {
            ("llvm.dbg.declare", &[_, variable, expression]) => (variable, expression),
            ("llvm.dbg.value", &[_, _, variable, expression]) => (variable, expression),
            _ => continue,
        };
        let is = |value: Value, wanted: u32| matches!(value, Value::Meta(meta) if code(m, meta) == Some(wanted));
        if !is(variable, LOCAL_VARIABLE) || !is(expression, EXPRESSION) {
            cx.inst(rule::BITCODE_VALID, here, inst, "its variable or its expression is a node of another kind");
        }
    }
}
