// The content of the sites: made from the number of each page, so that every run has the same.
import { crc32, deflateSync } from "node:zlib";

const WORDS = ("river stone garden market history music winter copper island harbour bridge village paper glass summer " +
    "engine forest painter window silver museum mountain station railway painting theatre library castle valley").split(" ");

// A generator of numbers below 2^32 (Numerical Recipes' constants).
function numbers(seed) {
    let state = (seed * 2654435761 + 12345) >>> 0;
    return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
}

export function titleOf(page) {
    const next = numbers(page + 7);
    const word = () => WORDS[next() % WORDS.length];
    return `${word()} ${word()} ${page}`;
}

export const pathOf = (page) => (page === 0 ? "/" : `/page/${page}`);

// The pages that a page links to, without those of its navigation: a tree with eight branches at each, and ten others.
export function relatedTo(page, pages) {
    const next = numbers(page + 99);
    const related = new Set();
    for (let branch = 1; branch <= 8; branch++) related.add(page * 8 + branch);
    for (let other = 0; other < 10; other++) related.add(next() % pages);
    return [...related].filter((other) => other < pages && other !== page);
}

// What the JSON of a page holds: about 13 KB.
export function contentOf(page, pages) {
    const next = numbers(page);
    const paragraphs = Array.from({ length: 18 }, () =>
        Array.from({ length: 90 }, () => WORDS[next() % WORDS.length]).join(" ") + ".");
    const related = relatedTo(page, pages).map((other) => ({ path: pathOf(other), title: titleOf(other) }));
    return { title: titleOf(page), pictures: ["/picture/1.png", "/picture/2.png"], paragraphs, related };
}

function chunk(kind, data) {
    const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc32(body), body.length + 4);
    return framed;
}

// A picture as PNG: 320 x 240 points of noise in 16 shades of grey.
export function picture(seed) {
    const [width, height] = [320, 240];
    const next = numbers(seed);
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 0, 0, 0, 0], 8);
    const rows = Buffer.alloc((width + 1) * height);
    for (let place = 0; place < rows.length; place++) rows[place] = place % (width + 1) ? (next() >>> 28) << 4 : 0;
    const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
    return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}
