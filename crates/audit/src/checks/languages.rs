//! Codes of languages and regions, as hreflang takes them.

/// Languages by ISO 639-1, and those by ISO 639-3 that sites are translated into.
const LANGUAGES: &str = "\
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el \
    en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu \
    ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na \
    nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so \
    sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu \
    ast bal ber ceb chr ckb cmn csb dsb fil fur gsw haw hak hmn hsb kab kok lmo mai mni nan nds pap sah sat scn \
    smn syr szl tpi vec wuu yue zgh \
    ";

/// Regions by ISO 3166-1 alpha-2, and XK for Kosovo, which has no code there.
const REGIONS: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
    CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO \
    FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE \
    JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO \
    MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW \
    PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM \
    TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW \
    ";

/// Scripts by ISO 15924.
const SCRIPTS: &str = "\
    Adlm Aghb Ahom Arab Aran Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Bopo Brah Brai Bugi Buhd Cakm Cans Cari Cham \
    Cher Chrs Copt Cpmn Cprt Cyrl Cyrs Deva Diak Dogr Dsrt Dupl Egyp Elba Elym Ethi Gara Geok Geor Glag Gong Gonm Goth \
    Gran Grek Gujr Gukh Guru Hanb Hang Hani Hano Hans Hant Hatr Hebr Hira Hluw Hmng Hmnp Hrkt Hung Ital Jamo Java Jpan \
    Kali Kana Kawi Khar Khmr Khoj Kits Knda Kore Krai Kthi Lana Laoo Latf Latg Latn Lepc Limb Lina Linb Lisu Lyci Lydi \
    Mahj Maka Mand Mani Marc Medf Mend Merc Mero Mlym Modi Mong Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkoo Nshu \
    Ogam Olck Onao Orkh Orya Osge Osma Ougr Palm Pauc Perm Phag Phli Phlp Phnx Plrd Prti Rjng Rohg Runr Samr Sarb Saur \
    Sgnw Shaw Shrd Sidd Sind Sinh Sogd Sogo Sora Soyo Sund Sunu Sylo Syrc Syre Syrj Syrn Tagb Takr Tale Talu Taml Tang \
    Tavt Telu Tfng Tglg Thaa Thai Tibt Tirh Tnsa Todr Toto Tutg Ugar Vaii Vith Wara Wcho Xpeo Xsux Yezi Yiii Zanb Zsye \
    Zsym Zxxx Zyyy \
    ";

/// Parts of the world by UN M49 that are not countries (BCP 47, section 2.2.4).
const PARTS: &str = "\
    001 002 003 005 009 011 013 014 015 017 018 019 021 029 030 034 035 039 053 054 057 061 142 143 145 150 151 154 155 \
    202 419 \
    ";

/// Returns true if a code is a language, a language with a script or region after hyphens, or `x-default`.
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

fn is_script(part: &str) -> bool {
    SCRIPTS.split_whitespace().any(|known| known.eq_ignore_ascii_case(part))
}

/// Returns true for a country, and for the number of a part of the world.
fn is_region(part: &str) -> bool {
    holds(PARTS, part) || holds(REGIONS, &part.to_ascii_uppercase())
}

fn holds(table: &str, word: &str) -> bool {
    table.split_whitespace().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_regions_and_scripts_are_codes_and_words_are_not() {
        for code in ["en", "EN-gb", "zh-Hant", "zh-Hans-CN", "es-419", "x-default", "fil", "en-001", "sr-latn-RS"] {
            assert!(is_code(code), "{code}");
        }
        for code in [
            "",
            "en-UK",
            "english",
            "en_GB",
            "xx",
            "en-",
            "de-DE-x",
            "x-Default-de",
            "gb",
            "en-Engl",
            "en-999",
            "en-Latn-",
        ] {
            assert!(!is_code(code), "{code}");
        }
    }
}
