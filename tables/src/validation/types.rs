//! Types.

super::rules! {}
