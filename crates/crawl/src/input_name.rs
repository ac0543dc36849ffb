//! The name of an input, as messages show it.

use mapwright_settings::Input;

/// Returns the name of an input.
pub(crate) fn shown(input: &Input) -> String {
    match input {
        Input::File(path) => path.display().to_string(),
        Input::Stdin => "standard input".to_owned(),
    }
}
