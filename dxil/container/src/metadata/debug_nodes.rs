//! Debug-information nodes: what the fields of each kind of record are, and how listings show them.
//!
//! A row gives the name of the node in listings and, in the order of the record, the label and shape
//! of each field after the first, which says whether the node is distinct. Listings show the fields
//! in the order of [`Row::order`] and leave out those that say nothing.

use rtc_dxil_module::{DebugLoc, DebugNode as N, Meta};

/// The shape of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// 1 + the number of a node or string, 0 for none.
    Ref,
    /// The same, shown as `null` when there is none.
    RefOrNull,
    /// The number of a node.
    Plain,
    /// A number, left out when 0.
    Int,
    /// A number, always shown.
    Number,
    /// A number with its sign in the low bit, always shown.
    Signed,
    /// A boolean, always shown.
    Bool,
    /// The same, shown as an empty text when there is none.
    Text,
    /// A DWARF tag.
    Tag,
    /// A DWARF tag, left out when it is this one.
    TagBut(u64),
    /// A DWARF base-type encoding.
    Encoding,
    /// A DWARF language.
    Language,
    /// A DWARF virtuality.
    Virtuality,
    /// Flags of types and members.
    Flags,
    /// Never shown.
    Hidden,
}

/// A kind of debug-information node.
pub struct Row {
    /// The record code.
    pub code: u32,
    /// The name in listings.
    pub name: &'static str,
    /// Label and shape of each field of the record after the first.
    pub fields: &'static [(&'static str, Shape)],
    /// The fields in the order of listings, as indices into `fields`; empty for that very order.
    pub order: &'static [u8],
    /// Whether all further fields are references, or elements of an expression.
    pub rest: Rest,
}

/// What follows the listed fields of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Nothing.
    Nothing,
    /// References: `operands: {…}`.
    Refs,
    /// DWARF operations.
    Expression,
}

use Rest::*;
use Shape::*;

/// Every kind of debug-information node of LLVM 3.7.
#[rustfmt::skip]
pub static ROWS: &[Row] = &[
    Row { code: N::Location as u32, name: "DILocation", fields: &[("line", Number), ("column", Int), ("scope", Plain), ("inlinedAt", Ref)], order: &[], rest: Nothing },
    Row { code: N::Generic as u32, name: "GenericDINode", fields: &[("tag", Tag), ("", Hidden)], order: &[], rest: Refs },
    Row { code: N::Subrange as u32, name: "DISubrange", fields: &[("count", Number), ("lowerBound", Signed)], order: &[], rest: Nothing },
    Row { code: N::Enumerator as u32, name: "DIEnumerator", fields: &[("value", Signed), ("name", Ref)], order: &[1, 0], rest: Nothing },
    Row { code: N::BasicType as u32, name: "DIBasicType", fields: &[("tag", TagBut(0x24)), ("name", Ref), ("size", Int), ("align", Int), ("encoding", Encoding)], order: &[], rest: Nothing },
    Row { code: N::File as u32, name: "DIFile", fields: &[("filename", Text), ("directory", Text)], order: &[], rest: Nothing },
    Row { code: N::DerivedType as u32, name: "DIDerivedType", fields: &[("tag", Tag), ("name", Ref), ("file", Ref), ("line", Int), ("scope", Ref), ("baseType", RefOrNull), ("size", Int), ("align", Int), ("offset", Int), ("flags", Flags), ("extraData", Ref)], order: &[0, 1, 4, 2, 3, 5, 6, 7, 8, 9, 10], rest: Nothing },
    Row { code: N::CompositeType as u32, name: "DICompositeType", fields: &[("tag", Tag), ("name", Ref), ("file", Ref), ("line", Int), ("scope", Ref), ("baseType", Ref), ("size", Int), ("align", Int), ("offset", Int), ("flags", Flags), ("elements", Ref), ("runtimeLang", Language), ("vtableHolder", Ref), ("templateParams", Ref), ("identifier", Ref)], order: &[0, 1, 4, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], rest: Nothing },
    Row { code: N::SubroutineType as u32, name: "DISubroutineType", fields: &[("flags", Flags), ("types", RefOrNull)], order: &[], rest: Nothing },
    Row { code: N::CompileUnit as u32, name: "DICompileUnit", fields: &[("language", Language), ("file", RefOrNull), ("producer", Ref), ("isOptimized", Bool), ("flags", Ref), ("runtimeVersion", Number), ("splitDebugFilename", Ref), ("emissionKind", Number), ("enums", Ref), ("retainedTypes", Ref), ("subprograms", Ref), ("globals", Ref), ("imports", Ref), ("dwoId", Int)], order: &[], rest: Nothing },
    Row { code: N::Subprogram as u32, name: "DISubprogram", fields: &[("scope", RefOrNull), ("name", Ref), ("linkageName", Ref), ("file", Ref), ("line", Int), ("type", Ref), ("isLocal", Bool), ("isDefinition", Bool), ("scopeLine", Int), ("containingType", Ref), ("virtuality", Virtuality), ("virtualIndex", Int), ("flags", Flags), ("isOptimized", Bool), ("function", Ref), ("templateParams", Ref), ("declaration", Ref), ("variables", Ref)], order: &[1, 2, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17], rest: Nothing },
    Row { code: N::LexicalBlock as u32, name: "DILexicalBlock", fields: &[("scope", RefOrNull), ("file", Ref), ("line", Int), ("column", Int)], order: &[], rest: Nothing },
    Row { code: N::LexicalBlockFile as u32, name: "DILexicalBlockFile", fields: &[("scope", RefOrNull), ("file", Ref), ("discriminator", Number)], order: &[], rest: Nothing },
    Row { code: N::Namespace as u32, name: "DINamespace", fields: &[("scope", RefOrNull), ("file", Ref), ("name", Ref), ("line", Int)], order: &[2, 0, 1, 3], rest: Nothing },
    Row { code: N::TemplateType as u32, name: "DITemplateTypeParameter", fields: &[("name", Ref), ("type", RefOrNull)], order: &[], rest: Nothing },
    Row { code: N::TemplateValue as u32, name: "DITemplateValueParameter", fields: &[("tag", TagBut(0x30)), ("name", Ref), ("type", Ref), ("value", RefOrNull)], order: &[], rest: Nothing },
    Row { code: N::GlobalVariable as u32, name: "DIGlobalVariable", fields: &[("scope", RefOrNull), ("name", Ref), ("linkageName", Ref), ("file", Ref), ("line", Int), ("type", Ref), ("isLocal", Bool), ("isDefinition", Bool), ("variable", Ref), ("declaration", Ref)], order: &[1, 2, 0, 3, 4, 5, 6, 7, 8, 9], rest: Nothing },
    Row { code: N::LocalVariable as u32, name: "DILocalVariable", fields: &[("tag", Tag), ("scope", RefOrNull), ("name", Ref), ("file", Ref), ("line", Int), ("type", Ref), ("arg", Int), ("flags", Flags)], order: &[0, 2, 6, 1, 3, 4, 5, 7], rest: Nothing },
    Row { code: N::Expression as u32, name: "DIExpression", fields: &[], order: &[], rest: Expression },
    Row { code: N::ObjcProperty as u32, name: "DIObjCProperty", fields: &[("name", Ref), ("file", Ref), ("line", Int), ("setter", Ref), ("getter", Ref), ("attributes", Int), ("type", Ref)], order: &[], rest: Nothing },
    Row { code: N::ImportedEntity as u32, name: "DIImportedEntity", fields: &[("tag", Tag), ("scope", RefOrNull), ("entity", Ref), ("line", Int), ("name", Ref)], order: &[0, 4, 1, 2, 3], rest: Nothing },
    Row { code: N::Module as u32, name: "DIModule", fields: &[("scope", RefOrNull), ("name", Ref), ("configMacros", Ref), ("includePath", Ref), ("isysroot", Ref)], order: &[], rest: Nothing },
];

