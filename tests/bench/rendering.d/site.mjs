// Serves the sites that are crawled, on a free port of loopback, and counts what is requested.
//
//   node site.mjs KIND PAGES LATENCY_MS APP
//
// KIND: `app`, the application, whose every page is an empty document; `plain`, the same content made by the server, with
// a script that changes nothing; `mixed`, of 1,000 pages 900 plain ones, 60 lists whose links a script makes, and 40 of
// the application. APP is the folder of the built application. The first line that is printed is the address; at
// /counts are the requests since the last look, by path, and at /links the links that each page of `app` has.
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { contentOf, pathOf, picture, relatedTo, titleOf } from "./content.mjs";

const [kind, pages, latency, app] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4]), process.argv[5]];

// Of a mixed site: pages below the first bound are plain, then come lists, then pages of the application.
const [lists, apps] = kind === "mixed" ? [Math.round(pages * 0.9), Math.round(pages * 0.96)] : [pages, pages];

const LIST = `fetch("/api" + location.pathname).then((answer) => answer.json()).then((links) => {
    document.getElementById("list").innerHTML =
        links.map(({ path, title }) => '<li><a href="' + path + '">' + title + "</a></li>").join("");
});`;

const KINDS = { css: "text/css", html: "text/html; charset=utf-8", js: "text/javascript", png: "image/png", woff2: "font/woff2" };
const assets = new Map([
    ["/picture/1.png", picture(1)], ["/picture/2.png", picture(2)], ["/assets/list.js", Buffer.from(LIST)],
    ["/assets/bootstrap.js", readFileSync(join(app, "../../node_modules/bootstrap/dist/js/bootstrap.bundle.min.js"))],
]);
for (const name of readdirSync(join(app, "assets"))) assets.set(`/assets/${name}`, readFileSync(join(app, "assets", name)));
const shell = readFileSync(join(app, "index.html"));

// The addresses of the pages of a mixed site differ by kind; those of the others do not.
function addressOf(page) {
    return page >= apps ? `/app/${page}` : page >= lists ? `/list/${page}` : pathOf(page);
}

function document(page, text, links, scripts) {
    const linked = links.map((other) => `<div class="col"><div class="card"><div class="card-body"><a href="${addressOf(other)}">` +
        `${titleOf(other)}</a></div></div></div>`).join("\n");
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${titleOf(page)}</title>` +
        `<link rel="stylesheet" href="/assets/index.css">` +
        scripts.map((script) => `<script defer src="/assets/${script}"></script>`).join("") + `</head><body>` +
        `<nav class="navbar navbar-expand bg-body-tertiary"><div class="container"><a class="navbar-brand" href="/">` +
        `Encyclopedia</a><a class="nav-link" href="${addressOf(1)}">First page</a></div></nav><main class="container">` +
        `<article><h1>${titleOf(page)}</h1>${text}<div class="row row-cols-4">${linked}</div></article></main></body></html>`;
}

function plainPage(page) {
    const { pictures, paragraphs } = contentOf(page, pages);
    const text = pictures.map((source) => `<img src="${source}" alt="">`).concat(paragraphs.map((p) => `<p>${p}</p>`)).join("\n");
    return document(page, text, linksOf(page), ["bootstrap.js"]);
}

// Of a mixed site, the home page leads to all lists and the application; everything else only lists lead to.
function linksOf(page) {
    if (kind !== "mixed") return relatedTo(page, pages);
    return page === 0 ? Array.from({ length: pages - lists }, (_, place) => lists + place) : [];
}

function listPage(page) {
    const text = `<p>${contentOf(page, pages).paragraphs.slice(0, 3).join("</p><p>")}</p><ul id="list"></ul>`;
    return document(page, text, [], ["bootstrap.js", "list.js"]);
}

// The plain pages that a list leads to: all lists together lead to all.
function listed(page) {
    const share = lists / (apps - lists);
    const [from, to] = [Math.round((page - lists) * share), Math.round((page - lists + 1) * share)];
    return Array.from({ length: to - from }, (_, place) => ({ path: pathOf(from + place), title: titleOf(from + place) }));
}

// Returns the kind and the body of an answer, or nothing.
function answerOf(path) {
    if (assets.has(path)) return [path.slice(path.lastIndexOf(".") + 1), assets.get(path)];
    const parts = path.split("/");
    const isCall = parts[1] === "api";
    const page = path === "/" ? 0 : Number(parts.at(-1));
    const is = (name) => parts.at(-2) === name && Number.isInteger(page) && page < pages;
    if (isCall && is("list") && page >= lists && page < apps) return ["json", JSON.stringify(listed(page))];
    if (isCall && (is("page") || is("app"))) return ["json", JSON.stringify(contentOf(page, kind === "mixed" ? 1 : pages))];
    if (isCall) return undefined;
    if (is("list") && page >= lists && page < apps) return ["html", listPage(page)];
    if (is("app") && page >= apps) return ["html", shell];
    if (path === "/" || is("page")) return ["html", kind === "app" ? shell : plainPage(page)];
    return undefined;
}

function linksOfAll() {
    const all = Array.from({ length: pages }, (_, page) => [page, [0, 1, ...relatedTo(page, pages)]]);
    return Object.fromEntries(all.map(([page, links]) =>
        [pathOf(page), [...new Set(links)].filter((other) => other !== page && other < pages).map(pathOf)]));
}

let counts = {};
const answers = new Map();

const server = createServer((request, response) => {
    if (request.url === "/counts") {
        response.end(JSON.stringify(counts));
        counts = {};
        return undefined;
    }
    if (request.url === "/links") return response.end(JSON.stringify(linksOfAll()));
    counts[request.url] = (counts[request.url] ?? 0) + 1;
    if (!answers.has(request.url)) answers.set(request.url, answerOf(request.url));
    const send = () => {
        const answer = answers.get(request.url);
        if (!answer) return response.writeHead(404, { "content-type": "text/plain" }).end("not found");
        const [suffix, body] = answer;
        const headers = { "content-type": KINDS[suffix] ?? "application/json", "content-length": Buffer.byteLength(body) };
        if (assets.has(request.url)) headers["cache-control"] = "public, max-age=31536000, immutable";
        response.writeHead(200, headers).end(body);
    };
    if (latency > 0) setTimeout(send, latency);
    else send();
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
