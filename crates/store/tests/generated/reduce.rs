//! The smallest site that still shows a fault, for people to read.

use crate::model::Site;

/// Removes from a site, one by one, the parts without which it still has the fault.
pub(crate) fn reduce(site: &Site, is_faulty: &dyn Fn(&Site) -> bool) -> Site {
    let mut least = site.clone();
    while let Some(less) = smaller(&least).into_iter().find(is_faulty) {
        least = less;
    }
    least
}

/// The sites with one part less.
fn smaller(site: &Site) -> Vec<Site> {
    let mut all = Vec::new();
    let mut less = |change: &dyn Fn(&mut Site)| {
        let mut less = site.clone();
        change(&mut less);
        all.push(less);
    };
    for (at, param) in site.params.iter().enumerate().filter(|(_, param)| !param.on.is_empty()) {
        less(&|site| site.params[at].on.clear());
        (0..param.on.len()).for_each(|on| less(&|site| leave_out(&mut site.params[at].on, on)));
    }
    for (at, route) in site.routes.iter().enumerate() {
        (0..route.entries.len()).for_each(|entry| less(&|site| leave_out(&mut site.routes[at].entries, entry)));
        (1..route.items.len()).for_each(|item| less(&|site| leave_out(&mut site.routes[at].items, item)));
        for (entry, link) in route.entries.iter().enumerate() {
            let query = |site: &mut Site, pair| leave_out(&mut site.routes[at].entries[entry].query, pair);
            (0..link.query.len()).for_each(|pair| less(&|site| query(site, pair)));
        }
    }
    (0..site.style.nav.len()).for_each(|at| less(&|site| leave_out(&mut site.style.nav, at)));
    all
}

fn leave_out<T>(list: &mut Vec<T>, at: usize) {
    list.remove(at);
}
