//! Build script: generates the LALR parser from `grammar.lalrpop`.

fn main() {
    println!("cargo:rerun-if-changed=src/syntax/grammar.lalrpop");
    let done = lalrpop::Configuration::new()
        .emit_rerun_directives(false)
        .set_in_dir("src/syntax")
        .set_out_dir(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"))
        .process();
    if let Err(e) = done {
        panic!("the grammar: {e}");
    }
}
