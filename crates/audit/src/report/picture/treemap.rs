//! The site's folders as a tree map, coloured by their health.

use super::Frame;
use super::squarify::{Area, squarify};
use crate::figures::Folder;
use crate::report::markup::escaped;
use crate::report::number::{grouped, share};
use crate::report::visible::shortened;

/// The plane that is divided, about as wide as the picture is on a desk.
const PLANE: Area = Area { x: 0.0, y: 0.0, width: 300.0, height: 100.0 };
/// How deep folders are divided.
const DEEPEST: usize = 3;
/// How many parts a folder is divided into; smaller folders count as its own.
const PARTS: usize = 24;
/// What is smaller, as a share of the plane, is not divided further.
const SMALLEST: f64 = 0.03;
/// What is smaller, as a share of the plane, is no tile of its own.
const SLIGHTEST: f64 = 0.001;
/// How high the map is, with few tiles, and where one fills it: that one tells no more when it is large.
const HEIGHT: usize = 380;
const HEIGHT_OF_FEW: usize = 190;
const HEIGHT_OF_ONE: usize = 60;
/// How many tiles are few.
const FEW: usize = 4;
/// What is larger, as a share of the plane, fills it.
const FILLS: f64 = 0.95;
/// How long a label may be.
const LONGEST: usize = 60;
/// How many folders are told to readers who do not see the picture.
const TOLD: usize = 8;

/// A folder, or what of it lies in no folder that is drawn.
struct Tile {
    path: String,
    urls: u64,
    errors: u64,
    warnings: u64,
    area: Area,
}

/// The map; none where no folder is known.
pub(super) fn figure(hosts: &[Folder]) -> String {
    let site = Folder {
        path: String::new(),
        urls: hosts.iter().map(|host| host.urls).sum(),
        errors: hosts.iter().map(|host| host.errors).sum(),
        warnings: hosts.iter().map(|host| host.warnings).sum(),
        folders: hosts.to_vec(),
    };
    let mut tiles = Vec::new();
    divide(&site, PLANE, 0, &mut tiles);
    if site.urls == 0 {
        return String::new();
    }
    let alone = if let [host] = hosts { host.path.trim_end_matches('/') } else { "" };
    let shapes: String = tiles.iter().map(|tile| shape(tile, alone)).collect();
    tiles.sort_by_key(|tile| std::cmp::Reverse(tile.errors));
    let told: Vec<String> = tiles.iter().take(TOLD).map(described).collect();
    let description = format!("Folders with the most URLs that have errors: {}.", told.join("; "));
    let frame = Frame {
        id: "map",
        title: "Folders",
        told: "by URLs in them, coloured by health",
        height: height(&tiles),
        description,
    };
    frame.around("wide", &shapes, LEGEND)
}

fn height(tiles: &[Tile]) -> usize {
    if tiles.iter().any(|tile| tile.area.size() > FILLS * PLANE.size()) {
        return HEIGHT_OF_ONE;
    }
    if tiles.len() <= FEW { HEIGHT_OF_FEW } else { HEIGHT }
}

/// Divides a folder into its folders, as long as there is room for them.
fn divide(folder: &Folder, area: Area, depth: usize, tiles: &mut Vec<Tile>) {
    let room = area.size() / PLANE.size();
    let wide_enough = |part: &&Folder| share(part.urls, folder.urls) * room >= SLIGHTEST;
    let divided = depth <= DEEPEST && (depth == 0 || room >= SMALLEST);
    let mut parts: Vec<&Folder> = folder.folders.iter().filter(|_| divided).filter(wide_enough).take(PARTS).collect();
    let own = own(folder, &parts);
    parts.extend((own.urls > 0).then_some(&own));
    parts.sort_by_key(|part| std::cmp::Reverse(part.urls));
    let weights: Vec<f64> = parts.iter().map(|part| share(part.urls, folder.urls.max(1))).collect();
    for (part, area) in parts.into_iter().zip(squarify(&weights, area)) {
        if part.path == own.path {
            let Folder { path, urls, errors, warnings, .. } = part.clone();
            tiles.push(Tile { path, urls, errors, warnings, area });
        } else {
            divide(part, area, depth + 1, tiles);
        }
    }
}

