//! The templates of a crawl: rendering a few pages of each teaches if its scripts matter.

use mapwright_model::{RenderReason, Template, TemplateClass, TemplateId};
use std::collections::HashMap;

/// The pages of a template that are rendered to learn what its scripts do.
const PROBES: u8 = 3;
/// Most pages that are rendered for that, those that fail or are cut included: they teach nothing.
const MAX_ATTEMPTS: u8 = 6;
/// Templates of an origin from which on one page of a new template is enough.
const MANY_TEMPLATES: u32 = 200;
/// Templates in a row whose scripts make no difference, from which on one page of a new one is enough: some builds name
/// scripts after pages.
const MANY_STATIC: u32 = 20;
/// Most templates of an origin that are distinguished; the pages of further ones count as one template.
pub(super) const MAX_TEMPLATES: u32 = 1_000;

/// The templates of a crawl.
#[derive(Debug, Default)]
pub(super) struct Templates {
    templates: HashMap<TemplateId, LearntTemplate>,
    origins: HashMap<String, OriginTemplates>,
    /// Templates that turned out to be scripted after pages of them were read without scripts.
    turned: Vec<TemplateId>,
}

#[derive(Debug)]
struct LearntTemplate {
    template: Template,
    /// The number of unchanged pages that is enough.
    wanted: u8,
    attempts: u8,
    /// Pages that are being rendered to learn.
    running: u8,
    /// Pages of it were not rendered.
    skipped: bool,
}

#[derive(Debug, Default)]
struct OriginTemplates {
    count: u32,
    /// Templates without a difference since the last with one.
    static_in_row: u32,
}

/// The next step for a page of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Its choice is made.
    Take(RenderReason),
    /// Pages are being rendered whose result decides.
    Wait,
}

/// The lesson of a rendered page about its template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lesson {
    /// It failed or was cut, which teaches nothing.
    Nothing,
    /// Scripts made no difference.
    Same,
    /// Scripts made this difference.
    Difference(String),
}

impl Templates {
    /// Returns the templates of earlier runs.
    pub(super) fn known(templates: Vec<Template>) -> Self {
        let mut known = Self::default();
        for template in templates {
            known.origins.entry(template.origin.clone()).or_default().count += 1;
            let learnt = LearntTemplate { template, wanted: PROBES, attempts: 0, running: 0, skipped: false };
            known.templates.insert(learnt.template.id, learnt);
        }
        known
    }

    /// Reports whether a template is known, or there is room for one more of its origin.
    pub(super) fn has_room(&self, id: TemplateId, origin: &str) -> bool {
        self.templates.contains_key(&id) || self.origins.get(origin).is_none_or(|known| known.count < MAX_TEMPLATES)
    }

    /// Returns the next step for a page. `is_sampled`: it is one of the few that are checked.
    pub(super) fn step(&mut self, id: TemplateId, origin: &str, is_sampled: bool) -> Step {
        let learnt = self.templates.entry(id).or_insert_with(|| new_template(id, origin, &mut self.origins));
        let step = match learnt.template.class {
            TemplateClass::Scripted => Step::Take(RenderReason::Scripted),
            TemplateClass::Static if is_sampled => Step::Take(RenderReason::Check),
            TemplateClass::Static => Step::Take(RenderReason::Static),
            TemplateClass::Unknown if learnt.wants_probe() => {
                learnt.running += 1;
                learnt.attempts += 1;
                Step::Take(RenderReason::Probe)
            }
            TemplateClass::Unknown if learnt.running > 0 => Step::Wait,
            // Its pages fail again and again.
            TemplateClass::Unknown => Step::Take(RenderReason::Static),
        };
        learnt.skipped |= step == Step::Take(RenderReason::Static);
        step
    }

    /// Takes the result of a page, and returns what is known of its template if that changed.
    pub(super) fn learn(&mut self, id: TemplateId, reason: RenderReason, lesson: Lesson) -> Option<Template> {
        let learnt = self.templates.get_mut(&id)?;
        if reason == RenderReason::Probe {
            learnt.running = learnt.running.saturating_sub(1);
        }
        let origin = self.origins.entry(learnt.template.origin.clone()).or_default();
        match lesson {
            Lesson::Nothing => return None,
            Lesson::Same if learnt.template.class != TemplateClass::Unknown => return None,
            Lesson::Same => {
                origin.static_in_row += u32::from(learnt.template.unchanged == 0);
                learnt.template.unchanged += 1;
                if learnt.template.unchanged >= learnt.wanted {
                    learnt.template.class = TemplateClass::Static;
                }
            }
            Lesson::Difference(_) if learnt.template.class == TemplateClass::Scripted => return None,
            Lesson::Difference(evidence) => {
                origin.static_in_row = 0;
                learnt.template.class = TemplateClass::Scripted;
                learnt.template.evidence = Some(evidence);
                if learnt.skipped || learnt.template.unchanged > 0 {
                    self.turned.push(id);
                }
            }
        }
        Some(learnt.template.clone())
    }

    /// Takes the templates that turned out to be scripted after pages of them were read without scripts.
    pub(super) fn take_turned(&mut self) -> Vec<TemplateId> {
        std::mem::take(&mut self.turned)
    }
}

