import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { ExecutionSummary } from '#libs/payloads';
import { ApiClient } from '../../support/services/api-client.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { Deployment } from '../../support/services/deployment.js';
import { CHROMIUM, openBrowser } from './browser.js';

const RUNS = 200;
/** The answer to every so many a request gets lost after the service has done what it asks. */
const LOST_EVERY = 7;

describeWithProgram(CHROMIUM, 'many runs at once in the console', () => {
  let deployment: Deployment;
  let api: ApiClient;
  let url: string;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    deployment = await Deployment.open('postgres');
    // Without a worker, so that runs stay as they are.
    [{ url }, browser] = await Promise.all([deployment.startApi(), openBrowser()]);
    api = new ApiClient(url);
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    for (let submitted = 0; submitted < RUNS; submitted += 20) {
      await Promise.all(Array.from({ length: 20 }, () => api.submit({ input: 'x' })));
    }
  });
  afterAll(async () => {
    await browser.close();
    await deployment.close();
  });

  async function idsOf(status: string): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = `status=${status}&limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const answer: { data: ExecutionSummary[]; next_cursor: string | null } = await api.get(
        `/api/executions/?${query}`,
      );
      ids.push(...answer.data.map(({ id }) => id));
      cursor = answer.next_cursor;
    }
    return ids;
  }

  /** Opens the dialog of an action for the runs of a status, and begins it. */
  async function begin(status: string, item: RegExp, button: string) {
    await page.goto(`${url}/console/runs?status=${status}`);
    await page.getByRole('button', { name: 'All of these' }).click();
    await page.getByRole('button', { name: item }).click();
    const dialog = page.getByRole('dialog', { name: /runs$/ });
    await dialog.getByRole('list', { name: 'The first of them' }).getByRole('listitem').nth(5).waitFor();
    await dialog.getByRole('button', { name: button }).click();
    return dialog;
  }

  it('cancels all runs of a filter', async () => {
    const dialog = await begin('queued', /^Cancel those/, `Cancel ${RUNS} runs`);
    await dialog.getByText(`${RUNS} cancelled`).waitFor({ timeout: 60_000 });
    expect(await idsOf('cancelled')).toHaveLength(RUNS);
  });

  it('stops when it is told to, goes on, and doubles no run whose answer was lost', async () => {
    let asked = 0;
    await page.route('**/retry/', async (route) => {
      asked += 1;
      if (asked % LOST_EVERY !== 0) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    const dialog = await begin('cancelled', /^Retry those/, `Retry ${RUNS} runs`);
    await dialog.getByText(/Retrying: [1-9]\d* of 200/).waitFor();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByText('not begun').waitFor();
    await dialog.getByRole('button', { name: /^Continue with/ }).click();
    await dialog.getByText(`${RUNS} submitted again`).waitFor({ timeout: 120_000 });

    expect(asked).toBeGreaterThan(RUNS);
    expect(await idsOf('queued')).toHaveLength(RUNS);
    expect(await idsOf('cancelled')).toHaveLength(RUNS);
  });

  it('lists what the service refuses, with its reason', async () => {
    await page.route('**/cancel/', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        json: {
          ...{
            type: 'about:blank',
            title: 'Forbidden',
            status: 403,
            detail: 'the key may not',
            code: 'FORBIDDEN',
          },
          request_id: 'r-1',
        },
      }),
    );
    const dialog = await begin('queued', /^Cancel those/, `Cancel ${RUNS} runs`);
    await dialog.getByText(`${RUNS} failed`).waitFor();
    const failures = dialog.getByRole('list', { name: 'Failures' });
    await failures.getByText('the key may not').first().waitFor();
    expect(await failures.getByRole('listitem').count()).toBe(RUNS);
  });
});
