import { describe, expect, it } from '@jest/globals';
import { serverToolName } from './server-tool-name.js';

describe('serverToolName', () => {
  it.each([
    ['crm', 'find_customer', 'mcp__crm__find_customer'],
    ['crm', 'find-customer', 'mcp__crm__find-customer'],
  ])('keeps a name that can be called: %s, %s', (server, tool, name) => {
    expect(serverToolName(server, tool)).toBe(name);
  });

  it.each([
    ['a slash', 'repos/list-commits'],
    ['a dot', 'repos.list'],
    ['other scripts', '顧客検索'],
    ['great length', 'x'.repeat(256)],
    ['a server with a long name', 'list_all_open_orders_of_one_customer', 's'.repeat(32)],
  ])('makes a name with %s one that can be called', (_what, tool, server = 'crm') => {
    expect(serverToolName(server, tool)).toMatch(/^mcp__[a-z]+__[A-Za-z0-9_-]+_[0-9a-z]{7}$/);
    expect(serverToolName(server, tool).length).toBeLessThanOrEqual(64);
  });

  it.each([
    ['repos/list', 'repos.list'],
    ['repos/list', 'repos_list'],
    ['x'.repeat(100), 'x'.repeat(101)],
    ['顧客', '注文'],
  ])('gives %s and %s different names', (one, other) => {
    expect(serverToolName('crm', one)).not.toBe(serverToolName('crm', other));
  });
});
