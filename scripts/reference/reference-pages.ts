import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { apiPage, eventsPage, type ApiDocument } from './api-pages.ts';
import { cliPage, loadCommands } from './cli-page.ts';
import { configurationPage } from './configuration-page.ts';

/** Generated pages by path, formatted as Prettier does; `npm run gen:errors` writes `docs/reference/errors.md`. */
export async function referencePages(root: string): Promise<Record<string, string>> {
  const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as ApiDocument;
  const { makeProgram, EXIT_MEANINGS } = await loadCommands(root);
  const program = makeProgram('', () => () => undefined);
  const pages = {
    'docs/reference/api.md': apiPage(document),
    'docs/reference/cli.md': cliPage(program, EXIT_MEANINGS),
    'docs/reference/events.md': eventsPage(document),
    'docs/reference/configuration.md': configurationPage(readFileSync(join(root, '.env.example'), 'utf8')),
  };
  const config = await resolveConfig(join(root, 'README.md'));
  const formatted = Object.entries(pages).map(
    async ([file, text]) => [file, await format(text, { ...config, parser: 'markdown' })] as const,
  );
  return Object.fromEntries(await Promise.all(formatted));
}
