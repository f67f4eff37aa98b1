import { expect, it } from '@jest/globals';
import { withServersOfTenant } from './tenant-settings.js';

it.each([
  ['all', { builtin: ['a'] }, { builtin: ['a'], servers: ['*'] }],
  ['all', { servers: [] }, { servers: [] }],
  ['all', { servers: ['mcp__crm__*'] }, { servers: ['mcp__crm__*'] }],
  ['named', {}, {}],
] as const)(
  'tool servers that a tenant offers as "%s" to an agent with %j (S4-8)',
  (tool_servers, tools, offered) => {
    expect(withServersOfTenant(tools, { tool_servers })).toEqual(offered);
  },
);
