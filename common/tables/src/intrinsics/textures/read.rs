//! Overloads of the methods that read texels and sizes.

/// `Load` with `$l` integers, the last of which is the mip level, and `$o` offset components.
#[rustfmt::skip]
macro_rules! loads {
    ($t:ident, $l:literal, $o:literal) => { &[
        m(O::$t, "Load", "x", const { &[iv($l)] }, Pat::Elem, X::TexLoad),
        m(O::$t, "Load", "x o", const { &[iv($l), iv($o)] }, Pat::Elem, X::TexLoad),
        m(O::$t, "Load", "x o status", const { &[iv($l), iv($o), UINT_OUT] }, Pat::Elem, X::TexLoad),
    ] };
}
/// `Load` of what has no mip levels.
#[rustfmt::skip]
macro_rules! rw_loads {
    ($t:ident, $l:literal) => { &[
        m(O::$t, "Load", "x", const { &[iv($l)] }, Pat::Elem, X::TexLoad),
        m(O::$t, "Load", "x status", const { &[iv($l), UINT_OUT] }, Pat::Elem, X::TexLoad),
    ] };
}
/// `Load` of a sample.
#[rustfmt::skip]
macro_rules! ms_loads {
    ($t:ident, $l:literal) => { &[
        m(O::$t, "Load", "x s", const { &[iv($l), i(INT)] }, Pat::Elem, X::TexLoad),
        m(O::$t, "Load", "x s o", const { &[iv($l), i(INT), iv(2)] }, Pat::Elem, X::TexLoad),
        m(O::$t, "Load", "x s o status", const { &[iv($l), i(INT), iv(2), UINT_OUT] }, Pat::Elem, X::TexLoad),
    ] };
}
/// `Load` of a sample of what can be written.
#[rustfmt::skip]
macro_rules! rw_ms_loads {
    ($t:ident, $l:literal) => { &[
        m(O::$t, "Load", "x s", const { &[iv($l), i(INT)] }, Pat::Elem, X::TexLoad),
        m(O::$t, "Load", "x s status", const { &[iv($l), i(INT), UINT_OUT] }, Pat::Elem, X::TexLoad),
    ] };
}
/// The position of a sample.
#[rustfmt::skip]
macro_rules! sample_position {
    ($t:ident) => { &[
        m(O::$t, "GetSamplePosition", "s", const { &[i(INT)] }, vec(2, Class::Float), X::SamplePosition),
    ] };
}
/// `GetDimensions` of the sizes named.
#[rustfmt::skip]
macro_rules! sizes {
    ($t:ident, $names:literal $(, $x:ident)*) => { &[
        m(O::$t, "GetDimensions", $names, const { &[$(sizes!(@u $x)),*] }, VOID, X::TexSize),
        m(O::$t, "GetDimensions", $names, const { &[$(sizes!(@f $x)),*] }, VOID, X::TexSize),
    ] };
    (@u $x:ident) => { UINT_OUT };
    (@f $x:ident) => { FLOAT_OUT };
}
/// The same with a mip level before and the number of levels after.
#[rustfmt::skip]
macro_rules! levels {
    ($t:ident, $names:literal $(, $x:ident)*) => { &[
        m(O::$t, "GetDimensions", $names, const { &[i(UINT), $(sizes!(@u $x),)* UINT_OUT] }, VOID, X::TexSize),
        m(O::$t, "GetDimensions", $names, const { &[i(UINT), $(sizes!(@f $x),)* FLOAT_OUT] }, VOID, X::TexSize),
    ] };
}
pub(super) use {levels, loads, ms_loads, rw_loads, rw_ms_loads, sample_position, sizes};
