//! The name by which programs find the library when they run: `librtcrt.so`, with the number of the binary interface.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        // The number is `RTCRT_ABI_VERSION`; a test compares them.
        Ok("linux") => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,librtcrt.so.1"),
        Ok("macos") => println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/librtcrt.1.dylib"),
        _ => {}
    }
}
