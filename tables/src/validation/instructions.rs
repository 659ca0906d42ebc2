//! Single instructions and calls of DXIL operations.

super::rules! {}
