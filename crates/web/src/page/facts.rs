//! What one page says: every fact that the crawl, the sitemap, the audit and the diff need, read in one pass.

use super::block::Block;
use crate::date::WebDate;
use crate::directives::Directives;
use crate::page_url::PageUrl;
use serde::{Deserialize, Serialize};

/// Everything read from one document and its header.
///
/// Every list and text is bounded by [`crate::page::Limits`]; `cut` says when a bound was met.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageFacts {
    /// Text of the first `title` in the document (HTML content only), blanks collapsed.
    pub title: Option<String>,
    /// `meta name=description`.
    pub description: Option<String>,
    /// `lang` of the `html` element.
    pub language: Option<String>,
    /// `h1` … `h6` in document order.
    pub headings: Vec<Heading>,
    /// Links and resources in document order, header links first.
    #[serde(skip)]
    pub links: Vec<Link>,
    /// Every canonical given, good or bad.
    pub canonicals: Vec<Canonical>,
    /// Every robots directive given, in tags and headers.
    pub directives: Vec<PlacedDirectives>,
    /// `link rel=alternate hreflang=…`, in tags and `Link` headers.
    pub hreflang: Vec<Hreflang>,
    /// The first meta refresh or `Refresh` header (the header wins).
    pub refresh: Option<Refresh>,
    /// Dates that the page gives for itself.
    pub dates: Vec<PageDate>,
    /// `id` attributes and `a name`s, which fragments may name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
    /// The runs of text between block-level tags.
    #[serde(skip)]
    pub blocks: Vec<Block>,
    /// Its main text without what counts it.
    #[serde(skip)]
    pub unnumbered: Unnumbered,
    /// What its text is told from nearly the same ones by; none where it is short.
    #[serde(skip)]
    pub sketch: Option<Sketch>,
    /// Name of the encoding that the document was read in.
    pub encoding: String,
    /// Where the encoding was learnt.
    pub encoding_from: EncodingFrom,
    /// Bytes of visible text, scripts and styles apart: an empty shell has none.
    pub text_bytes: u32,
    /// Bytes of that text which is neither a link's, a heading's nor a form's, outside `nav`, `aside`, headers and footers.
    pub prose_bytes: u32,
    /// The fields of forms outside `nav`, `aside`, headers and footers.
    pub fields: Fields,
    /// Count of `script` elements.
    pub scripts: u32,
    /// A limit was met, and the rest of the document was not read for facts.
    pub cut: bool,
    /// Links were left out: they were too many, or too long in all, or choosing among them took too much time.
    pub links_cut: bool,
}

impl PageFacts {
    /// Tells that links were left out, if they were.
    pub fn leave_links_out(&mut self, left_out: bool) {
        self.links_cut |= left_out;
        self.cut |= left_out;
    }
}

/// The fields of forms that a visitor fills in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fields {
    /// `input type=password`; at most 255.
    pub passwords: u8,
    /// Other text fields and `textarea` elements; at most 255.
    pub texts: u8,
    /// `select` elements, check boxes and radio buttons; at most 255.
    pub choices: u8,
}

/// The main text of a page (no navigation, header or footer), its title and its description without numbers: pages that
/// differ by their number alone are alike in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unnumbered {
    /// Hashes of its blocks, each word that holds a digit written as `0`.
    pub blocks: Vec<u64>,
    /// Those words.
    pub numbers: u32,
}

/// A sketch of a text: texts with much in common have much of it in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sketch(pub [u8; Self::BINS]);

impl Sketch {
    /// Bytes of a sketch.
    pub const BINS: usize = 128;
    /// Texts of fewer words have none.
    pub const FEWEST_WORDS: u32 = 20;
    /// A bin that no run of words fell into.
    pub(crate) const EMPTY: u8 = 0;

    /// How much two texts have in common, in percent of all their runs of three words: an estimate, with a standard
    /// error of 3 at 90.
    #[must_use]
    pub fn likeness(&self, other: &Self) -> u32 {
        let (mut alike, mut filled) = (0, 0);
        for (one, two) in self.0.iter().zip(&other.0) {
            let both_empty = *one == Self::EMPTY && *two == Self::EMPTY;
            filled += u32::from(!both_empty);
            alike += u32::from(!both_empty && one == two);
        }
        (alike * 100).checked_div(filled).unwrap_or_default()
    }
}

/// A heading and its level, 1 to 6.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// 1 for `h1`.
    pub level: u8,
    /// Its text, blanks collapsed.
    pub text: String,
}

