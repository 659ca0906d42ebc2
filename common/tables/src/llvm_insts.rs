//! The instructions of LLVM 3.7 that DXIL allows.
//!
//! Numbers and names are LLVM's; an instruction that is not in the list does not occur in DXIL. Some more are
//! allowed in certain places: see [`LIBRARY_ONLY`].

/// An instruction that DXIL allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LlvmInst {
    /// LLVM's number of it.
    pub id: u8,
    /// LLVM's name of it.
    pub name: &'static str,
}

const fn i(id: u8, name: &'static str) -> LlvmInst {
    LlvmInst { id, name }
}

/// What DXIL allows everywhere.
#[rustfmt::skip]
pub const ALLOWED: &[LlvmInst] = &[
    i(1, "Ret"), i(2, "Br"), i(3, "Switch"),
    i(8, "Add"), i(9, "FAdd"), i(10, "Sub"), i(11, "FSub"), i(12, "Mul"), i(13, "FMul"),
    i(14, "UDiv"), i(15, "SDiv"), i(16, "FDiv"), i(17, "URem"), i(18, "SRem"), i(19, "FRem"),
    i(20, "Shl"), i(21, "LShr"), i(22, "AShr"), i(23, "And"), i(24, "Or"), i(25, "Xor"),
    i(26, "Alloca"), i(27, "Load"), i(28, "Store"), i(29, "GetElementPtr"),
    i(31, "AtomicCmpXchg"), i(32, "AtomicRMW"),
    i(33, "Trunc"), i(34, "ZExt"), i(35, "SExt"), i(36, "FPToUI"), i(37, "FPToSI"), i(38, "UIToFP"), i(39, "SIToFP"),
    i(40, "FPTrunc"), i(41, "FPExt"), i(44, "BitCast"), i(45, "AddrSpaceCast"),
    i(46, "ICmp"), i(47, "FCmp"), i(48, "PHI"), i(49, "Call"), i(50, "Select"),
    i(54, "ExtractElement"), i(55, "InsertElement"), i(56, "ShuffleVector"), i(57, "ExtractValue"),
];

/// Instructions on vectors: before shader model 6.9 in libraries only.
pub const VECTOR: &[&str] = &["ExtractElement", "InsertElement", "ShuffleVector"];

/// In libraries alone, and only after a call that never returns.
pub const LIBRARY_ONLY: &[&str] = &["Unreachable"];

/// A bit for the number of each allowed instruction.
pub const ALLOWED_BITS: u64 = {
    let mut bits = 0;
    let mut n = 0;
    while n < ALLOWED.len() {
        bits |= 1 << ALLOWED[n].id;
        n += 1;
    }
    bits
};
