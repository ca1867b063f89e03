//! Which beans hold one another.

use super::super::schema::{Kind, Schema, Target};

/// For each bean the number of its group: beans that hold one another with no container in between
/// are in one group, all others alone. A bean that holds itself by a dynamic is in its own group.
///
/// This is Tarjan's way to strongly connected components, with a stack of its own.
pub(super) fn of(schema: &Schema) -> Vec<usize> {
    let count = schema.beans.len();
    let held: Vec<Vec<usize>> = (0..count).map(|at| held(schema, at)).collect();
    let mut search = Search {
        held,
        order: vec![0; count],
        low: vec![0; count],
        groups: vec![0; count],
        ..Search::default()
    };
    (0..count).for_each(|start| search.run(start));
    search.groups
}

/// The beans directly in a bean.
fn held(schema: &Schema, at: usize) -> Vec<usize> {
    let Some(bean) = schema.beans.get(at) else { return Vec::new() };
    let mut held: Vec<usize> = bean.base.into_iter().collect();
    for own in &bean.variables {
        let targets: Vec<&Target> = match &own.kind {
            Kind::Bean(target) => vec![target],
            Kind::Dynamic => own.choices.iter().map(|choice| &choice.bean).collect(),
            _ => continue,
        };
        held.extend(targets.into_iter().filter_map(|target| match target {
            Target::Here(at) => Some(*at),
            Target::External { .. } => None,
        }));
    }
    held
}

#[derive(Default)]
struct Search {
    held: Vec<Vec<usize>>,
    /// When a bean was met, from 1; 0 is not yet.
    order: Vec<usize>,
    /// The earliest bean of the same group that is known.
    low: Vec<usize>,
    /// The group of a bean, from 1; 0 is none yet.
    groups: Vec<usize>,
    /// Beans that were met and are in no group.
    pending: Vec<usize>,
    met: usize,
    made: usize,
}

impl Search {
    fn run(&mut self, start: usize) {
        // A bean, and how many of those in it were looked at.
        let mut way = vec![(start, 0)];
        while let Some((at, next)) = way.pop() {
            if next == 0 {
                if self.order[at] != 0 {
                    continue;
                }
                self.met += 1;
                (self.order[at], self.low[at]) = (self.met, self.met);
                self.pending.push(at);
            } else if let Some(inner) = self.held[at].get(next - 1)
                && self.groups[*inner] == 0
            {
                self.low[at] = self.low[at].min(self.low[*inner]);
            }
            if let Some(inner) = self.held[at].get(next) {
                way.extend([(at, next + 1), (*inner, 0)]);
            } else if self.low[at] == self.order[at] {
                self.made += 1;
                while let Some(last) = self.pending.pop() {
                    self.groups[last] = self.made;
                    if last == at {
                        break;
                    }
                }
            }
        }
    }
}
