//! Words, selected by number.

use std::sync::LazyLock;

/// Scrambles a number (the finaliser of SplitMix64): the generator's only source of variety.
pub(super) fn scramble(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A scrambled number below `bound`, which is not zero.
pub(super) fn below(number: u64, bound: u64) -> u64 {
    scramble(number) % bound
}

/// The word of this number, modulo the length of the list.
pub(super) fn word(number: u64) -> &'static str {
    let index = usize::try_from(number % WORDS.len() as u64).unwrap_or(0);
    WORDS.get(index).copied().unwrap_or_default()
}

/// `count` words chosen by `key`, joined by `glue`.
pub(super) fn phrase(key: u64, count: u64, glue: &str) -> String {
    let mut phrase = String::new();
    for place in 0..count {
        if place > 0 {
            phrase.push_str(glue);
        }
        phrase.push_str(word(scramble(key.wrapping_add(place.wrapping_mul(0x1_0001)))));
    }
    phrase
}

static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| TEXT.split_ascii_whitespace().collect());

const TEXT: &str = "\
    about above access account across action address advice after again agree allow along answer appear apply \
    archive area around arrive article author autumn balance basis beacon become before begin behind below between \
    beyond bottom branch bridge bright bring broad build cable calendar call canal capital carry castle catalogue \
    cause centre chain chance change chapter charge choice circle city claim clear climate close cloud coast collect \
    colour column common compare complete concern condition connect consider contain control copper corner country \
    course cover create cross current custom daily danger decide deep degree deliver depend describe design detail \
    develop differ direct discover distance divide document double draw drive early earth edge effect effort either \
    engine enough enter equal escape even event every exact example except expect explain express extend factor \
    family farther feature field figure final finish first fleet follow force forest form forward found frame fresh \
    further garden gather general glass grain great ground group guide half hand harbour hardly head heavy height \
    hold horizon house hundred idea include increase indeed index industry inside instead island issue join journey \
    keep kind know labour land language large later layer lead learn leave length letter level light likely limit \
    line list little local long lower machine main manner manual many map mark market matter measure meeting member \
    method middle minute mirror model moment month morning mountain move name narrow nation nature near need network \
    never night north note notice number object observe ocean offer often open order origin other outside paper part \
    passage past path pattern people perhaps period person picture piece place plain plan plant point policy \
    position power present press price print problem process produce product proper provide public purpose quarter \
    question quick quiet rail range rather reach reader reason receive record reduce region relate remain remember \
    repeat reply report require rest result return river road room round route rule sail scale school science season \
    second section seem send sense series serve settle several shape share short side signal silver simple since \
    single site slow small soft soil solid some sound source south space speak special spring square staff stage \
    stand station steady step still stone store story stream street strong study subject such summer supply support \
    surface survey system table term test than their theory there thing third those though through time title today \
    together total toward tower trade train travel tree trust turn under union unit until upon usual valley value \
    various vessel view village visit voice wait walk wall watch water weather week weight west wheel where which \
    while whole wide winter within without wonder wood word work world write year yellow young";
