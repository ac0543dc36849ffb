//! Parts of sentences, separated by bars: one list for each position in a sentence.

/// The parts of sentences of a language, one list for each position in a sentence.
pub(crate) type Language = [&'static str; 5];

pub(crate) const ENGLISH: Language = [
    "The old miller|A young gardener|Our neighbour|The bookbinder|Every traveller|The harbour master|\
     A retired teacher|The night porter|The beekeeper|My grandmother|The clockmaker|A passing sailor|\
     The village council|The ferry pilot|A patient weaver|The glass blower|The stone mason|A choir|\
     The cartographer|The lighthouse crew|An apprentice|The orchard owner|A visiting painter|The cook",
    "repairs|remembers|describes|collects|paints|weighs|measures|borrows|restores|sells|observes|counts|\
     protects|photographs|inherits|carries|polishes|catalogues|admires|exchanges|decorates|inspects|prepares|\
     explains",
    "seventeen brass lamps|the flooded meadow|a crooked bridge|forgotten letters|the winter harvest|\
     a set of oak barrels|painted tiles|the eastern staircase|rare mountain herbs|a broken accordion|\
     linen from the mill|the tower bell|several harbour maps|smoked trout|a cabinet of minerals|wool blankets|\
     the railway timetable|hand-cut crystal|a recipe for rye bread|the copper roof|walnut furniture|\
     an ancient sundial|silver coins|the fishing nets",
    "behind the market hall|near the northern gate|along the canal|in the attic of the museum|\
     under the lime trees|beside the railway station|at the edge of the forest|above the bakery|\
     between two vineyards|on the upper terrace|inside the chapel|across the river|by the salt works|\
     in a narrow courtyard|outside the town walls|on the slope of the quarry|next to the school|\
     at the mouth of the valley|in the cellar of the inn|over the shipyard|around the fountain|\
     within the botanical garden|close to the observatory|at the old customs house",
    "every second Thursday|since the great storm|before the first snow|during the spring fair|\
     whenever the fog lifts|for almost forty years|without any hurry|as custom demands|in late September|\
     after the evening bell|with borrowed tools|despite the heavy rain|until the last guest leaves|\
     for a modest fee|on behalf of the guild|with great precision|at the turn of the tide|\
     to the delight of children|under candle light|against all advice|once the roads are dry|\
     as long as supplies last|in memory of the founder|on the longest day",
];

pub(crate) const GERMAN: Language = [
    "Der alte Müller|Eine junge Gärtnerin|Unser Nachbar|Die Buchbinderin|Jeder Reisende|Der Imker|\
     Die Hafenmeisterin|Der Uhrmacher|Eine Weberin|Der Steinmetz|Die Köchin|Der Lehrling",
    "repariert|beschreibt|sammelt|bemalt|wiegt|vermisst|verkauft|bewacht|fotografiert|poliert|bewundert|\
     erklärt",
    "siebzehn Messinglampen|die überflutete Wiese|eine schiefe Brücke|vergessene Briefe|alte Landkarten|\
     bemalte Kacheln|seltene Bergkräuter|die Turmglocke|geräucherte Forellen|das Kupferdach|eine Sonnenuhr|\
     Möbel aus Nussholz",
    "hinter der Markthalle|am nördlichen Tor|entlang des Kanals|im Dachboden des Museums|im Innenhof|\
     unter den Linden|neben dem Bahnhof|am Waldrand|über der Bäckerei|jenseits des Flusses|vor der Stadtmauer|\
     nahe der Sternwarte",
    "jeden zweiten Donnerstag|seit dem großen Sturm|vor dem ersten Schnee|ohne jede Eile|bei Kerzenlicht|\
     seit fast vierzig Jahren|trotz des Regens|gegen ein kleines Entgelt|im späten September|\
     mit geliehenem Werkzeug|zur Freude der Kinder|am längsten Tag des Jahres",
];

pub(crate) const FRENCH: Language = [
    "Le vieux meunier|Une jeune jardinière|Notre voisin|La relieuse|Chaque voyageur|L'apiculteur|L'horloger|\
     Une tisserande|Le tailleur de pierre|La cuisinière|Un apprenti|Le pilote du bac",
    "répare|décrit|collectionne|peint|pèse|mesure|vend|surveille|photographie|polit|admire|explique",
    "dix-sept lampes en laiton|la prairie inondée|un pont tordu|des lettres oubliées|des carreaux peints|\
     de vieilles cartes|des herbes de montagne|la cloche de la tour|des truites fumées|le toit de cuivre|\
     un cadran solaire|des meubles en noyer",
    "derrière les halles|près de la porte nord|le long du canal|dans le grenier du musée|dans une cour|\
     sous les tilleuls|à côté de la gare|à la lisière du bois|au-dessus de la boulangerie|\
     de l'autre côté du fleuve|hors des remparts|près de l'observatoire",
    "un jeudi sur deux|depuis la grande tempête|avant la première neige|sans se presser|à la chandelle|\
     depuis près de quarante ans|malgré la pluie|pour une somme modeste|à la fin de septembre|\
     avec des outils empruntés|pour la joie des enfants|le jour le plus long",
];

/// Twelve adjectives for the goods of a shop.
pub(crate) const ADJECTIVES: &str =
    "Copper|Walnut|Painted|Folding|Enamel|Woven|Antique|Pocket|Garden|Travel|Marble|Linen";

/// Thirteen nouns for the goods of a shop.
pub(crate) const NOUNS: &str =
    "kettle|stool|lantern|basket|clock|mirror|teapot|chest|ladder|compass|vase|blanket|pitcher";
