import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Faults of the page by the rules of WCAG 2.2 AA, in light and dark, as short lines; none for a page that has none. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    for (const { id, nodes } of violations) {
      faults.push(`${colorScheme} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  return faults;
}
