//! Values as the configuration file writes them.

use crate::definition::Definition;
use crate::field::Arity;
use toml_edit::{Array, Value};

/// Returns the value for the texts of an option: a list, or the only one.
pub(super) fn written(definition: &Definition, texts: &[String]) -> Value {
    if definition.arity == Arity::Many {
        return Value::Array(texts.iter().map(|text| single(definition, text)).collect::<Array>());
    }
    single(definition, texts.last().map_or("", String::as_str))
}

/// Returns the value that replaces another, with the comments and blanks around that one, and around the items of its
/// list that stay.
pub(super) fn written_over(before: &Value, definition: &Definition, texts: &[String]) -> Value {
    let mut now = match (before, definition.arity) {
        (Value::Array(before), Arity::Many) => Value::Array(list_over(before, definition, texts)),
        _ => written(definition, texts),
    };
    *now.decor_mut() = before.decor().clone();
    now
}

fn list_over(before: &Array, definition: &Definition, texts: &[String]) -> Array {
    let mut list = before.clone();
    list.clear();
    let fresh = before.iter().last().map(Value::decor);
    for text in texts {
        let item = before.iter().find(|item| text_of(item) == *text).cloned().unwrap_or_else(|| {
            let mut item = single(definition, text);
            // A list of one item a line goes on so; the first item of a line stands behind the bracket.
            let prefix = fresh.and_then(|decor| decor.prefix()?.as_str()).filter(|prefix| prefix.contains('\n'));
            match prefix.and_then(|prefix| prefix.rfind('\n').and_then(|line| prefix.get(line..))) {
                Some(prefix) => item.decor_mut().set_prefix(prefix),
                None if !list.is_empty() => item.decor_mut().set_prefix(" "),
                None => {}
            }
            item
        });
        list.push_formatted(item);
    }
    list
}

fn text_of(item: &Value) -> String {
    match item {
        Value::String(text) => text.value().clone(),
        Value::Integer(number) => number.value().to_string(),
        Value::Float(number) => number.value().to_string(),
        Value::Boolean(truth) => truth.value().to_string(),
        _ => String::new(),
    }
}

/// Returns one value: without quotes where its kind is written so and the text is of that kind.
fn single(definition: &Definition, text: &str) -> Value {
    if definition.kind.is_bare() {
        let bare = text.trim();
        if let Ok(number) = bare.parse::<i64>() {
            return number.into();
        }
        if let Ok(truth) = bare.parse::<bool>() {
            return truth.into();
        }
        if let Some(number) = bare.parse::<f64>().ok().filter(|number| number.is_finite()) {
            return number.into();
        }
    }
    text.into()
}