/// Subprograms, lexical blocks and namespaces, whose file is numbered before what else they refer to.
const FILE_FIRST: std::ops::RangeInclusive<u32> = N::Subprogram as u32..=N::Namespace as u32;

/// The record code of a source position.
pub const LOCATION: u32 = N::Location as u32;

/// The source position that a record is, unless it is a distinct one.
pub fn location(fields: &[u64]) -> Option<DebugLoc> {
    let &[0, line, column, scope, inlined_at] = fields else {
        return None;
    };
    let meta = |id: u64| u32::try_from(id).ok().filter(|&id| id < u32::MAX).map(Meta::from_u32);
    Some(DebugLoc {
        line: u32::try_from(line).ok()?,
        column: u32::try_from(column).ok()?,
        scope: Some(meta(scope)?),
        inlined_at: match inlined_at {
            0 => None,
            id => Some(meta(id - 1)?),
        },
    })
}

/// The row of a record code.
pub fn row(code: u32) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.code == code)
}

/// Calls `f` with every piece of metadata that a record refers to. It need not exist.
pub fn references(code: u32, fields: &[u64], mut f: impl FnMut(Meta)) {
    let Some(row) = row(code) else { return };
    let mut reference = |id: u64| {
        if let Ok(id) = u32::try_from(id)
            && id < u32::MAX
        {
            f(Meta::from_u32(id));
        }
    };
    let mut visit = |file: bool| {
        for (&(label, shape), &value) in row.fields.iter().zip(fields.iter().skip(1)) {
            match (shape, value) {
                _ if (label == "file") != file && FILE_FIRST.contains(&code) => {}
                (Plain, id) => reference(id),
                (Ref | RefOrNull | Text, 1..) => reference(value - 1),
                _ => {}
            }
        }
    };
    visit(true);
    if FILE_FIRST.contains(&code) {
        visit(false);
    }
    if row.rest == Refs {
        let rest = fields.iter().skip(1 + row.fields.len());
        rest.filter(|&&v| v > 0).for_each(|&v| reference(v - 1));
    }
}

