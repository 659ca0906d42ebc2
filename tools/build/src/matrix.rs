//! Permutations: the product of axes of defines, less what rules exclude, with what they include.

use indexmap::{IndexMap, IndexSet};
use serde::Deserialize;

/// The value of a macro in a description.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// `false`: the macro is not defined.
    Undefined,
    /// `true`: it is defined without a value.
    Defined,
    /// A number or a text.
    Text(String),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Value;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the value of a macro: a text, a number, `true` (defined without a value) or `false` (not defined)")
            }
            fn visit_bool<E>(self, v: bool) -> Result<Value, E> {
                Ok(if v { Value::Defined } else { Value::Undefined })
            }
            fn visit_i64<E>(self, v: i64) -> Result<Value, E> {
                Ok(Value::Text(v.to_string()))
            }
            fn visit_u64<E>(self, v: u64) -> Result<Value, E> {
                Ok(Value::Text(v.to_string()))
            }
            fn visit_f64<E>(self, v: f64) -> Result<Value, E> {
                Ok(Value::Text(format!("{v:?}")))
            }
            fn visit_str<E>(self, v: &str) -> Result<Value, E> {
                Ok(Value::Text(v.to_owned()))
            }
        }
        d.deserialize_any(Visitor)
    }
}

/// A choice of one value on each axis: macros with their values, sorted by name. Macros that are not defined are left out.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Permutation(Vec<(String, Option<String>)>);

impl Permutation {
    /// The permutation of these macros. Of several with the same name, the last one counts.
    pub fn new(defines: impl IntoIterator<Item = (String, Value)>) -> Self {
        let all: std::collections::BTreeMap<String, Value> = defines.into_iter().collect();
        let defined = |(name, value)| match value {
            Value::Undefined => None,
            Value::Defined => Some((name, None)),
            Value::Text(text) => Some((name, Some(text))),
        };
        Permutation(all.into_iter().filter_map(defined).collect())
    }

    /// Its macros in the form `A=1`, or `B` without a value.
    pub fn defines(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(name, value)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.clone(),
        })
    }

    /// The key by which programs find it: its macros, sorted, with a space between: `A=1 B`. This is the key of ShaderMake's blobs.
    pub fn key(&self) -> String {
        let mut all: Vec<String> = self.defines().collect();
        all.sort();
        all.join(" ")
    }

    /// Whether there is no macro.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The axes of a shader and its rules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Matrix {
    /// The values of each macro.
    pub axes: IndexMap<String, Vec<Value>>,
    /// Permutations that agree with all macros of a rule are left out.
    pub exclude: Vec<IndexMap<String, Value>>,
    /// Permutations besides the product. They are not subject to `exclude`.
    pub include: Vec<IndexMap<String, Value>>,
}

impl Matrix {
    /// How many choices there are before `exclude`.
    pub fn count(&self) -> u128 {
        let product = self.axes.values().fold(1u128, |n, values| n.saturating_mul(values.len() as u128));
        product.saturating_add(self.include.len() as u128)
    }

    /// All permutations, each once: those of the product, of which the last axis changes fastest, then the included ones.
    pub fn permutations(&self) -> Vec<Permutation> {
        let mut all = IndexSet::new();
        let axes: Vec<(&String, &Vec<Value>)> = self.axes.iter().collect();
        let mut choice = vec![0; axes.len()];
        let mut more = axes.iter().all(|a| !a.1.is_empty());
        while more {
            let value = |i: usize| &axes[i].1[choice[i]];
            let agrees = |(name, value_of_rule): (&String, &Value)| match axes.iter().position(|a| a.0 == name) {
                Some(i) => value(i) == value_of_rule,
                None => *value_of_rule == Value::Undefined,
            };
            if !self.exclude.iter().any(|rule| rule.iter().all(agrees)) {
                all.insert(Permutation::new(axes.iter().enumerate().map(|(i, a)| (a.0.clone(), value(i).clone()))));
            }
            more = false;
            for i in (0..axes.len()).rev() {
                choice[i] += 1;
                if choice[i] < axes[i].1.len() {
                    more = true;
                    break;
                }
                choice[i] = 0;
            }
        }
        all.extend(self.include.iter().map(|rule| Permutation::new(rule.iter().map(|(n, v)| (n.clone(), v.clone())))));
        all.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(v: &str) -> Value {
        Value::Text(v.to_owned())
    }

    fn rule(all: &[(&str, Value)]) -> IndexMap<String, Value> {
        all.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect()
    }

    #[test]
    fn product_with_rules() {
        let mut m = Matrix::default();
        assert_eq!(m.permutations(), [Permutation::default()], "no axis: one permutation without macros");
        m.axes.insert("B".into(), vec![text("0"), text("1")]);
        m.axes.insert("A".into(), vec![Value::Undefined, Value::Defined]);
        let keys = |m: &Matrix| m.permutations().iter().map(Permutation::key).collect::<Vec<_>>();
        assert_eq!(keys(&m), ["B=0", "A B=0", "B=1", "A B=1"]);
        m.exclude.push(rule(&[("A", Value::Undefined), ("B", text("1"))]));
        m.include.push(rule(&[("A", text("7"))]));
        m.include.push(rule(&[("B", text("0"))]));
        assert_eq!((m.count(), keys(&m)), (6, vec!["B=0".into(), "A B=0".into(), "A B=1".into(), "A=7".into()]), "no permutation twice");
        m.exclude.push(rule(&[]));
        assert_eq!(keys(&m), ["A=7", "B=0"], "an empty rule agrees with all");
        m.axes.insert("C".into(), Vec::new());
        assert_eq!(keys(&m), ["A=7", "B=0"], "an axis without values: no product");
    }

    #[test]
    fn rules_about_macros_that_are_no_axis() {
        let mut m = Matrix::default();
        m.axes.insert("A".into(), vec![text("0"), text("1")]);
        m.exclude.push(rule(&[("A", text("0")), ("X", text("1"))]));
        assert_eq!(m.permutations().len(), 2, "`X` never has a value");
    }
}
