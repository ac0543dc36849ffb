//! Codes of languages and regions, as hreflang takes them.

/// Languages by ISO 639-1, and such by ISO 639-3 as sites are translated into.
const LANGUAGES: &str = "\
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el \
    en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu \
    ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na \
    nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so \
    sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu \
    ast bal ber ceb chr ckb cmn csb dsb fil fur gsw haw hak hmn hsb kab kok lmo mai mni nan nds pap sah sat scn \
    smn syr szl tpi vec wuu yue zgh \
    ";

/// Regions by ISO 3166-1 alpha-2, and Kosovo, which has none of its own.
const REGIONS: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
    CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO \
    FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE \
    JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO \
    MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW \
    PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM \
    TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW \
    ";

/// Whether a code is a language, a language with a script or region behind hyphens, or `x-default`.
pub(super) fn is_code(code: &str) -> bool {
    if code.eq_ignore_ascii_case("x-default") {
        return true;
    }
    let mut parts = code.split('-');
    let language = parts.next().unwrap_or_default().to_ascii_lowercase();
    let rest: Vec<&str> = parts.collect();
    holds(LANGUAGES, &language)
        && match rest.as_slice() {
            [] => true,
            [one] => is_script(one) || is_region(one),
            [script, region] => is_script(script) && is_region(region),
            _ => false,
        }
}

/// Four letters (ISO 15924).
fn is_script(part: &str) -> bool {
    part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// A country, or a part of the world by its number (UN M49).
fn is_region(part: &str) -> bool {
    let number = part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    number || holds(REGIONS, &part.to_ascii_uppercase())
}

fn holds(table: &str, word: &str) -> bool {
    table.split_whitespace().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_regions_and_scripts_are_codes_and_words_are_not() {
        for code in ["en", "EN-gb", "zh-Hant", "zh-Hans-CN", "es-419", "x-default", "fil"] {
            assert!(is_code(code), "{code}");
        }
        for code in ["", "en-UK", "english", "en_GB", "xx", "en-", "de-DE-x", "x-Default-de", "gb"] {
            assert!(!is_code(code), "{code}");
        }
    }
}
