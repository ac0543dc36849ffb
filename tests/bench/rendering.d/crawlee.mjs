// Crawls a site with crawlee's PlaywrightCrawler, as its documentation shows it, and prints JSON: for each page, the
// addresses of its own site that it links to.
//
//   node crawlee.mjs BROWSER TABS START
//
// crawlee takes a page for ready when it has loaded; an application has fetched nothing by then, so this waits until
// the network is quiet, the way that holds for any site. It begins with all its tabs, as mapwright does.
import { Configuration, PlaywrightCrawler, log } from "@crawlee/playwright";

const [browser, tabs, start] = [process.argv[2], Number(process.argv[3]), process.argv[4]];
const found = {};
log.setLevel(log.LEVELS.WARNING);

const crawler = new PlaywrightCrawler({
    launchContext: { launchOptions: { executablePath: browser, headless: true } },
    minConcurrency: tabs,
    maxConcurrency: tabs,
    async requestHandler({ request, page, enqueueLinks }) {
        await page.waitForLoadState("networkidle");
        const { processedRequests } = await enqueueLinks();
        found[request.url] = processedRequests.map((linked) => linked.uniqueKey);
    },
}, new Configuration({ purgeOnStart: true }));

await crawler.run([start]);
console.log(JSON.stringify(found));
