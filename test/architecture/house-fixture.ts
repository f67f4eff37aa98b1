import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

/** Path inside a house → text of the file. */
export type Files = Readonly<Record<string, string>>;

const ROOT = join(import.meta.dirname, '../..');
const RULES = join(ROOT, '.dependency-cruiser.cjs');
const ROOMS = ['apps', 'bench', 'examples', 'libs', 'packages', 'scripts', 'test'];

/** The smallest repository that contains every dependency that the rules allow once. */
export const SOUND_HOUSE: Files = {
  'node_modules/zod/package.json': '{ "name": "zod", "version": "1.0.0", "main": "index.js" }',
  'node_modules/zod/index.js': 'export const z = {};',
  'node_modules/pg/package.json': '{ "name": "pg", "version": "1.0.0", "main": "index.js" }',
  'node_modules/pg/index.js': 'export class Pool {}',
  'node_modules/fast-check/package.json': '{ "name": "fast-check", "version": "1.0.0", "main": "index.js" }',
  'node_modules/fast-check/index.js': 'export const fc = {};',
  'node_modules/stowaway/package.json': '{ "name": "stowaway", "version": "1.0.0", "main": "index.js" }',
  'node_modules/stowaway/index.js': 'export const luck = 1;',

  'node_modules/undici/package.json': '{ "name": "undici", "version": "1.0.0", "main": "index.js" }',
  'node_modules/undici/index.js': 'export const request = 1;',

  'libs/kernel/src/index.ts': `export { AppError } from './app-error.js';`,
  'libs/kernel/src/app-error.ts': 'export class AppError extends Error {}',
  'libs/kernel/src/app-error.spec.ts': `import { fc } from 'fast-check'; import { AppError } from './app-error.js'; export default [fc, AppError];`,
  'libs/payloads/src/index.ts': `import { z } from 'zod'; import { AppError } from '#libs/kernel'; export const payloads = [z, AppError];`,
  'libs/policy/src/index.ts': `import { posix } from 'node:path'; export const policy = posix;`,
  'libs/kit/src/index.ts': `import type { z } from 'zod'; export type Task = typeof z;`,
  'libs/tooling/src/index.ts': `import type { AppError } from '#libs/kernel'; import type { Task } from '#libs/kit'; export type Tooling = [AppError, Task];`,
  'libs/config/src/index.ts': `import { z } from 'zod'; export const config = z;`,
  'libs/agent-core/src/index.ts': `export { runAgentLoop } from './run-agent-loop.js';`,
  'libs/agent-core/src/run-agent-loop.ts': `import { payloads } from '#libs/payloads'; export const runAgentLoop = payloads;`,
  'libs/agent-core/src/run-agent-loop.spec.ts': `import { readFileSync } from 'node:fs'; import { fc } from 'fast-check'; import { runAgentLoop } from './run-agent-loop.js'; export default [readFileSync, fc, runAgentLoop];`,
  'libs/executions/src/index.ts': `import { runAgentLoop } from '#libs/agent-core'; import { z } from 'zod'; export const executions = [runAgentLoop, z];`,
  'libs/knowledge/src/index.ts': `import { payloads } from '#libs/payloads'; export const chunks = payloads;`,
  'libs/observability/src/index.ts': `import { config } from '#libs/config'; export const logger = config;`,
  'libs/guarded-fetch/src/index.ts': `import { request } from 'undici'; import { AppError } from '#libs/kernel'; export const guarded = [request, AppError];`,
  'libs/tool-sources/src/index.ts': `import { guarded } from '#libs/guarded-fetch'; export const tools = guarded;`,
  'libs/persistence/src/index.ts': `import { Pool } from 'pg'; import { logger } from '#libs/observability'; import { executions } from '#libs/executions'; export const stores = [Pool, logger, executions];`,
  'libs/queue/src/index.ts': `import { AppError } from '#libs/kernel'; export const queue = AppError;`,
  'apps/api/src/main.ts': `import { ApiModule } from './api.module.js'; export default ApiModule;`,
  'apps/api/src/api.module.ts': `import { createServer } from 'node:http'; import { stores } from '#libs/persistence'; import { queue } from '#libs/queue'; import { tools } from '#libs/tool-sources'; export const ApiModule = [createServer, stores, queue, tools];`,
  'apps/worker/src/main.ts': `import { stores } from '#libs/persistence'; export default stores;`,
  'apps/api/src/index.ts': `export { ApiModule } from './api.module.js';`,
  'apps/service/src/main.ts': `import { ApiModule } from '../../api/src/index.js'; await import('../../worker/src/main.js'); export default ApiModule;`,
  'packages/capstan/src/client/index.ts': `export const client = 1;`,
  'packages/capstan/src/react/index.ts': `import { client } from '../client/index.js'; export const hook = client;`,
  'packages/capstan/src/cli/main.ts': `import { argv } from 'node:process'; import { client } from '../client/index.js'; export default [argv, client];`,
  'examples/letters/run.ts': `import { z } from 'zod'; import { letter } from './letter.ts'; export default [z, letter];`,
  'examples/letters/letter.ts': `export const letter = 'Dear Mara';`,
  'bench/load.mjs': `import { queue } from '#libs/queue'; export const load = queue;`,
  'scripts/dev.mjs': `import { spawn } from 'node:child_process'; spawn('node', ['dist/apps/api/src/main.js']);`,
  'test/support/builders.ts': `import { stores } from '#libs/persistence'; export const build = stores;`,
  'test/e2e/order.spec.ts': `import { fc } from 'fast-check'; import { queue } from '#libs/queue'; import { build } from '../support/builders.js'; export default [fc, queue, build];`,
};

/** Checks the project's rules on the project's own files. */
export function cruiseProject(): Promise<ICruiseResult> {
  return cruiseUnder(ROOT);
}

/** Checks the project's rules on these files in a temporary folder, and removes the folder. */
export async function cruiseHouse(files: Files): Promise<ICruiseResult> {
  const root = await mkdtemp(join(tmpdir(), 'capstan-house-'));
  try {
    await build(root, { 'package.json': await manifest(), ...files });
    return await cruiseUnder(root);
  } finally {
    await rm(root, { recursive: true });
  }
}

/** Names of the rules in the configuration, in its order. */
export async function ruleNames(): Promise<string[]> {
  const { ruleSet } = await extractDepcruiseOptions(RULES);
  return (ruleSet?.forbidden ?? []).map((rule) => rule.name ?? '(unnamed)');
}

async function cruiseUnder(root: string): Promise<ICruiseResult> {
  const options = await extractDepcruiseOptions(RULES);
  const transpile = { tsConfig: extractTsConfig(join(ROOT, 'tsconfig.json')) };
  const { output } = await cruise(ROOMS, { ...options, baseDir: root }, {}, transpile);
  if (typeof output === 'string') throw new Error(output);
  return output;
}

/** The `imports` of the real package.json, so that `#libs/*` resolves in the temporary folder as it does here. */
async function manifest(): Promise<string> {
  const { imports } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { imports: unknown };
  const packages = {
    dependencies: { zod: '1.0.0', pg: '1.0.0', undici: '1.0.0' },
    devDependencies: { 'fast-check': '1.0.0' },
  };
  return JSON.stringify({ name: 'house', type: 'module', imports, ...packages });
}

async function build(root: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}
