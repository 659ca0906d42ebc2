//! Operations on resources, called as compiled code calls them.
