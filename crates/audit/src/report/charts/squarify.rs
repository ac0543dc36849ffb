//! Squarified tree maps (Bruls, Huizing and van Wijk): rectangles in proportion, none too narrow.

/// A rectangle in a plane of its own units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn size(self) -> f64 {
        self.width * self.height
    }
}

/// Divides an area in proportion to the weights, which are sorted, the largest first.
pub(super) fn squarify(weights: &[f64], within: Area) -> Vec<Area> {
    let sum: f64 = weights.iter().sum();
    if sum <= 0.0 {
        return Vec::new();
    }
    let sizes: Vec<f64> = weights.iter().map(|weight| weight / sum * within.size()).collect();
    let (mut areas, mut left, mut free) = (Vec::new(), sizes.as_slice(), within);
    while !left.is_empty() {
        let (row, rest) = left.split_at(row_length(left, free.width.min(free.height)));
        free = lay(row, free, &mut areas);
        left = rest;
    }
    areas
}

/// Returns how many of the sizes make the best row along a side: one more would make its rectangles narrower.
fn row_length(sizes: &[f64], side: f64) -> usize {
    let mut best = f64::INFINITY;
    let (mut sum, mut length) = (0.0, 0);
    let largest = sizes.first().copied().unwrap_or(0.0);
    for size in sizes {
        sum += size;
        let slender = slenderness(largest, *size, sum, side);
        if slender > best {
            break;
        }
        best = slender;
        length += 1;
    }
    length.max(1)
}

/// Returns the worst aspect ratio in a row, from its largest and its smallest size.
fn slenderness(largest: f64, smallest: f64, sum: f64, side: f64) -> f64 {
    let square = side * side;
    (square * largest / (sum * sum)).max(sum * sum / (square * smallest))
}

/// Lays a row along the shorter side, and returns the area that stays free.
fn lay(row: &[f64], free: Area, areas: &mut Vec<Area>) -> Area {
    let sum: f64 = row.iter().sum();
    let upright = free.width >= free.height;
    let thick = if upright { sum / free.height } else { sum / free.width };
    let mut along = 0.0;
    for size in row {
        let long = size / thick;
        areas.push(if upright {
            Area { x: free.x, y: free.y + along, width: thick, height: long }
        } else {
            Area { x: free.x + along, y: free.y, width: long, height: thick }
        });
        along += long;
    }
    if upright {
        Area { x: free.x + thick, width: (free.width - thick).max(0.0), ..free }
    } else {
        Area { y: free.y + thick, height: (free.height - thick).max(0.0), ..free }
    }
}

#[cfg(test)]
mod tests {
    use super::{Area, squarify};

    const PLANE: Area = Area { x: 0.0, y: 0.0, width: 6.0, height: 4.0 };

    #[test]
    fn the_example_of_the_paper() {
        let areas = squarify(&[6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0], PLANE);
        assert_eq!(areas.first(), Some(&Area { x: 0.0, y: 0.0, width: 3.0, height: 2.0 }));
        assert_eq!(areas.get(1), Some(&Area { x: 0.0, y: 2.0, width: 3.0, height: 2.0 }));
        let third = areas.get(2).unwrap();
        assert!((third.width - 12.0 / 7.0).abs() < 1e-9 && (third.height - 7.0 / 3.0).abs() < 1e-9, "{third:?}");
    }

    #[test]
    fn the_complete_area_is_used_in_proportion() {
        let weights = [500.0, 90.0, 80.0, 5.0, 5.0, 5.0, 1.0, 1.0];
        let areas = squarify(&weights, PLANE);
        assert_eq!(areas.len(), weights.len());
        let sum: f64 = weights.iter().sum();
        for (area, weight) in areas.iter().zip(weights) {
            assert!((area.size() - weight / sum * PLANE.size()).abs() < 1e-9);
            assert!(area.x + area.width <= 6.0 + 1e-9 && area.y + area.height <= 4.0 + 1e-9);
        }
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(squarify(&[], PLANE), Vec::new());
        assert_eq!(squarify(&[0.0], PLANE), Vec::new());
    }
}
