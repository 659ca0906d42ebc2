//! The target IR: the text of the optimised module.

use super::Generation;
use crate::compilation::Product;

pub(super) fn generate(g: &Generation<'_>) -> Product {
    Product::Ir(rtc_ir::text::print(g.module))
}
