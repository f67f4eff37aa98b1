// @ts-check
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { figure } from '../measure/figure.mjs';
import { median } from '../measure/median.mjs';
import { insertLongRun } from '../services/insert-long-run.mjs';
import { makeAgent } from '../services/make-agent.mjs';

const CALLS = 10_000;
const OPENINGS = 5;
const FRAMES = 240;
const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];

export const runPage = {
  key: 'v',
  isOfAnyQueue: true,
  title: `the run page of the console at ${CALLS} steps`,
  /** @param {import('../services/bench-world.mjs').BenchWorld} world */
  run: async (world) => {
    if (!existsSync(BROWSER))
      throw new Error(`there is no browser at ${BROWSER}; CHROMIUM names another one`);
    const calls = world.isSmall ? CALLS / 10 : CALLS;
    const api = await world.startApi();
    const { id: agentId } = await makeAgent(api, 'sim-echo');
    const id = await insertLongRun(world.database, { agentId, calls });
    const browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
    world.defer(() => browser.close());
    const url = `${api.url}/console/runs/${id}`;
    /** @type {number[]} */
    const earlier = [];
    for (let opening = 1; opening < OPENINGS; opening += 1) {
      const { page, ms } = await open(browser, url);
      earlier.push(ms);
      await page.context().close();
    }
    const { page, ms, kB } = await open(browser, url);
    const status = page.getByRole('status').filter({ hasText: /entries$/ });
    const begun = performance.now();
    await status.waitFor({ timeout: 120_000 });
    const restMs = performance.now() - begun;
    const scrolled = await scroll(page);
    await browser.close();
    return [
      figure('steps', calls),
      figure('until the first bars are there, p50', median([...earlier, ms]), 'ms', {
        atMost: 1_000,
      }),
      figure('until all of them are there', ms + restMs, 'ms'),
      figure('frames per second while it scrolls', scrolled.perSecond, '', { atLeast: 50 }),
      figure('longest frame', scrolled.longestMs, 'ms'),
      figure('first load of the page', kB, 'kB'),
    ];
  },
};

/**
 * Opens the page in a browser that knows nothing, and waits for its first bars.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 */
async function open(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  let bytes = 0;
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  const begun = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.evaluate(UNTIL_BARS);
  return { page, ms: performance.now() - begun, kB: bytes / 1_000 };
}

/**
 * Scrolls down as fast as a hand does, ten rows a frame, and counts frames.
 * @param {import('playwright-core').Page} page
 */
async function scroll(page) {
  const times = /** @type {number[]} */ (await page.evaluate(SCROLL_THROUGH));
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  return { perSecond: (gaps.length / total) * 1_000, longestMs: Math.max(...gaps) };
}

/** Looked for once a frame by the page itself: a locator asks from outside, after a while each half second only. */
const UNTIL_BARS = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelectorAll('[aria-label="Timeline"] > li').length > 10) resolve();
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Scrolls within the page, and resolves to the times of the frames. */
const SCROLL_THROUGH = `new Promise((resolve) => {
  const scroller = document.querySelector('[aria-label="Timeline"]').closest('.overflow-auto');
  const times = [];
  const step = (time) => {
    times.push(time);
    if (times.length > ${FRAMES}) return resolve(times);
    scroller.scrollTop = times.length * 280;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;
