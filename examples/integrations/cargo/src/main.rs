//! Prints what the shader of the examples is.

mod shaders {
    include!(concat!(env!("OUT_DIR"), "/shaders.rs"));
}

fn main() {
    println!("blur: {} bytes, {:?} threads", shaders::blur::OBJECT.len(), shaders::blur::entry::MAIN_NUMTHREADS);
}
