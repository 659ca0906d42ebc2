//! Attributes of functions, parameters and calls.
//!
//! An [`AttrGroup`] is what one place has (the function, the result or one parameter); an
//! [`AttrList`] is the groups of one declaration or call. Both are interned.

use rtc_base::entity::{PackedOption, PrimaryMap};
use rustc_hash::FxHashMap;

rtc_base::entity! {
    /// The attributes of one place.
    pub struct AttrGroup = "ag";
    /// The attributes of one declaration or call.
    pub struct AttrList = "al";
}

/// A list of attributes or none.
pub type Attrs = PackedOption<AttrList>;

/// The place index of the function itself; 0 is the result, 1 the first parameter.
pub const FUNCTION: u32 = u32::MAX;

/// One attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Attr {
    /// A fixed attribute.
    Flag(AttrKind),
    /// A fixed attribute with a number, such as `align`.
    Int(AttrKind, u64),
    /// A free-form attribute, `"key"` or `"key"="value"`.
    Text(Box<str>, Option<Box<str>>),
}

/// The attributes of one place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AttrGroupData {
    /// Which place: 0 the result, 1.. the parameters, [`FUNCTION`].
    pub place: u32,
    /// The attributes.
    pub attrs: Box<[Attr]>,
}

macro_rules! kinds {
    ($($name:ident = $code:literal $text:literal;)*) => {
        /// A fixed attribute. The order of the variants is the order in listings, the discriminant
        /// is the number in bitcode.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum AttrKind {
            $(#[doc = concat!("`", $text, "`.")] $name = $code,)*
        }

        impl AttrKind {
            /// All kinds, in the order of listings.
            pub const ALL: &'static [AttrKind] = &[$(AttrKind::$name,)*];

            /// The spelling in listings.
            pub fn text(self) -> &'static str {
                match self { $(AttrKind::$name => $text,)* }
            }

            /// The kind with this number in bitcode.
            pub fn from_code(code: u64) -> Option<AttrKind> {
                match code { $($code => Some(AttrKind::$name),)* _ => None }
            }
        }
    };
}

kinds! {
    Align = 1 "align";
    AlwaysInline = 2 "alwaysinline";
    Builtin = 35 "builtin";
    ByVal = 3 "byval";
    InAlloca = 38 "inalloca";
    Cold = 36 "cold";
    Convergent = 43 "convergent";
    InlineHint = 4 "inlinehint";
    InReg = 5 "inreg";
    JumpTable = 40 "jumptable";
    MinSize = 6 "minsize";
    Naked = 7 "naked";
    Nest = 8 "nest";
    NoAlias = 9 "noalias";
    NoBuiltin = 10 "nobuiltin";
    NoCapture = 11 "nocapture";
    NoDuplicate = 12 "noduplicate";
    NoImplicitFloat = 13 "noimplicitfloat";
    NoInline = 14 "noinline";
    NonLazyBind = 15 "nonlazybind";
    NonNull = 39 "nonnull";
    Dereferenceable = 41 "dereferenceable";
    DereferenceableOrNull = 42 "dereferenceable_or_null";
    NoRedZone = 16 "noredzone";
    NoReturn = 17 "noreturn";
    NoUnwind = 18 "nounwind";
    OptSize = 19 "optsize";
    OptNone = 37 "optnone";
    ReadNone = 20 "readnone";
    ReadOnly = 21 "readonly";
    ArgMemOnly = 45 "argmemonly";
    Returned = 22 "returned";
    ReturnsTwice = 23 "returns_twice";
    SignExt = 24 "signext";
    AlignStack = 25 "alignstack";
    Ssp = 26 "ssp";
    SspReq = 27 "sspreq";
    SspStrong = 28 "sspstrong";
    SafeStack = 44 "safestack";
    StructRet = 29 "sret";
    SanitizeAddress = 30 "sanitize_address";
    SanitizeThread = 31 "sanitize_thread";
    SanitizeMemory = 32 "sanitize_memory";
    UwTable = 33 "uwtable";
    ZeroExt = 34 "zeroext";
}

/// The attributes of one module.
#[derive(Debug, Clone, Default)]
pub struct AttrTable {
    groups: PrimaryMap<AttrGroup, AttrGroupData>,
    lists: PrimaryMap<AttrList, Box<[AttrGroup]>>,
    group_ids: FxHashMap<AttrGroupData, AttrGroup>,
    list_ids: FxHashMap<Box<[AttrGroup]>, AttrList>,
}

impl PartialEq for AttrTable {
    fn eq(&self, other: &Self) -> bool {
        self.groups == other.groups && self.lists == other.lists
    }
}

impl AttrTable {
    /// The group with these attributes at this place.
    pub fn group(&mut self, place: u32, attrs: &[Attr]) -> AttrGroup {
        let data = AttrGroupData { place, attrs: attrs.into() };
        if let Some(&g) = self.group_ids.get(&data) {
            return g;
        }
        let g = self.groups.push(data.clone());
        self.group_ids.insert(data, g);
        g
    }

    /// The list with these groups.
    pub fn list(&mut self, groups: &[AttrGroup]) -> AttrList {
        if let Some(&l) = self.list_ids.get(groups) {
            return l;
        }
        let l = self.lists.push(groups.into());
        self.list_ids.insert(groups.into(), l);
        l
    }

    /// The list that gives the function itself these attributes and nothing else any.
    pub fn function(&mut self, kinds: &[AttrKind]) -> AttrList {
        let attrs: Vec<Attr> = kinds.iter().map(|&k| Attr::Flag(k)).collect();
        let group = self.group(FUNCTION, &attrs);
        self.list(&[group])
    }

    /// What a group has.
    pub fn group_data(&self, group: AttrGroup) -> &AttrGroupData {
        &self.groups[group]
    }

    /// The groups of a list.
    pub fn groups_of(&self, list: AttrList) -> &[AttrGroup] {
        &self.lists[list]
    }

    /// The group of a list for one place.
    pub fn at(&self, list: AttrList, place: u32) -> Option<AttrGroup> {
        self.lists[list].iter().copied().find(|&g| self.groups[g].place == place)
    }

    /// Whether a list gives `place` the fixed attribute `kind`.
    pub fn has(&self, list: Attrs, place: u32, kind: AttrKind) -> bool {
        list.expand()
            .and_then(|l| self.at(l, place))
            .is_some_and(|g| self.groups[g].attrs.iter().any(|a| matches!(*a, Attr::Flag(k) | Attr::Int(k, _) if k == kind)))
    }

    /// Every group, in order.
    pub fn groups(&self) -> impl Iterator<Item = (AttrGroup, &AttrGroupData)> {
        self.groups.iter()
    }

    /// Every list, in order.
    pub fn lists(&self) -> impl Iterator<Item = (AttrList, &[AttrGroup])> {
        self.lists.iter().map(|(l, groups)| (l, &groups[..]))
    }
}
