import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { ApiClient } from '../../support/services/api-client.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { Deployment } from '../../support/services/deployment.js';
import { CHROMIUM, openBrowser } from './browser.js';

const ORDER = '5 cases of roma tomatoes and 2 bags of onions';
/** More than any dialog has controls, so that the focus goes around. */
const TABS = 30;
const NARROW = { width: 375, height: 740 };
const WIDE = { width: 1440, height: 900 };

describeWithProgram(CHROMIUM, 'dialogs by keyboard, and opened rows on a narrow page', () => {
  let deployment: Deployment;
  let api: ApiClient;
  let url: string;
  let browser: Browser;
  let page: Page;
  let run: string;
  let session: string;

  beforeAll(async () => {
    deployment = await Deployment.open('postgres');
    [{ url }, browser] = await Promise.all([deployment.startWhole(), openBrowser()]);
    api = new ApiClient(url);
    page = await browser.newPage({ viewport: WIDE });
    const made = await api.submit({ input: ORDER });
    [run, session] = [made.id, made.session_uuid];
    await api.settled(run);
  });
  afterAll(async () => {
    await browser.close();
    await deployment.close();
  });

  const pathOf = (name: string) => name.replace(':run', run).replace(':session', session);

  it.each([
    ['runs', 'Go to … Ctrl K', 'Go to'],
    ['runs', 'Keys (?)', 'Keys'],
    ['runs/:run', 'Retry …', 'Run it again?'],
    ['runs/:run', 'With changes …', 'Run it with changes'],
    ['sessions/:session', 'Delete …', /^Delete/],
    ['agents/1', 'Deactivate …', /^Deactivate/],
    ['knowledge', 'New datasource', 'New datasource'],
    ['memory', 'Write a memory', 'Write a memory'],
    ['webhooks', 'New endpoint', 'New endpoint'],
  ])('%s: “%s” opens a dialog that holds the focus, and Esc gives it back', async (path, opener, name) => {
    await page.goto(`${url}/console/${pathOf(path)}`);
    const button = page.getByRole('button', { name: opener, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name });
    await dialog.waitFor();
    for (let press = 0; press < TABS; press += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate<string>(focusedOutside)).toBe('');
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
  });

  it('a dialog with fields begins in one, so that a person can type', async () => {
    await page.goto(`${url}/console/memory`);
    await page.getByRole('button', { name: 'Write a memory' }).click();
    await page.getByLabel('Executor', { exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('A screen, or the id').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('queue');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/fleet');
  });

  it.each([NARROW, { width: 800, height: 740 }, WIDE])(
    'a panel below a button lies within a page of $width px, and Esc gives the focus back',
    async (size) => {
      await page.setViewportSize(size);
      await page.goto(`${url}/console/runs`);
      const button = page.getByRole('button', { name: 'More', exact: true });
      await button.click();
      const panel = page.getByRole('dialog', { name: 'More filters' });
      const box = await panel.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(size.width);
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      await button.and(page.locator(':focus')).waitFor();
    },
  );

  it('a step that is opened is in view, also when another one was open', async () => {
    await page.setViewportSize(NARROW);
    await page.goto(`${url}/console/runs/${run}?tab=steps`);
    const calls = page.getByRole('table', { name: 'Steps' }).getByRole('button');
    for (const place of [0, 1]) {
      await calls.nth(place).click();
      const key = await calls.nth(place).innerText();
      await page.waitForURL((next) => next.searchParams.get('step')?.includes(key) === true);
      await expectInView(page.getByRole('complementary', { name: /^Step/ }).getByRole('heading').first());
    }
  });

  it('the list of files keeps its rows beside an open one, and the page scrolls to all of it', async () => {
    await page.setViewportSize(NARROW);
    const body = new FormData();
    body.append('file', new Blob(['Deliver on Friday.']), 'note.txt');
    const path = `/api/sessions/${session}/files/note.txt/`;
    expect((await fetch(`${url}${path}`, { method: 'PUT', body })).ok).toBe(true);
    await page.goto(`${url}/console/sessions/${session}?tab=files&file=note.txt`);
    const file = page.getByRole('complementary', { name: 'File' });
    await expectInView(file.getByRole('heading').first());
    const row = page.getByRole('button', { name: 'note.txt', exact: true });
    await row.scrollIntoViewIfNeeded();
    await expectInView(row);
    expect(await page.evaluate('document.scrollingElement.scrollTop + document.body.scrollTop')).toBe(0);
  });

  /** The whole element lies within the window. */
  async function expectInView(element: Locator): Promise<void> {
    const box = await element.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(NARROW.height);
  }
});

/** Markup that has the focus outside of a dialog; a page without focus has it at its body. */
const focusedOutside = `(() => {
  const { activeElement: focused, body } = document;
  return focused === body || focused.closest('dialog, [role=dialog]') !== null ? '' : focused.outerHTML;
})()`;
