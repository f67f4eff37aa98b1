import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ApiClient } from '../../support/services/api-client.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { Deployment } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';
import { CHROMIUM, openBrowser, watchViolations } from './browser.js';

const HOSTILE = '5 cases of roma tomatoes <img src=x onerror=alert(1)><script>alert(2)</script>';

describeWithProgram(CHROMIUM, 'the console of a running service', () => {
  let deployment: Deployment;
  let api: ApiClient;
  let url: string;
  let browser: Browser;
  let page: Page;
  let violations: string[];

  beforeAll(async () => {
    deployment = await Deployment.open('postgres');
    [{ url }, browser] = await Promise.all([deployment.startWhole(), openBrowser()]);
    api = new ApiClient(url);
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    violations = await watchViolations(page);
  });
  afterAll(async () => {
    await browser.close();
    await deployment.close();
  });

  it('is where a browser comes that opens the service, and says what to do first', async () => {
    await page.goto(url);
    expect(new URL(page.url()).pathname).toMatch(/^\/console\//);
    await page.getByText('curl').first().waitFor();
  });

  it('shows a submitted run live, lets a person approve its call, and shows how it ended', async () => {
    const { id } = await api.submit({
      input: HOSTILE,
      options: { require_approval: ['save_order_draft'] },
    });
    const row = page.getByRole('row').filter({ hasText: 'Needs decision' });
    await row.waitFor();

    await page.goto(`${url}/console/inbox`);
    await page.getByText('save_order_draft').first().waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    const settled = await api.settled(id);
    expect(settled).toMatchObject({ status: 'completed' });

    await page.goto(`${url}/console/runs/${id}`);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('save_order_draft').waitFor();
    await timeline.getByText('Attempt 1').first().waitFor();
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await page.getByText(HOSTILE, { exact: true }).waitFor();
  });

  it.each(['runs', 'inbox', 'settings/appearance'])('%s fits a narrow page', async (path) => {
    await page.setViewportSize({ width: 375, height: 740 });
    await page.goto(`${url}/console/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    const place = await page.locator('nav [aria-current=page]:visible').boundingBox();
    expect(place?.x).toBeGreaterThanOrEqual(0);
    expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(375);
  });

  it('ran nothing of what users and models wrote, and would have shown it', async () => {
    expect(violations).toEqual([]);

    // The policy stops an inline script, and Playwright reports that it was stopped.
    await expect(page.addScriptTag({ content: 'alert(3)' })).rejects.toThrow();
    await waitFor(() => violations.length > 0, { description: 'the violation to be reported' });
    expect(violations).toEqual(['policy: script-src-elem']);
  });
});
