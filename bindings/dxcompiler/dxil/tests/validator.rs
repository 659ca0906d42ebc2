//! The built `libdxil`: the validator's classes, and no others.
// Every block calls through the table of an object that the library gave, with arguments that outlive the call.
#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)]

#[path = "../../tests/client/mod.rs"]
mod client;

use client::*;
use rtc_com::base::hresult::CLASS_NOT_REGISTERED;
use rtc_com::call;
use rtc_com::interfaces::*;

#[test]
fn it_has_the_validator_and_the_builder() {
    let library = unsafe { libloading::Library::new(path("dxil")) }.expect("it loads");
    let create = unsafe { *library.get::<CreateInstance>(b"DxcCreateInstance\0").expect("it is exported") };
    let second = unsafe { *library.get::<CreateInstance2>(b"DxcCreateInstance2\0").expect("it is exported") };
    let info = make::<IDxcVersionInfo>(create, VALIDATOR).expect("a validator");
    let mut flags = 7;
    assert_eq!(unsafe { call!(info, get_flags(&mut flags)) }, 0);
    assert_eq!(flags, 0, "it is not the compiler's own validator");
    make::<IDxcContainerBuilder>(create, CONTAINER_BUILDER).expect("a builder");
    assert_eq!(make::<IDxcUtils>(create, UTILS).err(), Some(CLASS_NOT_REGISTERED));
    let mut out = std::ptr::null_mut();
    let id = rtc_com::Guid::new(VALIDATOR);
    assert_eq!(unsafe { second(std::ptr::null_mut(), &id, &<IDxcValidator2 as rtc_com::base::interface::Interface>::IID, &mut out) }, 0);
    drop(unsafe { rtc_com::base::reference::Ref::<IDxcValidator2>::take(out) });
    drop(info);
}
