//! The facts of one page: every fact that the crawl, the sitemap, the audit and the diff need, read in one pass.

use super::content::block::Block;
use super::security_headers::SecurityHeaders;
use crate::date::WebDate;
use crate::page_url::PageUrl;
use serde::{Deserialize, Serialize};

pub use super::fact_location::FactLocation;
pub use super::markup::{MarkupCounts, OpenGraph};
pub use crate::directives::PlacedDirectives;

/// Bytes of prose from which on a page has more than a little.
const LITTLE_PROSE: u32 = 200;

/// The facts of one document and its header.
///
/// Every list and text is bounded by [`crate::page::Limits`]; `cut` is set if a limit was reached.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageFacts {
    /// The text of the first `title` in the document (HTML content only), white space collapsed.
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
    /// Every canonical, valid or not.
    pub canonicals: Vec<Canonical>,
    /// Every robots directive, in tags and headers.
    pub directives: Vec<PlacedDirectives>,
    /// `link rel=alternate hreflang=…`, in tags and `Link` headers.
    pub hreflang: Vec<Hreflang>,
    /// The first meta refresh or `Refresh` header (the header wins).
    pub refresh: Option<Refresh>,
    /// The dates that the page states for itself.
    pub dates: Vec<PageDate>,
    /// `id` attributes and `a name`s, which fragments may refer to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
    /// The runs of text between block-level tags.
    #[serde(skip)]
    pub blocks: Vec<Block>,
    /// The beginnings of the first blocks in UTF-8, a line each; those of boilerplate are empty.
    #[serde(skip)]
    pub kept_text: Vec<u8>,
    /// Its main text without numbers.
    #[serde(skip)]
    pub unnumbered: NumberlessText,
    /// The sketch that near-duplicates are found by; none for a short text.
    #[serde(skip)]
    pub sketch: Option<Sketch>,
    /// The name of the encoding that the document was decoded in.
    pub encoding: String,
    /// The source of the encoding.
    pub encoding_from: EncodingFrom,
    /// Bytes of visible text, without scripts and styles: an empty shell has none.
    pub text_bytes: u32,
    /// Bytes of the text outside links, headings, forms, `nav`, `aside`, headers and footers.
    pub prose_bytes: u32,
    /// The form fields outside `nav`, `aside`, headers and footers.
    pub fields: Fields,
    /// Counts of elements, for audits.
    pub markup: MarkupCounts,
    /// The header fields that protect visitors.
    pub security: SecurityHeaders,
    /// The number of `script` elements.
    pub scripts: u32,
    /// The facts of the document before its scripts ran; `None` where no scripts ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_scripts: Option<Box<BeforeScripts>>,
    /// A limit was reached, and the rest of the document was not read for facts.
    pub cut: bool,
    /// Links were left out: they were too many, too long in total, or their selection took too much time.
    pub links_cut: bool,
}

impl PageFacts {
    /// Returns the title by which pages with the same text are distinguished. Scripts name the part of a page in it that
    /// a parameter leads to (docsify's `?id=install`), so that it is the title of the document itself where they ran and
    /// the page has more than a little prose.
    #[must_use]
    pub fn distinctive_title(&self) -> Option<&str> {
        let before = self.before_scripts.as_deref().filter(|_| self.prose_bytes >= LITTLE_PROSE);
        before.map_or(self.title.as_deref(), |before| before.title.as_deref())
    }

    /// Returns the text of the first `h1`.
    #[must_use]
    pub fn first_heading(&self) -> Option<&str> {
        self.headings.iter().find(|heading| heading.level == 1).map(|heading| heading.text.as_str())
    }

    /// Reports whether the page names alternates in other languages where search engines read them: in `head` or header.
    #[must_use]
    pub fn names_alternates(&self) -> bool {
        self.hreflang.iter().any(|given| given.place != FactLocation::Body)
    }

    /// Records that links were left out.
    pub fn leave_links_out(&mut self, left_out: bool) {
        self.links_cut |= left_out;
        self.cut |= left_out;
    }
}

/// The form fields that a visitor fills in.
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
/// differ only by their number are equal in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NumberlessText {
    /// Hashes of its blocks, each word that contains a digit written as `0`.
    pub blocks: Vec<u64>,
    /// The number of those words.
    pub numbers: u32,
}

/// A sketch of a text: similar texts have similar sketches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sketch(pub [u8; Self::BINS]);

impl Sketch {
    /// The number of bytes of a sketch.
    pub const BINS: usize = 128;
    /// The minimum number of words of a text with a sketch.
    pub const FEWEST_WORDS: u32 = 20;
    /// A bin without any run of words.
    pub(crate) const EMPTY: u8 = 0;

    /// The estimated similarity of two texts, in percent of all their runs of three words; the standard error is 3 at
    /// 90.
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
    /// Its text, that of its images (`alt`) included, white space collapsed.
    pub text: String,
}