/// What a field of a record refers to; `label` as in the row. It need not exist.
pub fn reference(code: u32, fields: &[u64], label: &str) -> Option<Meta> {
    let row = row(code)?;
    let at = row.fields.iter().position(|field| field.0 == label)?;
    let id = fields.get(at + 1)?.checked_sub(1)?;
    u32::try_from(id).ok().filter(|&id| id < u32::MAX).map(Meta::from_u32)
}

/// A number and its name in DWARF.
pub type Named = (u64, &'static str);

/// The tags that shaders have.
#[rustfmt::skip]
pub static TAGS: &[Named] = &[
    (0x01, "DW_TAG_array_type"), (0x02, "DW_TAG_class_type"), (0x04, "DW_TAG_enumeration_type"),
    (0x05, "DW_TAG_formal_parameter"), (0x08, "DW_TAG_imported_declaration"), (0x0a, "DW_TAG_label"),
    (0x0b, "DW_TAG_lexical_block"), (0x0d, "DW_TAG_member"), (0x0f, "DW_TAG_pointer_type"),
    (0x10, "DW_TAG_reference_type"), (0x11, "DW_TAG_compile_unit"), (0x13, "DW_TAG_structure_type"),
    (0x15, "DW_TAG_subroutine_type"), (0x16, "DW_TAG_typedef"), (0x17, "DW_TAG_union_type"),
    (0x1c, "DW_TAG_inheritance"), (0x1e, "DW_TAG_module"), (0x1f, "DW_TAG_ptr_to_member_type"),
    (0x21, "DW_TAG_subrange_type"), (0x24, "DW_TAG_base_type"), (0x26, "DW_TAG_const_type"),
    (0x28, "DW_TAG_enumerator"), (0x29, "DW_TAG_file_type"), (0x2a, "DW_TAG_friend"),
    (0x2e, "DW_TAG_subprogram"), (0x2f, "DW_TAG_template_type_parameter"),
    (0x30, "DW_TAG_template_value_parameter"), (0x34, "DW_TAG_variable"),
    (0x35, "DW_TAG_volatile_type"), (0x37, "DW_TAG_restrict_type"), (0x39, "DW_TAG_namespace"),
    (0x3a, "DW_TAG_imported_module"), (0x3b, "DW_TAG_unspecified_type"),
    (0x42, "DW_TAG_rvalue_reference_type"), (0x100, "DW_TAG_auto_variable"),
    (0x101, "DW_TAG_arg_variable"), (0x4106, "DW_TAG_GNU_template_template_param"),
    (0x4107, "DW_TAG_GNU_template_parameter_pack"),
];

/// The encodings of base types.
#[rustfmt::skip]
pub static ENCODINGS: &[Named] = &[
    (1, "DW_ATE_address"), (2, "DW_ATE_boolean"), (3, "DW_ATE_complex_float"), (4, "DW_ATE_float"),
    (5, "DW_ATE_signed"), (6, "DW_ATE_signed_char"), (7, "DW_ATE_unsigned"), (8, "DW_ATE_unsigned_char"),
];

/// The languages.
#[rustfmt::skip]
pub static LANGUAGES: &[Named] = &[
    (1, "DW_LANG_C89"), (2, "DW_LANG_C"), (4, "DW_LANG_C_plus_plus"), (12, "DW_LANG_C99"),
    (0x1a, "DW_LANG_C_plus_plus_11"), (0x21, "DW_LANG_C_plus_plus_14"),
];

/// The virtualities.
#[rustfmt::skip]
pub static VIRTUALITIES: &[Named] = &[
    (1, "DW_VIRTUALITY_virtual"), (2, "DW_VIRTUALITY_pure_virtual"),
];

/// The flags, the accesses first, which share two bits.
#[rustfmt::skip]
pub static FLAGS: &[Named] = &[
    (1, "DIFlagPrivate"), (2, "DIFlagProtected"), (3, "DIFlagPublic"), (1 << 2, "DIFlagFwdDecl"),
    (1 << 3, "DIFlagAppleBlock"), (1 << 4, "DIFlagBlockByrefStruct"), (1 << 5, "DIFlagVirtual"),
    (1 << 6, "DIFlagArtificial"), (1 << 7, "DIFlagExplicit"), (1 << 8, "DIFlagPrototyped"),
    (1 << 9, "DIFlagObjcClassComplete"), (1 << 10, "DIFlagObjectPointer"), (1 << 11, "DIFlagVector"),
    (1 << 12, "DIFlagStaticMember"), (1 << 13, "DIFlagLValueReference"),
    (1 << 14, "DIFlagRValueReference"),
];

/// The operations of expressions and how many operands follow each.
#[rustfmt::skip]
pub static OPERATIONS: &[(u64, &str, usize)] = &[
    (0x06, "DW_OP_deref", 0), (0x22, "DW_OP_plus", 1), (0x1c, "DW_OP_minus", 1), (0x9d, "DW_OP_bit_piece", 2),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_permutations() {
        for row in ROWS {
            let mut order = row.order.to_vec();
            order.sort_unstable();
            assert!(order.is_empty() || order.iter().map(|&i| usize::from(i)).eq(0..row.fields.len()), "{}", row.name);
        }
    }
}
