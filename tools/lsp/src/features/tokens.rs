//! Semantic tokens: the names of a file with what they denote, and the uses of macros.

use lsp_types::{SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokensLegend};
use rtc_frontend::hir::{GlobalKind, TyKind};
use rtc_frontend::index::{Entity, Role};

use crate::snapshot::Snapshot;
use crate::workspace::Workspace;

const TYPES: [SemanticTokenType; 12] = [
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::TYPE,
    SemanticTokenType::STRUCT,
    SemanticTokenType::CLASS,
    SemanticTokenType::ENUM,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::METHOD,
    SemanticTokenType::MACRO,
];

const MODIFIERS: [SemanticTokenModifier; 5] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::DEFINITION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::STATIC,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];

/// The kinds of tokens, for the client.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: TYPES.to_vec(), token_modifiers: MODIFIERS.to_vec() }
}

fn number(t: &SemanticTokenType) -> u32 {
    TYPES.iter().position(|x| x == t).unwrap_or(0) as u32
}

fn bit(m: &SemanticTokenModifier) -> u32 {
    MODIFIERS.iter().position(|x| x == m).map_or(0, |i| 1 << i)
}

/// The type and modifiers of an entity.
fn kind(s: &Snapshot, e: Entity) -> (SemanticTokenType, u32) {
    use SemanticTokenModifier as M;
    use SemanticTokenType as T;
    let m = &s.analysis.module;
    match e {
        Entity::Local { parameter, .. } => (if parameter { T::PARAMETER } else { T::VARIABLE }, 0),
        Entity::Global(g) => match m.globals[g].kind {
            GlobalKind::Static { is_const, .. } => (T::VARIABLE, bit(&M::STATIC) | if is_const { bit(&M::READONLY) } else { 0 }),
            GlobalKind::GroupShared => (T::VARIABLE, bit(&M::STATIC)),
            GlobalKind::Resource(_) => (T::VARIABLE, bit(&M::READONLY)),
        },
        Entity::BlockMember(..) => (T::VARIABLE, bit(&M::READONLY)),
        Entity::Field(..) => (T::PROPERTY, 0),
        Entity::Function(f) => (if m.funcs[f].method.is_some() { T::METHOD } else { T::FUNCTION }, 0),
        Entity::Intrinsic(row) => {
            let method = matches!(row.scope, rtc_tables::intrinsics::Scope::Method(_));
            (if method { T::METHOD } else { T::FUNCTION }, bit(&M::DEFAULT_LIBRARY))
        }
        Entity::Type(t) => match m.types.kind(t) {
            TyKind::Record(r) if m.types.records[r].builtin => (T::STRUCT, bit(&M::DEFAULT_LIBRARY)),
            TyKind::Record(r) => (if m.types.records[r].is_class { T::CLASS } else { T::STRUCT }, 0),
            TyKind::Enum(_) => (T::ENUM, 0),
            _ => (T::TYPE, bit(&M::DEFAULT_LIBRARY)),
        },
        Entity::Template => (T::TYPE, 0),
        Entity::Constant(t, _) if matches!(m.types.kind(t), TyKind::Enum(_)) => (T::ENUM_MEMBER, bit(&M::READONLY)),
        Entity::Constant(..) => (T::VARIABLE, bit(&M::READONLY)),
        Entity::Namespace => (T::NAMESPACE, 0),
        Entity::Subobject(_) => (T::VARIABLE, bit(&M::READONLY)),
        Entity::Heap => (T::VARIABLE, bit(&M::READONLY) | bit(&M::DEFAULT_LIBRARY)),
    }
}

/// The tokens of a file, all or those in lines `from` to `to`.
pub fn tokens(w: &Workspace, s: &Snapshot, path: &str, lines: Option<(u32, u32)>) -> Option<Vec<SemanticToken>> {
    let file = s.file(path)?;
    // Start, end, type, modifiers.
    let mut all: Vec<(usize, usize, u32, u32)> = Vec::new();
    for n in s.names_in(file) {
        let (t, mut modifiers) = kind(s, s.occurrence(n).entity);
        modifiers |= match n.role {
            Role::Definition => bit(&SemanticTokenModifier::DEFINITION),
            Role::Declaration => bit(&SemanticTokenModifier::DECLARATION),
            Role::Reference => 0,
        };
        all.push((n.place.lo, n.place.hi, number(&t), modifiers));
    }
    let uses = s.analysis.sources.macro_uses().filter(|u| !u.lo.is_expanded()).filter_map(|u| s.place(u));
    for p in uses.filter(|p| p.file == file) {
        // The span has the arguments, too.
        let text = s.text(&p);
        let length = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        all.push((p.lo, p.lo + length, number(&SemanticTokenType::MACRO), 0));
    }
    all.sort_unstable();
    let f = &s.files[file];
    let (mut line, mut column, mut end) = (0, 0, 0);
    let mut out = Vec::new();
    for (lo, hi, token_type, token_modifiers_bitset) in all {
        // Of names that overlap, in instances of templates, the first counts.
        if lo < end || hi <= lo {
            continue;
        }
        let range = f.lines.span(&f.text, lo..hi, w.columns);
        if lines.is_some_and(|(from, to)| range.start.line < from || range.start.line > to) {
            continue;
        }
        end = hi;
        let delta_line = range.start.line - line;
        let delta_start = if delta_line == 0 { range.start.character - column } else { range.start.character };
        (line, column) = (range.start.line, range.start.character);
        out.push(SemanticToken { delta_line, delta_start, length: range.end.character - column, token_type, token_modifiers_bitset });
    }
    Some(out)
}