/// One reference from this page to a URL.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The canonical target; `None` if `raw` is not an http(s) URL.
    pub url: Option<PageUrl>,
    /// The fragment without `#`, unless it is empty.
    pub fragment: Option<String>,
    /// The kind of element or header.
    pub kind: LinkKind,
    /// The relevant `rel` tokens.
    pub rel: Rel,
    /// The region of the page.
    pub region: Region,
    /// The anchor text, or the `alt` of an image. An anchor without text has the names of its parts: the `alt` of an
    /// image, an `aria-label` or a `title`. White space collapsed, bounded.
    pub anchor: String,
    /// The attribute as written (decoded, trimmed, bounded), kept only if `url` is `None`.
    pub raw: Option<String>,
}

/// The source of a [`Link`].
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
    /// `link rel=stylesheet`.
    Stylesheet,
    /// `script src`.
    Script,
    /// `link rel=icon`, `rel=apple-touch-icon` and the like.
    Icon,
    /// `link rel=manifest`.
    Manifest,
    /// `link rel=preload` or `rel=modulepreload`.
    Preload,
    /// `link rel=amphtml`: the page in the form of AMP, which search engines read and never list.
    Amp,
}

impl LinkKind {
    /// Returns true if a crawl follows it: resources are recorded, not followed.
    #[must_use]
    pub fn followed(self) -> bool {
        !self.is_resource()
    }

    /// Returns true for what browsers load to show the page, frames excepted, and for its form in AMP.
    #[must_use]
    pub fn is_resource(self) -> bool {
        use LinkKind::*;
        matches!(self, Image | Media | Stylesheet | Script | Icon | Manifest | Preload | Amp)
    }

    /// Returns true if a visitor can follow it: canonicals, alternates and other machine-readable links are excluded.
    #[must_use]
    pub fn clicked(self) -> bool {
        matches!(self, Self::Anchor | Self::Area | Self::Frame | Self::Refresh)
    }
}

/// The `rel` tokens of a link that crawlers use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rel {
    /// `nofollow`.
    pub nofollow: bool,
    /// `ugc`.
    pub ugc: bool,
    /// `sponsored`.
    pub sponsored: bool,
}

/// The region of a page, by the nearest sectioning ancestor.
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
    /// Anywhere else in `body`.
    #[default]
    Body,
}

/// One canonical as written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Canonical {
    /// The target, or `None` if it is not an http(s) URL.
    pub url: Option<PageUrl>,
    /// The reference as written, decoded and trimmed.
    pub raw: String,
    /// The place of the tag or header.
    pub place: FactLocation,
    /// It is a relative reference.
    pub relative: bool,
}

/// One `hreflang` alternate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hreflang {
    /// The code as written, trimmed.
    pub code: String,
    /// The alternate, or `None` if it is not an http(s) URL.
    pub url: Option<PageUrl>,
    /// The place of the tag or header.
    pub place: FactLocation,
}

/// A meta refresh or `Refresh` header that names another URL.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refresh {
    /// The delay in seconds; the fraction is dropped as in the standard.
    pub seconds: u64,
    /// The target, or `None` if it is not an http(s) URL.
    pub url: Option<PageUrl>,
    /// The place of the tag or header.
    pub place: FactLocation,
}

impl Refresh {
    /// Reports whether the refresh is a redirect: without a delay (Google Search Central, "Redirects and Google
    /// Search").
    #[must_use]
    pub fn is_instant(&self) -> bool {
        self.seconds == 0
    }
}

/// A date that a page states for itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageDate {
    /// The source of the date.
    pub from: DateFrom,
    /// The date.
    pub date: WebDate,
}

/// The source of a page's own date.
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

/// The source of a document's encoding (HTML 13.2.3.2).
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

/// The facts of a document before its scripts ran, where they ran.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BeforeScripts {
    /// The title.
    pub title: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The first `h1`.
    pub heading: Option<String>,
    /// The canonical of `head` or header, as written.
    pub canonical: Option<String>,
    /// Bytes of visible text.
    pub text_bytes: u32,
    /// It named alternates in other languages.
    pub hreflang: bool,
    /// Its directives kept the page out of the index.
    pub noindex: bool,
    /// Its directives kept its links from being followed.
    pub nofollow: bool,
    /// The directives of the document that scripts made, taken alone.
    pub noindex_after: bool,
    /// The same of its links.
    pub nofollow_after: bool,
    /// The canonical after scripts ran, as written.
    pub canonical_after: Option<String>,
    /// The canonicals before and after scripts ran name different pages.
    pub canonical_differs: bool,
    /// The links to pages, without resources.
    pub links: u32,
    /// Links to pages that scripts removed.
    pub links_removed: u32,
    /// Links to pages that scripts added.
    pub links_added: u32,
    /// Links to other fragments of the page's own URL that look like the paths of an application (`#/about`).
    pub hash_routes: u32,
}

impl BeforeScripts {
    /// Returns the number of links to pages after scripts ran.
    #[must_use]
    pub fn links_after(&self) -> u32 {
        self.links.saturating_add(self.links_added).saturating_sub(self.links_removed)
    }
}
