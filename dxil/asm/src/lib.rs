//! Reads the text of DXIL modules: LLVM assembly of version 3.7 with typed pointers, as listings have it.
//!
//! It is the inverse of `rtc_dxil_dis::module_text`, and reads listings of the reference's disassembler too: comments before and
//! between are skipped. Whatever cannot be read is an error with its line. Debug information in text (`!DICompileUnit` and the like) is
//! refused.
//!
//! ```text
//! text ─► lex (tokens) ─► parse (items) ─► types ─► globals, functions ─► metadata on demand ─► bodies ─► Module
//! ```
//!
//! # Example
//!
//! ```
//! let module = rtc_dxil_asm::module("define void @main() {\n  ret void\n}\n")?;
//! assert!(module.find_function("main").is_some());
//! let error = rtc_dxil_asm::module("define void @main() {\n  return\n}").expect_err("no such instruction");
//! assert_eq!(error.to_string(), "line 2: `return` is no instruction");
//! # Ok::<(), rtc_dxil_asm::AsmError>(())
//! ```

mod lex;
mod parse;

pub use parse::{AsmError, module};
