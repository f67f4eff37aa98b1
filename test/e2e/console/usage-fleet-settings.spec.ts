import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ApiClient } from '../../support/services/api-client.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { Deployment } from '../../support/services/deployment.js';
import { CHROMIUM, openBrowser, watchViolations } from './browser.js';

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>';

/** Names of the page that code of the browser uses. */
interface BrowserPage {
  readonly document: { readonly documentElement: { readonly outerHTML: string } };
  readonly localStorage: object;
  readonly sessionStorage: object;
}

describeWithProgram(CHROMIUM, 'usage, fleet and settings in the console', () => {
  let deployment: Deployment;
  let url: string;
  let browser: Browser;
  let page: Page;
  let violations: string[];

  beforeAll(async () => {
    deployment = await Deployment.open('postgres');
    [{ url }, browser] = await Promise.all([deployment.startWhole(), openBrowser()]);
    const api = new ApiClient(url);
    await api.settled((await api.submit({ input: '5 cases of roma tomatoes' })).id);
    // The checker opens a page of its own beside it.
    // The contrast of a notice that is still fading in would be measured otherwise.
    const context = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const;
    page = await (await browser.newContext(context)).newPage();
    violations = await watchViolations(page);
  });
  afterAll(async () => {
    await browser.close();
    await deployment.close();
  });

  async function expectAccessible(): Promise<void> {
    const light = await new AxeBuilder({ page }).analyze();
    await page.emulateMedia({ colorScheme: 'dark' });
    // Only colours differ.
    const dark = await new AxeBuilder({ page }).withRules('color-contrast').analyze();
    await page.emulateMedia({ colorScheme: 'light' });
    const found = [...light.violations, ...dark.violations];
    expect(found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }

  it('shows the sums of a run, with an unknown cost as unknown, and saves them as CSV', async () => {
    await page.goto(`${url}/console/usage?window=24h`);
    const row = page.getByRole('row').filter({ hasText: 'sim-order-clerk' });
    await row.getByText('unknown', { exact: true }).waitFor();
    await page.locator('.chart-canvas canvas').waitFor();
    await expectAccessible();

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const csv = await readFile(await (await downloading).path(), 'utf8');
    expect(csv).toMatch(/^group,name,calls,.*\r\nsim-order-clerk,sim-order-clerk,\d+,.*,unknown\r\n$/);

    await page.getByLabel('Split by').selectOption('agent');
    await page.getByRole('row').getByRole('link').first().click();
    await page.waitForURL('**/console/runs?agent=*');
    await page.goBack();
    await page.waitForURL('**/console/usage?*by=agent*');
  });

  it('says why it shows nothing current: a refusal in the words of the server', async () => {
    const [detail, code] = ['the key has no scope for this', 'FORBIDDEN'];
    const problem = { type: 'about:blank', title: 'Forbidden', status: 403, detail, code, request_id: 'r' };
    const refuse = (pattern: string) =>
      page.route(pattern, (route) =>
        route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          body: JSON.stringify(problem),
        }),
      );
    await refuse('**/api/overview/**');
    await page.goto(`${url}/console/fleet`);
    await page
      .getByRole('status')
      .filter({ hasText: `Not current: ${detail}` })
      .waitFor();
    await page.unrouteAll();
    await page.route('**/api/overview/**', (route) => route.abort());
    await page.goto(`${url}/console/fleet`);
    await page.getByRole('status').filter({ hasText: 'Not current: the server cannot be reached' }).waitFor();
    await page.unrouteAll();
  });

  it('shows the load, and the worker with its release and slots', async () => {
    await page.goto(`${url}/console/fleet`);
    await page.getByText('Database and queue answer').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'Working' })
      .getByText(/ of \d+/)
      .waitFor();
    await page.locator('.chart-canvas canvas').waitFor();
    await expectAccessible();
    await page.getByRole('button', { name: '7 d' }).click();
    await page.waitForURL('**/console/fleet?window=7d');
  });

  it('validates a model configuration, and names the field that the service refuses', async () => {
    await page.goto(`${url}/console/settings`);
    await page.getByRole('button', { name: 'default' }).click();
    await page.getByRole('button', { name: 'Validate' }).click();
    await page.getByText('It works: the model has answered.').waitFor();
    await page.getByLabel('API base').fill('nonsense');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('input[aria-invalid=true]').waitFor();
    expect(await page.getByLabel('API base').inputValue()).toBe('nonsense');
    await expectAccessible();

    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('row').first().waitFor();
  });

  it('keeps a skill, and deletes it after a question', async () => {
    await page.goto(`${url}/console/settings/skills`);
    await page.getByText('No skills yet').waitFor();
    await page.getByRole('button', { name: 'New skill' }).click();
    await page.getByLabel('Name').fill('returns');
    await page.getByLabel('When to use it').fill(HOSTILE);
    await page.getByLabel('Instructions').fill(HOSTILE);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('cell').getByText(HOSTILE).waitFor();
    await expectAccessible();
    await page.getByRole('button', { name: 'returns' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete returns?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No skills yet').waitFor();
  });

  it('shows the secret of a new key once, and keeps it nowhere', async () => {
    await page.goto(`${url}/console/settings/keys?open=new`);
    await page.getByLabel('Name').fill('reader');
    await page.getByLabel('executions:read').check();
    await page.getByRole('button', { name: 'Create the key' }).click();
    const dialog = page.getByRole('dialog', { name: 'The key reader' });
    const secret = await dialog.locator('output').innerText();
    expect(secret).toMatch(/^csk_/);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog
      .getByRole('status')
      .filter({ hasText: /Copied|does not allow copying/ })
      .waitFor();
    await expectAccessible();
    // Esc would lose the secret for ever; a browser closes a dialog by the second one itself.
    for (let press = 1; press <= 3; press += 1) await page.keyboard.press('Escape');
    expect(await dialog.locator('output').innerText()).toBe(secret);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'reader' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).first().waitFor();
    const kept = await page.evaluate(() => {
      const { document, localStorage, sessionStorage } = globalThis as unknown as BrowserPage;
      return document.documentElement.outerHTML + JSON.stringify([localStorage, sessionStorage]);
    });
    expect(kept).not.toContain(secret);
  });

  it.each(['catalogue', 'sign-ins', 'tenants', 'webhooks', 'appearance'])(
    'is accessible in the settings of %s',
    async (tab) => {
      await page.goto(`${url}/console/settings/${tab}`);
      await page.getByRole('tab', { selected: true }).waitFor();
      await page.waitForLoadState('networkidle');
      await expectAccessible();
    },
  );

  it('ran nothing of what users wrote', () => {
    expect(violations).toEqual([]);
  });
});
