//! Functions and globals as they are declared.

super::rules! {}
