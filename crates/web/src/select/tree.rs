//! The tree of a document, built in pieces, with a mark on each tag that can carry a link.

use super::link_element::{LinkElement, SelectionResult};
use super::selection::Parts;
use super::selectors::Selectors;
use crate::page::content::block::Block;
use crate::page::content::blocks::{Blocks, Surroundings};
use crate::page::content::text::TextPiece;
use crate::page::syntax::tag::Tag;
use ego_tree::iter::Edge;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag as TagToken, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use html5ever::{Attribute, LocalName, QualName, TokenizerResult, local_name, ns};
use scraper::{ElementRef, Html, HtmlTreeSink};
use std::cell::RefCell;
use std::collections::HashMap;

/// The number of bytes given to the parser between two checks of the budget.
const PIECE: usize = 4_096;

/// The attribute that marks a tag; its value is the tag's number.
const MARK: &str = "mapwright-mark";

type Handle = <HtmlTreeSink as TreeSink>::Handle;

/// A tree, and the tags that can carry a link in the order of the document.
pub(super) struct Tree {
    html: Html,
    pub(super) tags: Vec<(LinkElement, String)>,
}

/// Marks tags between the tokenizer and the tree. A copy of an element in tree construction keeps its mark.
struct Marker {
    builder: TreeBuilder<Handle, HtmlTreeSink>,
    tags: RefCell<Vec<(LinkElement, String)>>,
}

impl Marker {
    fn mark(&self, tag: &mut TagToken) {
        let Some((carrier, attribute)) = carrier(&tag.name) else { return };
        let value = |name: &str| {
            tag.attrs.iter().find(|attribute| *attribute.name.local == *name).map(|found| found.value.to_string())
        };
        let href = value(attribute).or_else(|| value("xlink:href")).unwrap_or_default();
        let mut tags = self.tags.borrow_mut();
        let name = QualName::new(None, ns!(), LocalName::from(MARK));
        tag.attrs.push(Attribute { name, value: StrTendril::from(tags.len().to_string()) });
        tags.push((carrier, href));
    }
}

impl TokenSink for Marker {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let token = match token {
            Token::TagToken(mut tag) if tag.kind == TagKind::StartTag => {
                self.mark(&mut tag);
                Token::TagToken(tag)
            }
            token => token,
        };
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn carrier(name: &LocalName) -> Option<(LinkElement, &'static str)> {
    match *name {
        local_name!("a") => Some((LinkElement::A, "href")),
        local_name!("area") => Some((LinkElement::Area, "href")),
        local_name!("frame") => Some((LinkElement::Frame, "src")),
        local_name!("iframe") => Some((LinkElement::Iframe, "src")),
        local_name!("link") => Some((LinkElement::Link, "href")),
        _ => None,
    }
}

/// The position of an element.
#[derive(Debug, Clone, Copy, Default)]
struct Position {
    /// In a part of `--links-in`.
    inside: bool,
    /// In a part of `--no-links-in`.
    refused: bool,
}

impl Tree {
    /// Builds the tree until the document or the budget ends; returns true if the budget ended.
    pub(super) fn build(text: &str, mut budget: impl FnMut() -> bool) -> (Tree, bool) {
        let sink = HtmlTreeSink::new(Html::new_document());
        let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
        let marker = Marker { builder: TreeBuilder::new(sink, options), tags: RefCell::default() };
        let tokenizer = Tokenizer::new(marker, TokenizerOpts::default());
        let queue = BufferQueue::default();
        let mut rest = text;
        while !rest.is_empty() && budget() {
            let (piece, after) = rest.split_at_checked(rest.floor_char_boundary(PIECE)).unwrap_or((rest, ""));
            queue.push_back(StrTendril::from(piece));
            while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
            rest = after;
        }
        let cut = !rest.is_empty();
        if !cut {
            tokenizer.end();
        }
        let Marker { builder, tags } = tokenizer.sink;
        (Tree { html: builder.sink.finish(), tags: tags.into_inner() }, cut)
    }

    /// Determines the choice for each tag; returns true if the budget sufficed.
    pub(super) fn judge(
        &self,
        parts: &Parts,
        choices: &mut [SelectionResult],
        mut budget: impl FnMut() -> bool,
    ) -> bool {
        let mut positions: HashMap<Handle, Position> = HashMap::new();
        for node in self.html.tree.root().descendants() {
            let above = node.parent().and_then(|parent| positions.get(&parent.id()).copied()).unwrap_or_default();
            let Some(element) = ElementRef::wrap(node) else {
                // A template's content is a separate node.
                if node.has_children() {
                    positions.insert(node.id(), above);
                }
                continue;
            };
            if !budget() {
                return false;
            }
            let position = Position {
                inside: parts.links_in.match_element(&element) || above.inside,
                refused: parts.no_links_in.match_element(&element) || above.refused,
            };
            positions.insert(node.id(), position);
            note(&element, choice(parts, position), choices);
        }
        true
    }
}

impl Tree {
    /// The text blocks inside matching elements, at most the first number of `limits`, and the text that is kept of them,
    /// at most the second; `None` if there are none. Scripts, styles and templates contain no text.
    pub(super) fn blocks(
        &self,
        selectors: &Selectors,
        limits: [usize; 2],
        mut budget: impl FnMut() -> bool,
    ) -> Option<(Vec<Block>, Vec<u8>)> {
        let mut blocks = Blocks::new(limits[0], limits[1]);
        let (mut inside, mut silent, mut matched) = (0_usize, 0_usize, false);
        for edge in self.html.tree.root().traverse() {
            let (Edge::Open(node) | Edge::Close(node)) = edge;
            let opens = matches!(edge, Edge::Open(_));
            if let Some(element) = ElementRef::wrap(node) {
                if opens && !budget() {
                    break;
                }
                let name = Tag::of(element.value().name());
                let step = |count: &mut usize| *count = if opens { *count + 1 } else { count.saturating_sub(1) };
                if selectors.match_element(&element) {
                    matched = true;
                    step(&mut inside);
                    blocks.end(Surroundings::default());
                }
                if matches!(name, Tag::Script | Tag::Style | Tag::Template) {
                    step(&mut silent);
                }
                if name.is_block() {
                    blocks.end(Surroundings::default());
                }
            } else if let (true, 1.., 0, Some(text)) = (opens, inside, silent, node.value().as_text()) {
                blocks.text(TextPiece::Decoded(text));
            }
        }
        blocks.end(Surroundings::default());
        let (blocks, _, kept) = blocks.into_blocks();
        matched.then_some((blocks, kept))
    }
}

fn choice(parts: &Parts, position: Position) -> SelectionResult {
    if position.refused {
        SelectionResult::Refused
    } else if position.inside || parts.links_in.is_empty() {
        SelectionResult::Taken
    } else {
        SelectionResult::Outside
    }
}

/// Records the choice of a marked element; among copies, the most permissive counts.
fn note(element: &ElementRef<'_>, choice: SelectionResult, choices: &mut [SelectionResult]) {
    let mark = element.value().attr(MARK).and_then(|mark| mark.parse::<usize>().ok());
    if let Some(noted) = mark.and_then(|index| choices.get_mut(index)) {
        *noted = choice.max(*noted);
    }
}
