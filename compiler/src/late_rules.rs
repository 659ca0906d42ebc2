//! Rules of stages and shader models that count for what is left once dead code is gone: derivatives in a compute shader before shader model 6.6,
//! and other instructions of later models. Headers that several shaders share hold such code under conditions that are constant in each. What is left is
//! found out by folding a copy of the program. Without optimisation the program itself is folded if that removes what breaks a rule.

use rtc_base::Diagnostic;
use rtc_frontend::hir::LateRule;
use rtc_ir::Module;
use rtc_passes::run_passes;

use crate::compilation::Compilation;
use crate::options::OptLevel;
use crate::run_passes::PASS_CTX;

/// What removes dead code.
const FOLD: &[&str] = &["optimize"];

/// Reports the rules that are broken by what is left. True if the module has become the folded one.
pub(crate) fn check(module: &mut Module, rules: Vec<LateRule>, level: OptLevel, c: &mut Compilation) -> bool {
    if rules.is_empty() {
        return false;
    }
    let mut folded = module.clone();
    let possible = run_passes(&mut folded, FOLD, &PASS_CTX).is_ok();
    let unoptimised = level == OptLevel::O0 && rules.iter().any(|rule| breaks(module, rule));
    for rule in rules {
        let broken = breaks(if possible { &folded } else { module }, &rule);
        let said = |d: &Diagnostic| d.code.id == rule.broken.code.id && d.span() == rule.broken.span();
        if broken && !c.diagnostics.iter().any(said) {
            c.diagnostics.push(rule.broken);
        }
    }
    let replace = possible && unoptimised && !c.failed();
    if replace {
        *module = folded;
    }
    replace
}

/// Whether an instruction of an entry point comes from where the rule is broken.
fn breaks(module: &Module, rule: &LateRule) -> bool {
    let mut found = false;
    for f in module.funcs.values().filter(|f| f.stage == rule.stage) {
        f.for_each_inst(f.body, |_, i| found |= f.spans[i] == rule.broken.span());
    }
    found
}