/// One reference from this page to a URL.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Where it points, canonical; `None` when `raw` cannot be a http(s) URL.
    pub url: Option<PageUrl>,
    /// The fragment without `#`, if there was one that is not empty.
    pub fragment: Option<String>,
    /// What element or header gave it.
    pub kind: LinkKind,
    /// `rel` tokens that matter.
    pub rel: Rel,
    /// The region of the page that it stands in.
    pub region: Region,
    /// Anchor text, or the `alt` of an image (an `alt` stands in where an anchor has no text). Blanks collapsed, bounded.
    pub anchor: String,
    /// The attribute as written (decoded, trimmed, bounded), kept only where `url` is `None`.
    pub raw: Option<String>,
}

/// What gave a [`Link`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkKind {
    /// `a href`.
    Anchor,
    /// `area href`.
    Area,
    /// `iframe src` or `frame src`.
    Frame,
    /// `link rel=next` or `rel=prev`, in a tag or header.
    Sequence,
    /// `link rel=alternate` with a HTML type or none, in a tag or header (hreflang included).
    Alternate,
    /// `link rel=canonical`, in a tag or header, or an `xlink:href` counterpart.
    Canonical,
    /// `link rel=alternate` whose type says RSS or Atom.
    Feed,
    /// A meta refresh or `Refresh` header of one second or more.
    Refresh,
    /// `img`, `srcset`, `source`, `picture`.
    Image,
    /// `video`, `audio`, `source`, `track`.
    Media,
}

impl LinkKind {
    /// Whether a crawl goes there: resources are recorded, not followed.
    #[must_use]
    pub fn followed(self) -> bool {
        !matches!(self, Self::Image | Self::Media)
    }

    /// Whether a visitor comes along there: not by what speaks to machines alone, canonicals and alternates among it.
    #[must_use]
    pub fn clicked(self) -> bool {
        matches!(self, Self::Anchor | Self::Area | Self::Frame | Self::Refresh)
    }
}

/// `rel` tokens of a link that matter to crawlers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rel {
    /// `nofollow`.
    pub nofollow: bool,
    /// `ugc`.
    pub ugc: bool,
    /// `sponsored`.
    pub sponsored: bool,
}

/// Region of a page by its nearest sectioning ancestor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Region {
    /// In `head`, or in a header field.
    Head,
    /// In `nav` (or `role=navigation`).
    Nav,
    /// In `header` outside `main` and `article`.
    Header,
    /// In `main` or `article`.
    Main,
    /// In `aside`.
    Aside,
    /// In `footer` outside `main` and `article`.
    Footer,
    /// Elsewhere in `body`.
    #[default]
    Body,
}

/// Where a fact was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A header field of the reply.
    Header,
    /// A tag in `head`.
    Head,
    /// A tag in `body`.
    Body,
}

/// One canonical as given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Canonical {
    /// The target, or `None` when it is no http(s) URL.
    pub url: Option<PageUrl>,
    /// As written, decoded and trimmed.
    pub raw: String,
    /// Where.
    pub place: Place,
    /// Written as a relative reference.
    pub relative: bool,
}

/// Robots directives and where they were given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedDirectives {
    /// The agent addressed, lower case; `None` for `robots` and for headers without a name.
    pub agent: Option<String>,
    /// What was said.
    pub directives: Directives,
    /// Where.
    pub place: Place,
}

/// One `hreflang` alternate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hreflang {
    /// The code as written, trimmed.
    pub code: String,
    /// The alternate, or `None` when it is no http(s) URL.
    pub url: Option<PageUrl>,
    /// Where.
    pub place: Place,
}

/// A meta refresh or `Refresh` header that names another URL.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refresh {
    /// Whole seconds; the fraction is dropped as the standard does.
    pub seconds: u64,
    /// The target, or `None` when it is no http(s) URL.
    pub url: Option<PageUrl>,
    /// Where.
    pub place: Place,
}

/// A date that a page gives for itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageDate {
    /// What gave it.
    pub from: DateFrom,
    /// The date.
    pub date: WebDate,
}

/// Where a page's own date was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DateFrom {
    /// JSON-LD `dateModified` of the page's own node.
    JsonLd,
    /// `meta property=article:modified_time`.
    ArticleModified,
    /// `meta property=og:updated_time`.
    OgUpdated,
    /// `meta http-equiv=last-modified`.
    MetaLastModified,
    /// `meta property=article:published_time` or JSON-LD `datePublished`.
    Published,
}

/// Where the encoding of a document was learnt (HTML 13.2.3.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EncodingFrom {
    /// A byte-order mark.
    Bom,
    /// `Content-Type`.
    Header,
    /// `meta` in the first 1,024 bytes.
    Meta,
    /// Detection from the bytes.
    #[default]
    Detected,
}
