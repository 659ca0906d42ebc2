//! Every call of a function with code becomes that code, so that a shader is one function.

use super::Refusal;
use rtc_dxil::link::inline::{Trouble, calls, inline};
use rtc_dxil::metadata::Info;
use rtc_dxil::module::Module;

/// Does so in all functions.
pub fn all(m: &mut Module, info: &Info) -> Result<(), Refusal> {
    let calling = info.shaders().any(|(func, _)| m.funcs[func].body.as_ref().is_some_and(|b| !calls(m, b).is_empty()));
    if !calling {
        return Ok(());
    }
    let name = |m: &Module, f| rtc_dxil::container::rdat::unmangle(&m.funcs[f].name).to_string();
    match inline(m, |_, _| true) {
        Ok(_) => Ok(()),
        Err(Trouble::Recursion(circle)) => {
            let names: Vec<String> = circle.iter().map(|&f| format!("`{}`", name(m, f))).collect();
            Err(format!("functions call each other in a circle: {}", names.join(", ")))
        }
        Err(Trouble::TooLarge(f)) => Err(format!("`{}` gets too large when the functions it calls are put into it", name(m, f))),
    }
}
