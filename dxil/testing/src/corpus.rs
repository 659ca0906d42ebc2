//! Containers that the reference compiler made, for tests.

macro_rules! corpus {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../../../common/tables/facts/reference/", $name)))),*]
    };
}

/// Name and bytes of each.
pub const ALL: &[(&str, &[u8])] = corpus! {
    "cs_query.Od.dxil" "cs_query.Zi.dxil" "cs_query.dxil" "cs_query.val16.dxil"
    "rt_basic.Od.dxil" "rt_basic.Zi.dxil" "rt_basic.dxil" "rt_basic.val16.dxil"
    "rt_inline.Od.dxil" "rt_inline.Zi.dxil" "rt_inline.dxil" "rt_inline.val16.dxil"
    "ser_hello.Od.dxil" "ser_hello.dxil" "ser_loop.Od.dxil" "ser_loop.dxil" "sm610.dxil"
};

/// The one of that name.
pub fn get(name: &str) -> &'static [u8] {
    ALL.iter().find(|(n, _)| *n == name).map(|(_, data)| *data).expect("a corpus name")
}