impl LearntTemplate {
    fn wants_probe(&self) -> bool {
        self.template.unchanged + self.running < self.wanted && self.attempts < MAX_ATTEMPTS
    }
}

fn new_template(id: TemplateId, origin: &str, origins: &mut HashMap<String, OriginTemplates>) -> LearntTemplate {
    let known = origins.entry(origin.to_owned()).or_default();
    known.count += 1;
    let is_one_of_many = known.count > MANY_TEMPLATES || known.static_in_row >= MANY_STATIC;
    let class = TemplateClass::Unknown;
    let template = Template { id, origin: origin.to_owned(), class, unchanged: 0, evidence: None };
    LearntTemplate {
        template,
        wanted: if is_one_of_many { 1 } else { PROBES },
        attempts: 0,
        running: 0,
        skipped: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: &str = "http://a.example";
    const ONE: TemplateId = TemplateId(1);

    fn difference() -> Lesson {
        Lesson::Difference("links".to_owned())
    }

    fn probe(templates: &mut Templates, id: TemplateId, lesson: Lesson) -> Option<Template> {
        assert_eq!(templates.step(id, ORIGIN, false), Step::Take(RenderReason::Probe));
        templates.learn(id, RenderReason::Probe, lesson)
    }

    #[test]
    fn three_pages_without_a_difference_make_a_template_static() {
        let mut templates = Templates::default();
        for _ in 0..3 {
            assert_eq!(templates.step(ONE, ORIGIN, false), Step::Take(RenderReason::Probe));
        }
        assert_eq!(templates.step(ONE, ORIGIN, false), Step::Wait);
        let classes: Vec<_> = (0..3)
            .filter_map(|_| templates.learn(ONE, RenderReason::Probe, Lesson::Same))
            .map(|template| template.class)
            .collect();
        assert_eq!(classes, [TemplateClass::Unknown, TemplateClass::Unknown, TemplateClass::Static]);
        assert_eq!(templates.step(ONE, ORIGIN, false), Step::Take(RenderReason::Static));
        assert_eq!(templates.step(ONE, ORIGIN, true), Step::Take(RenderReason::Check));
    }

    #[test]
    fn one_difference_makes_a_template_scripted_and_pages_before_it_are_visited_again() {
        let mut templates = Templates::default();
        (0..3).for_each(|_| drop(probe(&mut templates, ONE, Lesson::Same)));
        assert_eq!(templates.step(ONE, ORIGIN, false), Step::Take(RenderReason::Static));
        assert_eq!(templates.step(ONE, ORIGIN, true), Step::Take(RenderReason::Check));
        let learnt = templates.learn(ONE, RenderReason::Check, difference()).unwrap();
        assert_eq!((learnt.class, learnt.evidence.as_deref()), (TemplateClass::Scripted, Some("links")));
        assert_eq!(templates.take_turned(), [ONE]);
        assert_eq!(templates.step(ONE, ORIGIN, false), Step::Take(RenderReason::Scripted));
        assert_eq!(templates.learn(ONE, RenderReason::Scripted, Lesson::Same), None);
        assert!(templates.take_turned().is_empty());
    }

    #[test]
    fn a_first_page_with_a_difference_has_none_before_it() {
        let mut templates = Templates::default();
        probe(&mut templates, ONE, difference());
        assert!(templates.take_turned().is_empty());
    }

    #[test]
    fn failed_and_cut_pages_teach_nothing_and_are_not_tried_for_ever() {
        let mut templates = Templates::default();
        (0..6).for_each(|_| assert_eq!(probe(&mut templates, ONE, Lesson::Nothing), None));
        assert_eq!(templates.step(ONE, ORIGIN, true), Step::Take(RenderReason::Static));
    }

    #[test]
    fn after_many_static_templates_one_page_of_a_new_one_is_enough() {
        let mut templates = Templates::default();
        (1..=20).for_each(|id| drop(probe(&mut templates, TemplateId(id), Lesson::Same)));
        let learnt = probe(&mut templates, TemplateId(21), Lesson::Same).unwrap();
        assert_eq!(learnt.class, TemplateClass::Static);
        probe(&mut templates, TemplateId(22), difference());
        assert_eq!(probe(&mut templates, TemplateId(23), Lesson::Same).unwrap().class, TemplateClass::Unknown);
    }

    #[test]
    fn the_number_of_templates_is_bounded() {
        let mut templates = Templates::default();
        (1..=1_000).for_each(|id| _ = templates.step(TemplateId(id), ORIGIN, false));
        assert!(templates.has_room(TemplateId(1_000), ORIGIN) && !templates.has_room(TemplateId(1_001), ORIGIN));
        assert!(templates.has_room(TemplateId(1_001), "http://b.example"));
    }

    #[test]
    fn templates_of_earlier_runs_are_known() {
        let class = TemplateClass::Static;
        let template = Template { id: ONE, origin: ORIGIN.to_owned(), class, unchanged: 3, evidence: None };
        let mut templates = Templates::known(vec![template]);
        assert_eq!(templates.step(ONE, ORIGIN, false), Step::Take(RenderReason::Static));
    }
}
