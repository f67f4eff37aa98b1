import { SEEDED_CLIENTS } from './seeded-clients.js';
import { SEEDED_DISORDER } from './seeded-disorder.js';
import { SEEDED_TRESPASSES } from './seeded-trespasses.js';
import type { SeededViolation } from './seeded-violation.js';

/** At least one violation for every rule of `.dependency-cruiser.cjs`; each breaks that rule and no other. */
export const SEEDED_VIOLATIONS: readonly SeededViolation[] = [
  {
    rule: 'kernel-imports-nothing',
    how: 'the kernel parses with zod',
    files: { 'libs/kernel/src/parse.ts': `import { z } from 'zod'; export const parse = z;` },
  },
  {
    rule: 'kernel-imports-nothing',
    how: 'the kernel hashes with a builtin',
    files: {
      'libs/kernel/src/hash.ts': `import { createHash } from 'node:crypto'; export const hash = createHash;`,
    },
  },
  {
    rule: 'kernel-imports-nothing',
    how: 'the kernel borrows a type from above',
    files: {
      'libs/kernel/src/rule.ts': `import type { policy } from '#libs/policy'; export type Rule = typeof policy;`,
    },
  },
  {
    rule: 'level-1-siblings-are-strangers',
    how: 'policy knows tooling',
    files: {
      'libs/policy/src/judge.ts': `import type { Tooling } from '#libs/tooling'; export type Judge = Tooling;`,
    },
  },
  {
    rule: 'level-1-siblings-are-strangers',
    how: 'a spec of config knows payloads',
    files: {
      'libs/config/src/env.spec.ts': `import { payloads } from '#libs/payloads'; export default payloads;`,
    },
  },
  {
    rule: 'level-1-looks-down-only',
    how: 'policy knows agent-core',
    files: {
      'libs/policy/src/judge.ts': `import { runAgentLoop } from '#libs/agent-core'; export const judge = runAgentLoop;`,
    },
  },
  {
    rule: 'level-1-looks-down-only',
    how: 'tooling loads an adapter on demand',
    files: { 'libs/tooling/src/log.ts': `export const log = () => import('#libs/observability');` },
  },
  {
    rule: 'agent-core-looks-down-only',
    how: 'the loop stores by itself',
    files: {
      'libs/agent-core/src/store.ts': `import { queue } from '#libs/queue'; export const store = queue;`,
    },
  },
  {
    rule: 'agent-core-looks-down-only',
    how: 'the loop submits an execution',
    files: {
      'libs/agent-core/src/submit.ts': `import { executions } from '#libs/executions'; export const submit = executions;`,
    },
  },
  {
    rule: 'executions-look-down-only',
    how: 'the application stores by itself',
    files: {
      'libs/executions/src/claim.ts': `import { stores } from '#libs/persistence'; export const claim = stores;`,
    },
  },
  {
    rule: 'executions-look-down-only',
    how: 'the application borrows the type of a logger',
    files: {
      'libs/executions/src/log.ts': `import type { logger } from '#libs/observability'; export type Log = typeof logger;`,
    },
  },
  {
    rule: 'executions-look-down-only',
    how: 'the application knows how documents are cut',
    files: {
      'libs/executions/src/cite.ts': `import { chunks } from '#libs/knowledge'; export const cite = chunks;`,
    },
  },
  {
    rule: 'knowledge-looks-down-only',
    how: 'documents know of executions',
    files: {
      'libs/knowledge/src/answer.ts': `import { executions } from '#libs/executions'; export const answer = executions;`,
    },
  },
  {
    rule: 'adapters-are-strangers',
    how: 'persistence sends to the queue',
    files: {
      'libs/persistence/src/send.ts': `import { queue } from '#libs/queue'; export const send = queue;`,
    },
  },
  {
    rule: 'adapters-are-strangers',
    how: 'observability, shared by all, looks at the queue',
    files: {
      'libs/observability/src/depth.ts': `import { queue } from '#libs/queue'; export const depth = queue;`,
    },
  },
  {
    rule: 'the-test-kit-runs-in-memory',
    how: 'tests of agents store in PostgreSQL',
    files: {
      'libs/kit-testing/src/store.ts': `import { stores } from '#libs/persistence'; export const store = stores;`,
    },
  },
  {
    rule: 'production-needs-no-test-kit',
    how: 'the API runs agents in memory',
    files: {
      'libs/kit-testing/src/index.ts': `import { executions } from '#libs/executions'; export const testing = executions;`,
      'apps/api/src/try-agent.ts': `import { testing } from '#libs/kit-testing'; export const tryAgent = testing;`,
    },
  },
  {
    rule: 'lower-adapters-know-the-kernel-alone',
    how: 'the guarded request looks at the queue',
    files: {
      'libs/guarded-fetch/src/depth.ts': `import { queue } from '#libs/queue'; export const depth = queue;`,
    },
  },
  {
    rule: 'lower-adapters-know-the-kernel-alone',
    how: 'the guarded request logs what it sends',
    files: {
      'libs/guarded-fetch/src/log.ts': `import { logger } from '#libs/observability'; export const log = logger;`,
    },
  },
  {
    rule: 'lower-adapters-know-the-kernel-alone',
    how: 'what starts processes looks at the queue',
    files: {
      'libs/bounded-process/src/depth.ts': `import { queue } from '#libs/queue'; export const depth = queue;`,
    },
  },
  {
    rule: 'agent-core-looks-down-only',
    how: 'the loop calls out by itself',
    files: {
      'libs/agent-core/src/ask.ts': `import { guarded } from '#libs/guarded-fetch'; export const ask = guarded;`,
    },
  },
  {
    rule: 'requests-go-out-guarded',
    how: 'a source of tools opens connections by itself',
    files: {
      'libs/tool-sources/src/ask.ts': `import { request } from 'undici'; export const ask = request;`,
    },
  },
  {
    rule: 'every-library-has-a-level',
    how: 'a new library has none',
    files: {
      'libs/parcels/src/index.ts': `import { z } from 'zod'; export const parcels = z;`,
    },
  },
  {
    rule: 'only-the-list-names-simulated-domains',
    how: 'the simulator itself names what plays a part for a domain',
    files: {
      'apps/simulator/src/domains/parcels/clerk.ts': 'export const clerk = 1;',
      'apps/simulator/src/answer.ts': `import { clerk } from './domains/parcels/clerk.js'; export const answer = clerk;`,
    },
  },
  {
    rule: 'simulated-domains-are-strangers',
    how: 'what plays a part for one domain borrows from another',
    files: {
      'apps/simulator/src/domains/parcels/clerk.ts': 'export const clerk = 1;',
      'apps/simulator/src/domains/letters/writer.ts': `import { clerk } from '../parcels/clerk.js'; export const writer = clerk;`,
    },
  },
  {
    rule: 'nothing-imports-an-app',
    how: 'an adapter borrows from the worker',
    files: {
      'apps/worker/src/drain.ts': 'export const drain = 1;',
      'libs/queue/src/close.ts': `import { drain } from '../../../apps/worker/src/drain.js'; export const close = drain;`,
    },
  },
  {
    rule: 'nothing-imports-an-app',
    how: 'a script runs inner parts of an app',
    files: { 'scripts/migrate.mjs': `import '../apps/api/src/api.module.js';` },
  },
  {
    rule: 'apps-are-islands',
    how: 'the worker borrows from the API',
    files: {
      'apps/api/src/health.ts': 'export const health = 1;',
      'apps/worker/src/health.ts': `import { health } from '../../api/src/health.js'; export const probe = health;`,
    },
  },
  {
    rule: 'apps-are-islands',
    how: 'the worker borrows from the process that holds it',
    files: {
      'apps/worker/src/stop.ts': `import { close } from '../../service/src/close.js'; export const stop = close;`,
      'apps/service/src/close.ts': 'export const close = 1;',
    },
  },
  {
    rule: 'the-whole-uses-doors',
    how: 'the process that is API and worker reaches into the API',
    files: {
      'apps/api/src/health.ts': 'export const health = 1;',
      'apps/service/src/probe.ts': `import { health } from '../../api/src/health.js'; export const probe = health;`,
    },
  },
  {
    rule: 'pure-levels-know-only-pure-packages',
    how: 'agent-core opens a pool',
    files: { 'libs/agent-core/src/pool.ts': `import { Pool } from 'pg'; export const pool = Pool;` },
  },
  {
    rule: 'pure-levels-know-only-pure-packages',
    how: 'the application opens a pool',
    files: { 'libs/executions/src/pool.ts': `import { Pool } from 'pg'; export const pool = Pool;` },
  },
  {
    rule: 'pure-levels-know-only-pure-packages',
    how: 'config borrows a type of a package',
    files: { 'libs/config/src/pool.ts': `import type { Pool } from 'pg'; export type Database = Pool;` },
  },
  {
    rule: 'pure-levels-do-no-io',
    how: 'tooling reads a file',
    files: {
      'libs/tooling/src/read.ts': `import { readFile } from 'node:fs/promises'; export const read = readFile;`,
    },
  },
  {
    rule: 'pure-levels-do-no-io',
    how: 'config loads a builtin on demand',
    files: { 'libs/config/src/host.ts': `export const host = () => import('os');` },
  },
  {
    rule: 'pure-levels-do-no-io',
    how: 'a wire format asks the machine',
    files: {
      'libs/model-providers/src/wire/host.ts': `import { hostname } from 'node:os'; export const host = hostname;`,
    },
  },
  {
    rule: 'pure-levels-do-no-io',
    how: 'payloads asks the process for a builtin',
    files: { 'libs/payloads/src/get.ts': `export const net = process.getBuiltinModule('node:net');` },
  },
  ...SEEDED_CLIENTS,
  ...SEEDED_TRESPASSES,
  ...SEEDED_DISORDER,
];
