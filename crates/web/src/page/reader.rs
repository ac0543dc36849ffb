//! Reads a document in one pass: the required state of tree construction, and the facts of each token.

use super::content::open_heading::OpenHeading;
use super::content::region::Regions;
use super::content::text::{Collapsed, TextPiece};
use super::elements;
use super::facts::{FactLocation, Region};
use super::found::{Found, push};
use super::limits::Limits;
use super::links::anchor::OpenAnchor;
use super::meta;
use super::syntax::attributes::{Attribute, Attributes};
use super::syntax::foreign::{Foreign, Namespace};
use super::syntax::phase::Phase;
use super::syntax::raw_text::{may_hold_elements, raw_text};
use super::syntax::scan::{Scanner, StartTag, Token, is_blank};
use super::syntax::tag::Tag;
use crate::select::{LinkElement, Selected, SelectionResult};
use std::borrow::Cow;

/// The syntax of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// The HTML parser.
    Html,
    /// XML: `<name/>` is a complete element whatever its name, and CDATA sections are text.
    Xml,
}

/// The raw text element whose content is being read.
#[derive(Debug)]
enum Raw<'t> {
    /// The first `title`.
    Title(Collapsed<'t>),
    /// A script of JSON-LD.
    JsonLd,
    /// Any other element: its text is ignored.
    Ignored,
}

/// The state of one pass.
pub(crate) struct Reader<'t, 'l> {
    pub(super) limits: &'l Limits,
    pub(super) found: Found<'t>,
    scanner: Scanner<'t>,
    syntax: Syntax,
    phase: Phase,
    foreign: Foreign<'t>,
    regions: Regions<'t>,
    /// The number of open `template` elements, whose content is inert.
    templates: u32,
    /// The number of open `noscript` elements, whose text visitors do not see.
    pub(super) noscripts: u32,
    /// A `form` element is open.
    form: bool,
    /// The document is what scripts made: `noscript` is text (HTML 4.12.2), and shadow roots are declared by templates.
    scripts_ran: bool,
    raw: Option<Raw<'t>>,
    pub(super) heading: Option<OpenHeading<'t>>,
    pub(super) anchor: Option<OpenAnchor<'t>>,
    selected: Option<Selected>,
}

/// An element that has just begun, and its position.
pub(crate) struct Element<'e, 't> {
    pub(crate) tag: Tag,
    pub(crate) namespace: Namespace,
    pub(crate) attributes: &'e Attributes<'t>,
    pub(crate) place: FactLocation,
    pub(crate) region: Region,
    /// Links are taken from here, by the selection if there is one.
    pub(crate) selected: bool,
}

impl<'t, 'l> Reader<'t, 'l> {
    pub(crate) fn new(text: &'t str, syntax: Syntax, limits: &'l Limits, selected: Option<Selected>) -> Self {
        Reader {
            limits,
            found: Found::new(limits),
            scanner: Scanner::new(text, syntax == Syntax::Xml),
            syntax,
            phase: Phase::default(),
            foreign: Foreign::default(),
            regions: Regions::default(),
            templates: 0,
            noscripts: 0,
            form: false,
            scripts_ran: false,
            raw: None,
            heading: None,
            anchor: None,
            selected,
        }
    }

    /// Reads the document as scripts made it.
    pub(crate) fn after_scripts(self, scripts_ran: bool) -> Self {
        Reader { scripts_ran, ..self }
    }

