import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { parseEnv } from '#libs/config';
import { createLogger } from '#libs/observability';
import { createApiPreview } from './create-api-app.js';
import { domains } from './domains.js';
import { buildOpenApiDocument } from './openapi/build-document.js';
import { ofDomains } from './openapi/of-domains.js';

/**
 * Writes `openapi.json` to the working directory; with `--domains`, what the projects in `PROJECT` add to it, to
 * `examples/openapi.json`. With `--check`, exits with code 1 if the file is out of date. Needs neither database nor queue.
 */
const isOfDomains = process.argv.includes('--domains');
const file = isOfDomains ? 'examples/openapi.json' : 'openapi.json';

const config = parseEnv({ DATABASE_URL: 'postgres://127.0.0.1/preview', LOG_LEVEL: 'silent' });
const app = await createApiPreview(config, createLogger('openapi', 'silent'));
const whole = buildOpenApiDocument(app);
const document = isOfDomains ? ofDomains(whole, new Set(domains.tags.keys())) : whole;
const current = `${JSON.stringify(document, null, 2)}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(file, current);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== current) {
  process.stderr.write(`${file} is out of date: run "npm run gen:openapi"\n`);
  process.exitCode = 1;
}
