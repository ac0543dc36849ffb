//! Texts of links that say nothing about their target, by language.

/// Texts in lower case, without punctuation around them. From the guidance of search engines ("Write helpful link
/// text") and its translations.
const VAGUE: [&str; 76] = [
    // English
    "click",
    "click here",
    "click this",
    "click this link",
    "go",
    "go here",
    "here",
    "learn more",
    "link",
    "more",
    "more info",
    "more information",
    "read more",
    "see here",
    "see more",
    "start",
    "this",
    "this link",
    "this page",
    // German
    "hier",
    "hier klicken",
    "klick",
    "klicken sie hier",
    "klick hier",
    "mehr",
    "mehr dazu",
    "mehr erfahren",
    "mehr infos",
    "mehr lesen",
    "weiter",
    "weiterlesen",
    // French
    "cliquez ici",
    "en savoir plus",
    "ici",
    "lire la suite",
    "lire plus",
    "plus",
    "suite",
    // Spanish
    "aquí",
    "clic aquí",
    "haga clic aquí",
    "haz clic aquí",
    "leer más",
    "más",
    "más información",
    "ver más",
    // Portuguese
    "aqui",
    "clique aqui",
    "leia mais",
    "mais",
    "saiba mais",
    "veja mais",
    // Italian
    "clicca qui",
    "continua a leggere",
    "leggi tutto",
    "qui",
    "scopri di più",
    // Dutch
    "klik hier",
    "lees meer",
    "lees verder",
    "meer",
    "meer informatie",
    // Swedish, Danish, Norwegian
    "klicka här",
    "klik her",
    "klikk her",
    "les mer",
    "läs mer",
    "læs mere",
    // Polish, Czech
    "czytaj więcej",
    "kliknij tutaj",
    "tutaj",
    "více",
    "číst dále",
    // Russian, Japanese, Chinese
    "подробнее",
    "こちら",
    "点击这里",
];

/// Reports whether the text of a link says nothing about its target.
pub(crate) fn is_vague(text: &str) -> bool {
    let is_mark = |char: char| !char.is_alphanumeric();
    let text = text.trim_matches(is_mark);
    // The longest of them; longer texts need no copy.
    text.len() <= 32 && VAGUE.contains(&text.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_fit_any_target_are_vague() {
        for text in ["Click here", "READ MORE …", "» mehr", "Läs mer", "Подробнее →", "[here]", "点击这里"]
        {
            assert!(is_vague(text), "{text}");
        }
        for text in ["Read more about chairs", "Click tracks", "Herefordshire", "¶", "", "2", "Start page"] {
            assert!(!is_vague(text), "{text}");
        }
        assert!(VAGUE.iter().all(|text| is_vague(text)));
    }
}
