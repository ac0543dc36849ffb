//! Reads style sheets and scripts: the files that they name, and the bytes that a minifier would leave out. Reads whether
//! manifests are well-formed.

use super::ResponseReader;
use super::text_request::{STYLE_SHEET, declared, is_code, is_manifest_file};
use crate::discover::LinkCollector;
use mapwright_fetch::Fetch;
use mapwright_frontier::Settlement;
use mapwright_model::{CodeContent, Content, Via, Visit};
use mapwright_web::manifest::is_manifest;
use mapwright_web::{charset, css, spare_bytes};

impl<C: Fetch> ResponseReader<'_, C> {
    /// Reads the response to a check of a resource. The text of a style sheet or script was requested by GET, after
    /// HEAD.
    pub(super) fn resource(&self, collector: &mut LinkCollector<'_>, visit: &mut Visit) -> Settlement {
        let settlement = self.target(collector, visit);
        if self.reply.status != 200 || !self.reply.body_state.is_complete() || self.reply.body.is_empty() {
            return settlement;
        }
        let bytes = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        let declared = declared(&visit.response);
        if is_manifest_file(declared, &self.task.url) {
            let is_malformed = !is_manifest(&self.reply.body);
            visit.content = Content::Code(CodeContent { bytes: bytes(self.reply.body.len()), is_malformed });
            return settlement;
        }
        let Some(media_type) = declared.filter(|declared| is_code(declared)) else {
            return settlement;
        };
        let text = charset::decode(&self.reply.body, self.reply.headers.content_type()).text;
        if media_type == STYLE_SHEET {
            let identity = &self.context.reading.identity;
            css::urls(&text, &self.task.url, identity).iter().for_each(|url| drop(collector.find(url, Via::Resource)));
        }
        let left = self.reply.body.len().saturating_sub(spare_bytes(&text));
        visit.content = Content::Code(CodeContent { bytes: bytes(left), is_malformed: false });
        settlement
    }
}
