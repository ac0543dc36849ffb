//! Names of elements, and the sets of them in the parser's rules.

use super::names::Names;

/// The hash factor of the names below, see [`Names::new`].
const FACTOR: u64 = 0x9730_82d6_09b4_e5d3;

macro_rules! tags {
    ($($variant:ident $name:literal,)*) => {
        /// The name of an element that a rule refers to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Tag {
            $(#[doc = $name] $variant,)*
            /// Every other name.
            Other,
        }

        static NAMES: Names<{ [$($name),*].len() }> = Names::new(&[$($name),*], FACTOR);
        const ALL: [Tag; [$($name),*].len()] = [$(Tag::$variant),*];
    };
}

tags! {
    A "a", Address "address", AnnotationXml "annotation-xml", Area "area", Article "article", Aside "aside",
    Audio "audio", B "b", Base "base", Basefont "basefont", Bgsound "bgsound", Big "big", Blockquote "blockquote",
    Body "body", Br "br", Caption "caption", Center "center", Code "code", Col "col", Dd "dd", Desc "desc",
    Details "details", Dialog "dialog", Dir "dir", Div "div", Dl "dl", Dt "dt", Em "em", Embed "embed",
    Fieldset "fieldset", Figcaption "figcaption", Figure "figure", Font "font", Footer "footer",
    ForeignObject "foreignobject", Form "form", Frame "frame", Frameset "frameset", H1 "h1", H2 "h2", H3 "h3",
    H4 "h4", H5 "h5", H6 "h6", Head "head", Header "header", Hgroup "hgroup", Hr "hr", Html "html", I "i",
    Iframe "iframe", Image "image", Img "img", Input "input", Keygen "keygen", Legend "legend", Li "li", Link "link",
    Listing "listing", Main "main", Malignmark "malignmark", Math "math", Menu "menu", Meta "meta", Mglyph "mglyph",
    Mi "mi", Mn "mn", Mo "mo", Ms "ms", Mtext "mtext", Nav "nav", Nobr "nobr", Noembed "noembed",
    Noframes "noframes", Noscript "noscript", Ol "ol", P "p", Param "param", Picture "picture", Plaintext "plaintext",
    Pre "pre", Ruby "ruby", S "s", Script "script", Search "search", Section "section", Select "select", Small "small",
    Source "source", Span "span", Strike "strike", Strong "strong", Style "style", Sub "sub", Summary "summary",
    Sup "sup", Svg "svg", Table "table", Tbody "tbody", Td "td", Template "template", Textarea "textarea",
    Tfoot "tfoot", Th "th", Thead "thead", Title "title", Tr "tr", Track "track", Tt "tt", U "u", Ul "ul",
    Var "var", Video "video", Wbr "wbr", Xmp "xmp",
}

impl Tag {
    /// The number of variants.
    pub(crate) const COUNT: usize = ALL.len() + 1;

    /// The tag of a name in any case.
    #[inline]
    pub(crate) fn of(name: &str) -> Self {
        NAMES.find(name).and_then(|place| ALL.get(place).copied()).unwrap_or(Self::Other)
    }

    /// 1 to 6 for headings.
    pub(crate) fn heading_level(self) -> Option<u8> {
        match self {
            Self::H1 => Some(1),
            Self::H2 => Some(2),
            Self::H3 => Some(3),
            Self::H4 => Some(4),
            Self::H5 => Some(5),
            Self::H6 => Some(6),
            _ => None,
        }
    }

    /// Returns true for elements that structure or format text, and have no facts but their names and labels.
    #[inline]
    pub(crate) fn is_formatting(self) -> bool {
        use Tag::*;
        let is_inline = matches!(self, B | Br | Code | Em | I | S | Small | Span | Strong | Sub | Sup | Tt | U | Var);
        let is_block = matches!(self, Blockquote | Dd | Div | Dl | Dt | Li | Ol | P | Pre | Ul);
        is_inline || is_block || matches!(self, Table | Tbody | Td | Th | Thead | Tr)
    }

    /// Returns true for elements without content and end tag.
    pub(crate) fn is_void(self) -> bool {
        use Tag::*;
        matches!(
            self,
            Area | Base
                | Basefont
                | Bgsound
                | Br
                | Col
                | Embed
                | Frame
                | Hr
                | Image
                | Img
                | Input
                | Keygen
                | Link
                | Meta
                | Param
                | Source
                | Track
                | Wbr
        )
    }

    /// Returns true for start tags that end foreign content (HTML 13.2.6.5), except `font` with certain attributes.
    pub(crate) fn breaks_out(self) -> bool {
        use Tag::*;
        self.heading_level().is_some()
            || matches!(
                self,
                B | Big
                    | Blockquote
                    | Body
                    | Br
                    | Center
                    | Code
                    | Dd
                    | Div
                    | Dl
                    | Dt
                    | Em
                    | Embed
                    | Head
                    | Hr
                    | I
                    | Img
                    | Li
                    | Listing
                    | Menu
                    | Meta
                    | Nobr
                    | Ol
                    | P
                    | Pre
                    | Ruby
                    | S
                    | Small
                    | Span
                    | Strong
                    | Strike
                    | Sub
                    | Sup
                    | Table
                    | Tt
                    | U
                    | Ul
                    | Var
            )
    }

    /// Returns true for block-level elements: their start and end tags split the text into blocks.
    pub(crate) fn is_block(self) -> bool {
        use Tag::*;
        self.heading_level().is_some()
            || matches!(
                self,
                Address
                    | Article
                    | Aside
                    | Blockquote
                    | Body
                    | Caption
                    | Center
                    | Dd
                    | Details
                    | Dialog
                    | Dir
                    | Div
                    | Dl
                    | Dt
                    | Fieldset
                    | Figcaption
                    | Figure
                    | Footer
                    | Form
                    | Frameset
                    | Head
                    | Header
                    | Hgroup
                    | Hr
                    | Html
                    | Legend
                    | Li
                    | Listing
                    | Main
                    | Menu
                    | Nav
                    | Ol
                    | P
                    | Plaintext
                    | Pre
                    | Search
                    | Section
                    | Summary
                    | Table
                    | Tbody
                    | Td
                    | Tfoot
                    | Th
                    | Thead
                    | Tr
                    | Ul
                    | Xmp
            )
    }

    /// Returns true for elements that stay in `head` before any content of `body`.
    pub(crate) fn belongs_in_head(self) -> bool {
        use Tag::*;
        matches!(
            self,
            Base | Basefont | Bgsound | Head | Html | Link | Meta | Noframes | Script | Style | Template | Title
        )
    }
}