    /// Reads the document to its end.
    pub(crate) fn read(mut self) -> Found<'t> {
        let mut attributes = Attributes::default();
        while let Some(token) = self.token(&mut attributes) {
            match token {
                Token::Text(text) => {
                    self.text(text);
                    continue;
                }
                Token::Start { name, self_closing } => {
                    self.start(&StartTag { name, attributes: &attributes, self_closing });
                }
                Token::End(name) => self.end(name),
            }
            self.scanner.cdata = self.syntax == Syntax::Xml || self.foreign.is_current();
        }
        self.end_raw();
        self.end_heading();
        self.end_anchor();
        self.found.blocks.end(self.regions.around());
        self.found.links_cut |= self.selected.as_ref().is_some_and(|selected| selected.cut);
        self.found.cut |= self.found.blocks.cut;
        self.found
    }

    /// The next token. It calls the scanner at one place only, so that the scanner is inlined into the loop.
    #[inline]
    fn token(&mut self, attributes: &mut Attributes<'t>) -> Option<Token<'t>> {
        loop {
            let token = self.scanner.next(attributes);
            if token.is_some() || !self.leave_confined() {
                return token;
            }
        }
    }

    /// Continues after the content of a `noscript` in `head`, whose elements are all closed. Returns false if there was
    /// none.
    #[cold]
    fn leave_confined(&mut self) -> bool {
        if !self.scanner.release() {
            return false;
        }
        self.end_raw();
        self.end_heading();
        self.end_anchor();
        self.foreign.leave();
        (self.templates, self.noscripts) = (0, 1);
        true
    }

    fn start(&mut self, start: &StartTag<'_, 't>) {
        let tag = Tag::of(start.name);
        let choice = self.choice(tag, start.attributes);
        let namespace = self.foreign.start(start, tag);
        let inert = self.templates > 0;
        if namespace == Namespace::Html {
            self.html_start(start, tag);
        } else if !inert {
            self.phase.start(tag);
        }
        // Most elements only format text.
        if inert || tag == Tag::Template || tag.is_formatting() && !start.attributes.has_name_or_label() {
            return;
        }
        let place = self.phase.place();
        let region = if place == FactLocation::Head { Region::Head } else { self.regions.current() };
        let attributes = start.attributes;
        let selected = match choice {
            SelectionResult::Taken => true,
            // `head` describes the page in general and is outside every selected part; it is left out only if
            // `--no-links-in` excludes it.
            SelectionResult::Outside => place == FactLocation::Head,
            SelectionResult::Refused | SelectionResult::Unchecked => false,
        };
        self.facts(&Element { tag, namespace, attributes, place, region, selected });
    }

    /// Looks up the selection for every tag that can carry a link, inert or not, because the selection counts them all.
    fn choice(&mut self, tag: Tag, attributes: &Attributes<'t>) -> SelectionResult {
        let Some(selected) = &mut self.selected else { return SelectionResult::Taken };
        let carried = match tag {
            Tag::A => Some((LinkElement::A, Attribute::Href)),
            Tag::Area => Some((LinkElement::Area, Attribute::Href)),
            Tag::Frame => Some((LinkElement::Frame, Attribute::Src)),
            Tag::Iframe => Some((LinkElement::Iframe, Attribute::Src)),
            Tag::Link => Some((LinkElement::Link, Attribute::Href)),
            _ => None,
        };
        let Some((carrier, attribute)) = carried else { return SelectionResult::Taken };
        let href = attributes.get(attribute).or_else(|| attributes.get(Attribute::XlinkHref));
        selected.choice(carrier, href.as_deref().unwrap_or_default())
    }

    /// Tree construction for an HTML element's start tag.
    fn html_start(&mut self, start: &StartTag<'_, 't>, tag: Tag) {
        let inert = self.templates > 0;
        let closed = self.syntax == Syntax::Xml && start.self_closing;
        if !inert {
            self.phase.start(tag);
            if tag.is_block() {
                self.found.blocks.end(self.regions.around());
            }
            if !closed && self.phase.place() == FactLocation::Body {
                self.regions.start(start, tag, self.found.blocks.len());
            }
        }
        if closed {
            return;
        }
        match tag {
            Tag::Template if self.scripts_ran && !inert && start.declares_shadow_root() => {}
            Tag::Template => self.templates += 1,
            Tag::Form => self.form |= !inert,
            Tag::Noscript if !inert && !self.scripts_ran => self.noscript(),
            Tag::Head if !inert && self.syntax == Syntax::Xml => self.phase.start_xml_head(),
            _ => {}
        }
        if let Some(kind) =
            raw_text(tag, self.scripts_ran).filter(|_| self.syntax == Syntax::Html || !may_hold_elements(tag))
        {
            self.scanner.raw_text(start.name, kind);
            self.raw = Some(self.raw_of(start, tag));
        }
    }

    /// Begins a `noscript`. In `head` its content is text to browsers that run scripts, so that no effect of it extends
    /// beyond the first end tag.
    fn noscript(&mut self) {
        self.noscripts += 1;
        let in_head = self.syntax == Syntax::Html && self.phase == Phase::HeadNoscript;
        // The search for a missing end tag is done once.
        if in_head && !self.scanner.is_confined() && !(self.noscripts == 1 && self.scanner.confine("noscript")) {
            self.phase.forget_noscript();
        }
    }

    fn raw_of(&mut self, start: &StartTag<'_, 't>, tag: Tag) -> Raw<'t> {
        match tag {
            _ if self.templates > 0 => Raw::Ignored,
            Tag::Title => {
                let titles = &mut self.found.markup.titles;
                *titles = titles.saturating_add(1);
                if *titles == 1 { Raw::Title(Collapsed::new(self.limits.text_bytes)) } else { Raw::Ignored }
            }
            Tag::Script if start.attributes.has_type("application/ld+json") => Raw::JsonLd,
            _ => Raw::Ignored,
        }
    }

    /// Reads the facts of an element.
    fn facts(&mut self, element: &Element<'_, 't>) {
        self.identifiers(element);
        if self.anchor.is_some() && element.tag != Tag::A {
            elements::link_part(self, element);
        }
        if element.tag == Tag::Script {
            self.found.scripts = self.found.scripts.saturating_add(1);
        }
        if element.namespace != Namespace::Html {
            elements::foreign(self, element);
            return;
        }
        match element.tag {
            Tag::Html => self.language(element),
            Tag::Meta => meta::read(self, element),
            Tag::Base => self.base(element),
            Tag::Input | Tag::Select | Tag::Textarea => self.field(element),
            tag => {
                if let Some(level) = tag.heading_level() {
                    self.end_heading();
                    self.heading = Some(OpenHeading::new(level, self.limits.text_bytes));
                }
                elements::html(self, element);
            }
        }
    }

    fn identifiers(&mut self, element: &Element<'_, 't>) {
        if element.attributes.raw(Attribute::Id).is_some() {
            self.identifier(element.attributes.get(Attribute::Id));
        }
        if element.tag == Tag::A && element.attributes.raw(Attribute::Name).is_some() {
            self.identifier(element.attributes.get(Attribute::Name));
        }
    }

    fn identifier(&mut self, id: Option<Cow<'t, str>>) {
        if let Some(id) = id.filter(|id| !id.is_empty() && id.len() <= self.limits.text_bytes) {
            push(&mut self.found.ids, id.into_owned(), self.limits.ids, &mut self.found.cut);
        }
    }

    /// Counts a field of a form.
    fn field(&mut self, element: &Element<'_, 't>) {
        let kind = element.attributes.get(Attribute::Type).unwrap_or_default().to_ascii_lowercase();
        if kind == "password" {
            let passwords = &mut self.found.markup.passwords;
            *passwords = passwords.saturating_add(1);
        }
        if !self.form || !self.is_content() {
            return;
        }
        let fields = &mut self.found.fields;
        match kind.as_str() {
            "password" => fields.passwords = fields.passwords.saturating_add(1),
            "checkbox" | "radio" => fields.choices = fields.choices.saturating_add(1),
            _ if element.tag == Tag::Select => fields.choices = fields.choices.saturating_add(1),
            "" | "text" | "email" | "tel" | "url" | "number" => fields.texts = fields.texts.saturating_add(1),
            _ => {}
        }
    }

    /// Returns true outside navigation, headers, footers and asides.
    fn is_content(&self) -> bool {
        matches!(self.regions.current(), Region::Main | Region::Body)
    }

    fn language(&mut self, element: &Element<'_, 't>) {
        if self.found.language.is_none() {
            let value = element.attributes.get(Attribute::Lang).or_else(|| element.attributes.get(Attribute::XmlLang));
            self.found.language =
                value.map(|value| super::content::text::collapse(value, self.limits.text_bytes).into_owned());
        }
    }

    fn base(&mut self, element: &Element<'_, 't>) {
        if self.found.base.is_none() {
            self.found.base = element
                .attributes
                .get(Attribute::Href)
                .filter(|href| href.len() <= self.limits.url_bytes)
                .map(Cow::into_owned);
        }
    }

    fn end(&mut self, name: &'t str) {
        let tag = Tag::of(name);
        self.end_raw();
        let html = self.foreign.end(name, tag);
        if tag == Tag::A && self.templates == 0 {
            self.end_anchor();
        }
        if !html {
            return;
        }
        if tag == Tag::Template {
            self.templates = self.templates.saturating_sub(1);
        }
        if self.templates > 0 {
            return;
        }
        self.phase.end(tag);
        if tag.is_block() {
            self.found.blocks.end(self.regions.around());
        }
        if tag.heading_level().is_some() {
            self.end_heading();
        }
        self.form &= tag != Tag::Form;
        if tag == Tag::Noscript {
            self.noscripts = self.noscripts.saturating_sub(1);
        }
        if let Some(first) = self.regions.end(name, tag) {
            self.found.blocks.end_aside(first);
        }
    }

    fn text(&mut self, text: &'t str) {
        match &mut self.raw {
            Some(Raw::Title(title)) => TextPiece::decode(text, |piece| title.piece(piece)),
            Some(Raw::JsonLd) => {
                if text.len() <= self.limits.json_ld_bytes {
                    push(&mut self.found.json_ld, text, self.limits.annotations, &mut self.found.cut);
                } else {
                    self.found.cut = true;
                }
            }
            Some(Raw::Ignored) => {}
            None if self.templates == 0 && !self.foreign.is_code() => self.content(text),
            None => {}
        }
    }

    /// Handles text of the page.
    fn content(&mut self, text: &'t str) {
        // Nearly half of all texts are the white space between two tags.
        if !text.is_empty() && text.bytes().all(is_blank) {
            self.blank();
        } else {
            self.phase.text(text);
            TextPiece::decode(text, |piece| self.piece(piece));
        }
    }

    /// Handles white space, as [`Reader::piece`] would.
    #[inline]
    fn blank(&mut self) {
        self.found.blocks.blank();
        if let Some(heading) = &mut self.heading {
            heading.text.blank();
        }
        if let Some(anchor) = &mut self.anchor {
            anchor.text.blank();
            if anchor.leads {
                self.found.blocks.link(0, anchor.is_in_sequence);
            }
        }
    }

    fn piece(&mut self, piece: TextPiece<'_, 't>) {
        let counted = self.found.blocks.text(piece);
        if counted > 0 && self.noscripts == 0 {
            self.found.text_bytes += counted;
            let is_prose = !self.form && self.anchor.is_none() && self.heading.is_none() && self.is_content();
            self.found.prose_bytes += if is_prose { counted } else { 0 };
        }
        if let Some(heading) = &mut self.heading {
            heading.text.piece(piece);
        }
        if let Some(anchor) = &mut self.anchor {
            anchor.text.piece(piece);
            if anchor.leads {
                self.found.blocks.link(counted, anchor.is_in_sequence);
            }
        }
    }

    fn end_raw(&mut self) {
        if let Some(Raw::Title(title)) = self.raw.take() {
            self.found.title = Some(title.into_text().into_owned());
        }
    }

    fn end_heading(&mut self) {
        if let Some(heading) = self.heading.take() {
            push(&mut self.found.headings, heading.into_heading(), self.limits.headings, &mut self.found.cut);
        }
    }

    pub(super) fn end_anchor(&mut self) {
        if let Some(anchor) = self.anchor.take()
            && let Some(link) = anchor.link.and_then(|index| self.found.links.get_mut(index))
        {
            link.anchor = anchor.into_text();
        }
    }
}