/// What of a folder lies in none of these parts.
fn own(folder: &Folder, parts: &[&Folder]) -> Folder {
    let rest = |whole: u64, of: fn(&Folder) -> u64| whole.saturating_sub(parts.iter().map(|part| of(part)).sum());
    Folder {
        path: folder.path.clone(),
        urls: rest(folder.urls, |part| part.urls),
        errors: rest(folder.errors, |part| part.errors),
        warnings: rest(folder.warnings, |part| part.warnings),
        folders: Vec::new(),
    }
}

/// How ill a folder is, of 0 to 4.
fn health(tile: &Tile) -> u8 {
    match (tile.errors, share(tile.errors, tile.urls)) {
        (0, _) => u8::from(tile.warnings > 0),
        (_, ..0.05) => 2,
        (_, ..0.2) => 3,
        _ => 4,
    }
}

fn described(tile: &Tile) -> String {
    let (urls, errors, warnings) = (grouped(tile.urls), grouped(tile.errors), grouped(tile.warnings));
    format!("{}: {urls} URLs, {errors} with errors, {warnings} with warnings", shortened(&tile.path, LONGEST))
}

/// A tile; `alone` is the host that needs no naming.
fn shape(tile: &Tile, alone: &str) -> String {
    let [x, width] = [tile.area.x, tile.area.width].map(|length| length / PLANE.width * 100.0);
    let [y, height] = [tile.area.y, tile.area.height].map(|length| length / PLANE.height * 100.0);
    let label = if width > 4.0 && height > 6.0 { label(tile, alone, (width, height)) } else { String::new() };
    format!(
        "<g class=\"tile-box\" data-folder=\"{}\"><title>{}</title>\
         <svg x=\"{x:.3}%\" y=\"{y:.3}%\" width=\"{width:.3}%\" height=\"{height:.3}%\">\
         <rect class=\"tile health-{}\" width=\"100%\" height=\"100%\"/>{label}</svg></g>\n",
        escaped(&tile.path),
        escaped(&described(tile)),
        health(tile),
    )
}

fn label(tile: &Tile, alone: &str, (width, height): (f64, f64)) -> String {
    let path = tile.path.strip_prefix(alone).unwrap_or(&tile.path);
    let path = path.strip_prefix("https://").unwrap_or(path);
    // Small screens have no room for the labels of narrow tiles.
    let class = if width < 15.0 { " class=\"narrow\"" } else { "" };
    let name = format!("<text{class} x=\"7\" y=\"18\">{}</text>", escaped(&shortened(path, LONGEST)));
    let count = format!("<text{class} x=\"7\" y=\"34\">{}</text>", grouped(tile.urls));
    if height > 12.0 { name + &count } else { name }
}

const LEGEND: &str = "<ul class=\"legend\"><li><svg aria-hidden=\"true\"><rect class=\"health-0\" width=\"12\" height=\"12\"/></svg>no errors, no warnings</li>\
<li><svg aria-hidden=\"true\"><rect class=\"health-1\" width=\"12\" height=\"12\"/></svg>warnings</li>\
<li><svg aria-hidden=\"true\"><rect class=\"health-2\" width=\"12\" height=\"12\"/></svg>under 5 % of the URLs have errors</li>\
<li><svg aria-hidden=\"true\"><rect class=\"health-3\" width=\"12\" height=\"12\"/></svg>under 20 %</li>\
<li><svg aria-hidden=\"true\"><rect class=\"health-4\" width=\"12\" height=\"12\"/></svg>20 % and more</li></ul>\n";
