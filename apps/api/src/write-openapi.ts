import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { parseEnv } from '#libs/config';
import { createLogger } from '#libs/observability';
import { createApiPreview } from './create-api-app.js';
import { buildOpenApiDocument } from './openapi/build-document.js';

/**
 * Writes `openapi.json` to the working directory; with `--check`, exits with code 1 if the file is out of date. Needs
 * neither database nor queue.
 */
const FILE = 'openapi.json';

const config = parseEnv({ DATABASE_URL: 'postgres://127.0.0.1/preview', LOG_LEVEL: 'silent' });
const app = await createApiPreview(config, createLogger('openapi', 'silent'));
const current = `${JSON.stringify(buildOpenApiDocument(app), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(FILE, current);
} else if ((await readFile(FILE, 'utf8').catch(() => '')) !== current) {
  process.stderr.write(`${FILE} is out of date: run "npm run gen:openapi"\n`);
  process.exitCode = 1;
}
