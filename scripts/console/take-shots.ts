// npm run console:shots: pictures of the console of a running service, for the README, into docs/images.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const ORIGIN = process.env['CAPSTAN_URL'] ?? 'http://localhost:3000';
const BROWSER = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const SIZE = { width: 1440, height: 900 };
const target = join(import.meta.dirname, '..', '..', 'docs', 'images');

interface Run {
  readonly id: string;
  readonly usage: { readonly total_tokens: number | null } | null;
}

mkdirSync(target, { recursive: true });
const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', locale: 'en-GB' });
  await page.goto(`${ORIGIN}/console/runs/${await longestRun()}`);
  await page.getByRole('list', { name: 'Timeline' }).waitFor();
  await page.screenshot({ path: join(target, 'console-run.png') });
  await page.goto(`${ORIGIN}/console/inbox`);
  await page.getByRole('button', { name: 'Approve' }).first().waitFor();
  await page.screenshot({ path: join(target, 'console-inbox.png') });
} finally {
  await browser.close();
}

/** Id of the completed run, of the newest 100, that took most tokens: it has the most to show. */
async function longestRun(): Promise<string> {
  const answer = await fetch(`${ORIGIN}/api/executions/?status=completed&limit=100`);
  const { data } = (await answer.json()) as { data: Run[] };
  const [run] = data.toSorted((a, b) => (b.usage?.total_tokens ?? 0) - (a.usage?.total_tokens ?? 0));
  if (run === undefined) throw new Error('There is no completed run: start npm run quickstart first.');
  return run.id;
}
