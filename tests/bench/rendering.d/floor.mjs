// The least that rendering can cost: loads pages in tabs of a browser, and reads them. Nothing is intercepted.
//
//   node floor.mjs BROWSER TABS kept|new URLS
//
// `kept` has each tab load one page after another, `new` opens a tab for each page. A page is ready when its network is
// quiet. URLS is a file of addresses. Prints JSON: for each address, the addresses of its own site that it links to.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [browser, tabs, mode, file] = [process.argv[2], Number(process.argv[3]), process.argv[4], process.argv[5]];
const urls = readFileSync(file, "utf8").split("\n").filter(Boolean);
const profile = mkdtempSync(join(tmpdir(), "floor-"));
const child = spawn(browser, [
    "--headless", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-dev-shm-usage", "--disable-extensions", "--disable-gpu", "--disable-sync",
    "--mute-audio", `--user-data-dir=${profile}`, "about:blank",
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });

// The protocol: JSON messages on a pipe, each ended by a zero byte.
const waiting = new Map();
const listeners = new Map();
let last = 0;
let rest = [];
child.stdio[4].on("data", (data) => {
    for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0)) {
        take(JSON.parse(Buffer.concat([...rest, data.subarray(0, end)])));
        [rest, data] = [[], data.subarray(end + 1)];
    }
    rest.push(data);
});

function take(message) {
    if (!message.id) return listeners.get(message.sessionId)?.(message);
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
}

function call(method, params = {}, sessionId = undefined) {
    const id = ++last;
    child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

async function open() {
    const { targetId } = await call("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
    await call("Page.enable", {}, sessionId);
    await call("Page.setLifecycleEventsEnabled", { enabled: true }, sessionId);
    return { targetId, sessionId };
}

async function load({ sessionId }, url) {
    // Events of this page may come before the answer that names it.
    const quiet = new Set();
    let wanted, ready;
    listeners.set(sessionId, ({ method, params }) => {
        if (method !== "Page.lifecycleEvent" || params.name !== "networkIdle") return;
        quiet.add(params.loaderId);
        if (params.loaderId === wanted) ready();
    });
    wanted = (await call("Page.navigate", { url }, sessionId)).loaderId;
    if (!quiet.has(wanted)) await new Promise((resolve) => (ready = resolve));
    const read = { expression: "document.documentElement.outerHTML", returnByValue: true };
    return (await call("Runtime.evaluate", read, sessionId)).result.value;
}

const found = {};
function note(url, html) {
    const targets = [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map((match) => new URL(match[1], url));
    found[url] = [...new Set(targets.filter((target) => target.origin === new URL(url).origin).map(String))];
}

let next = 0;
async function work() {
    let tab = mode === "kept" ? await open() : undefined;
    while (next < urls.length) {
        const url = urls[next++];
        if (mode === "new") tab = await open();
        note(url, await load(tab, url));
        if (mode === "new") await call("Target.closeTarget", { targetId: tab.targetId });
    }
}

await Promise.all(Array.from({ length: tabs }, work));
await call("Browser.close").catch(() => {});
await new Promise((resolve) => (child.exitCode === null ? child.once("exit", resolve) : resolve()));
rmSync(profile, { recursive: true, force: true });
console.log(JSON.stringify(found));
