//! Compiles the shaders of the folder `../shaders` into a module.

fn main() {
    rtc_build_script::Shaders::new("../shaders").build_for_cargo("shaders.rs");
}
