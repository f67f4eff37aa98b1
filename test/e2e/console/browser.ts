import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { NeededProgram } from '../../support/services/describe-with-program.js';

const PLACES = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/google-chrome'];
const OPTIONS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];

const browserPath = PLACES.find((path) => path !== undefined && existsSync(path));

export const CHROMIUM: NeededProgram = {
  name: 'Chromium (Debian: chromium)',
  isInstalled: browserPath !== undefined,
};

export function openBrowser(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('Chromium is not installed');
  return chromium.launch({ executablePath: browserPath, args: OPTIONS });
}

/** Scripts, dialogs and violations of the content security policy in a page, as they come. */
export async function watchViolations(page: Page): Promise<string[]> {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
  await page.exposeFunction('reportViolation', (directive: string) => seen.push(`policy: ${directive}`));
  await page.addInitScript(() => {
    const scope = globalThis as unknown as EventTarget & { reportViolation: (directive: string) => void };
    scope.addEventListener('securitypolicyviolation', (event) => {
      scope.reportViolation((event as unknown as { effectiveDirective: string }).effectiveDirective);
    });
  });
  return seen;
}
