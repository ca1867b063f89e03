//! Which beans hold one another.

use super::super::schema::{Kind, Schema, Target};

/// For each bean the number of its group: beans that hold one another with no container in between
/// are in one group, all others alone.
///
/// This is Tarjan's way to strongly connected components, with an explicit stack.
pub(super) fn of(schema: &Schema) -> Vec<usize> {
    let nodes =
        (0..schema.beans.len()).map(|at| Node { held: held(schema, at), ..Node::default() });
    let mut search = Search { nodes: nodes.collect(), ..Search::default() };
    (0..schema.beans.len()).for_each(|start| search.run(start));
    search.nodes.into_iter().map(|node| node.group).collect()
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

/// A bean.
#[derive(Default)]
struct Node {
    held: Vec<usize>,
    /// The number of those that were looked at.
    next: usize,
    /// When it was met, from 1; 0 is not yet.
    order: usize,
    /// The earliest bean of the same group that is known.
    low: usize,
    /// From 1; 0 is none yet.
    group: usize,
}

#[derive(Default)]
struct Search {
    nodes: Vec<Node>,
    /// Beans that were met and are in no group.
    pending: Vec<usize>,
    met: usize,
    groups: usize,
}

impl Search {
    fn run(&mut self, start: usize) {
        let mut way = vec![start];
        while let Some(at) = way.last().copied() {
            let Some(node) = self.nodes.get_mut(at) else { return };
            if node.order == 0 {
                self.met += 1;
                (node.order, node.low) = (self.met, self.met);
                self.pending.push(at);
            }
            let inner = node.held.get(node.next).copied();
            node.next += 1;
            if let Some(inner) = inner {
                if self.nodes.get(inner).is_some_and(|inner| inner.order == 0) {
                    way.push(inner);
                } else {
                    self.join(at, inner);
                }
                continue;
            }
            way.pop();
            if node.low == node.order {
                self.close(at);
            }
            if let Some(outer) = way.last() {
                self.join(*outer, at);
            }
        }
    }

    /// Beans inside of a bean that are in no group yet may be in its group.
    fn join(&mut self, at: usize, inner: usize) {
        let low = self.nodes.get(inner).filter(|inner| inner.group == 0).map(|inner| inner.low);
        if let (Some(low), Some(node)) = (low, self.nodes.get_mut(at)) {
            node.low = node.low.min(low);
        }
    }

    /// The beans that were met since this one are its group.
    fn close(&mut self, at: usize) {
        self.groups += 1;
        while let Some(last) = self.pending.pop() {
            if let Some(node) = self.nodes.get_mut(last) {
                node.group = self.groups;
            }
            if last == at {
                return;
            }
        }
    }
}
