import type { Mutant } from './mutant.js';

const POOL = 'libs/tool-sources/src/mcp/session-pool.ts';
const SLOT = 'libs/tool-sources/src/mcp/connection-slot.ts';
const DRIVER = 'libs/tool-sources/src/mcp/mcp-driver.ts';
const POOL_SPEC = 'libs/tool-sources/src/mcp/session-pool.spec.ts';
const OWNERS_SPEC = 'libs/tool-sources/src/mcp/session-owners.spec.ts';

/** Reused connections to tool servers. */
export const SESSION_MUTANTS: readonly Mutant[] = [
  {
    row: 'sessions',
    file: POOL,
    find: 'void connection.closed.then(() => this.remove(slot));',
    replace: '',
    spec: POOL_SPEC,
    why: 'a dead connection keeps its room, and a dead process its place, for a minute',
  },
  {
    row: 'sessions',
    file: POOL,
    find: 'for (const asker of askers) promiseTo(asker, slot);',
    replace: 'for (const asker of askers) setImmediate(() => promiseTo(asker, slot));',
    spec: POOL_SPEC,
    why: 'somebody else makes room by a connection that was just made for a call',
  },
  {
    row: 'sessions',
    file: SLOT,
    find: '.filter(({ busy }) => busy === 0)',
    replace: '.filter(() => true)',
    spec: OWNERS_SPEC,
    why: 'a call is broken off because another one needs room',
  },
  {
    row: 'sessions',
    file: DRIVER,
    find: 'JSON.stringify([server.tenantId, server.id,',
    replace: 'JSON.stringify([server.id,',
    spec: OWNERS_SPEC,
    why: 'two tenants speak on one connection',
  },
  {
    row: 'sessions',
    file: DRIVER,
    find: 'headers, env]',
    replace: 'env]',
    spec: OWNERS_SPEC,
    why: 'a call is made with the credentials of another execution',
  },
  {
    row: 'sessions',
    file: POOL,
    find: 'const place = connection.hasState ? own : shared;',
    replace: 'const place = shared;',
    spec: OWNERS_SPEC,
    why: 'two executions share what a server remembers of one',
  },
];
