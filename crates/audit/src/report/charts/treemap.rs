//! The site's folders as a tree map, coloured by the share of URLs with findings.

use super::Frame;
use super::squarify::{Area, squarify};
use crate::figures::SiteFolder;
use mapwright_text::counted_in_groups as counted;
use mapwright_text::{escaped, grouped, share, shortened};

/// The plane that is divided, with about the proportions of the chart on a desktop screen.
const PLANE: Area = Area { x: 0.0, y: 0.0, width: 300.0, height: 100.0 };
/// The depth to which folders are divided.
const DEEPEST: usize = 3;
/// The most parts of a folder; smaller folders count as its own.
const PARTS: usize = 24;
/// The share of the plane below which a folder is not divided further.
const SMALLEST: f64 = 0.03;
/// The share of the plane below which a folder has no tile of its own.
const SLIGHTEST: f64 = 0.001;
/// The height of the map, with few tiles, and with one that fills it, which shows no more when it is large.
const HEIGHT: usize = 380;
const HEIGHT_OF_FEW: usize = 190;
const HEIGHT_OF_ONE: usize = 60;
/// The most tiles that count as few.
const FEW: usize = 4;
/// The share of the plane above which a tile fills it.
const FILLS: f64 = 0.95;
/// The most characters of a label.
const MAX_CHARS: usize = 60;
/// The most folders in the description for screen readers.
const MAX_DESCRIBED: usize = 8;

/// A folder, or the part of it outside the drawn folders.
struct Tile {
    path: String,
    urls: u64,
    errors: u64,
    warnings: u64,
    area: Area,
}

/// Returns the map; empty without folders.
pub(super) fn figure(hosts: &[SiteFolder]) -> String {
    let site = SiteFolder {
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
    let main = hosts.iter().max_by_key(|host| host.urls).map_or("", |host| host.path.trim_end_matches('/'));
    let shapes: String = tiles.iter().map(|tile| shape(tile, main)).collect();
    tiles.sort_by_key(|tile| std::cmp::Reverse(tile.errors));
    let descriptions: Vec<String> = tiles.iter().take(MAX_DESCRIBED).map(described).collect();
    let description = format!("Folders with the most URLs that have errors: {}.", descriptions.join("; "));
    let frame = Frame {
        id: "map",
        title: "Folders",
        unit: "by URLs in them, coloured by health",
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

/// Divides a folder into its folders while there is room for them.
fn divide(folder: &SiteFolder, area: Area, depth: usize, tiles: &mut Vec<Tile>) {
    let room = area.size() / PLANE.size();
    let wide_enough = |part: &&SiteFolder| share(part.urls, folder.urls) * room >= SLIGHTEST;
    let divided = depth <= DEEPEST && (depth == 0 || room >= SMALLEST);
    let mut parts: Vec<&SiteFolder> =
        folder.folders.iter().filter(|_| divided).filter(wide_enough).take(PARTS).collect();
    let own = own(folder, &parts);
    parts.extend((own.urls > 0).then_some(&own));
    parts.sort_by_key(|part| std::cmp::Reverse(part.urls));
    let weights: Vec<f64> = parts.iter().map(|part| share(part.urls, folder.urls.max(1))).collect();
    for (part, area) in parts.into_iter().zip(squarify(&weights, area)) {
        if part.path == own.path {
            let SiteFolder { path, urls, errors, warnings, .. } = part.clone();
            tiles.push(Tile { path, urls, errors, warnings, area });
        } else {
            divide(part, area, depth + 1, tiles);
        }
    }
}

/// Returns the part of a folder outside these parts.
fn own(folder: &SiteFolder, parts: &[&SiteFolder]) -> SiteFolder {
    let rest = |total: u64, of: fn(&SiteFolder) -> u64| total.saturating_sub(parts.iter().map(|part| of(part)).sum());
    SiteFolder {
        path: folder.path.clone(),
        urls: rest(folder.urls, |part| part.urls),
        errors: rest(folder.errors, |part| part.errors),
        warnings: rest(folder.warnings, |part| part.warnings),
        folders: Vec::new(),
    }
}

/// Returns the health class of a folder, from 0 (no findings) to 4 (many errors).
fn health(tile: &Tile) -> u8 {
    match (tile.errors, share(tile.errors, tile.urls)) {
        (0, _) => u8::from(tile.warnings > 0),
        (_, ..0.05) => 2,
        (_, ..0.2) => 3,
        _ => 4,
    }
}

fn described(tile: &Tile) -> String {
    let (urls, errors, warnings) = (counted(tile.urls, "URL"), grouped(tile.errors), grouped(tile.warnings));
    format!("{}: {urls}, {errors} with errors, {warnings} with warnings", shortened(&tile.path, MAX_CHARS))
}

/// Renders a tile; `main` is the host that need not be named.
fn shape(tile: &Tile, main: &str) -> String {
    let [x, width] = [tile.area.x, tile.area.width].map(|length| length / PLANE.width * 100.0);
    let [y, height] = [tile.area.y, tile.area.height].map(|length| length / PLANE.height * 100.0);
    let label = if width > 4.0 && height > 6.0 { label(tile, main, (width, height)) } else { String::new() };
    format!(
        "<g class=\"tile-box\" data-folder=\"{}\"><title>{}</title>\
         <svg x=\"{x:.3}%\" y=\"{y:.3}%\" width=\"{width:.3}%\" height=\"{height:.3}%\">\
         <rect class=\"tile health-{}\" width=\"100%\" height=\"100%\"/>{label}</svg></g>\n",
        escaped(&tile.path),
        escaped(&described(tile)),
        health(tile),
    )
}

fn label(tile: &Tile, main: &str, (width, height): (f64, f64)) -> String {
    let path = tile.path.strip_prefix(main).filter(|path| path.starts_with('/')).unwrap_or(&tile.path);
    let path = path.split_once("://").map_or(path, |(_, host_and_path)| host_and_path);
    // Small screens have no room for the labels of narrow tiles.
    let class = if width < 15.0 { " class=\"narrow\"" } else { "" };
    let name = format!("<text{class} x=\"7\" y=\"18\">{}</text>", escaped(&shortened(path, MAX_CHARS)));
    let count = format!("<text{class} x=\"7\" y=\"34\">{}</text>", grouped(tile.urls));
    if height > 12.0 { name + &count } else { name }
}

const LEGEND: &str = "<ul class=\"legend\"><li><svg aria-hidden=\"true\"><rect class=\"health-0\" width=\"12\" height=\"12\"/></svg>no errors, no warnings</li>\
<li><svg aria-hidden=\"true\"><rect class=\"health-1\" width=\"12\" height=\"12\"/></svg>warnings</li>\
<li><svg aria-hidden=\"true\"><rect class=\"health-2\" width=\"12\" height=\"12\"/></svg>under 5 % of the URLs have errors</li>\
<li><svg aria-hidden=\"true\"><rect class=\"health-3\" width=\"12\" height=\"12\"/></svg>under 20 %</li>\
<li><svg aria-hidden=\"true\"><rect class=\"health-4\" width=\"12\" height=\"12\"/></svg>20 % and more</li></ul>\n";
