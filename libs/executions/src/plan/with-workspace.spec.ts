import { expect, it } from '@jest/globals';
import { readTenantSettings, type Workspace } from '#libs/policy';
import { aClaim } from '../../../../test/support/builders/claim.js';
import { aStoredContext, aStoredTenant } from '../../../../test/support/builders/stored-context.js';
import { assertUsable } from './usable-context.js';
import { withWorkspace } from './with-workspace.js';

it.each([
  ['with the files of its own conversation where the tenant’s workspace is on', true, {}, {}],
  ['without any word on files where it is off', false, { builtin: ['other'] }, null],
  [
    'with the files and tools of an agent that may call them',
    false,
    { builtin: ['write_file', 'other', 'read_file'] },
    { tools: ['read_file', 'write_file'] },
  ],
])('a prompt is written %s (S4-6)', async (_name, enabled, tools, added) => {
  const workspace: Workspace = { path: '/files', files: [], isCut: false };
  const asked: unknown[] = [];
  const files = {
    list: ({ tenantId, sessionId }: { readonly tenantId: string; readonly sessionId: string }) => {
      asked.push([tenantId, sessionId]);
      return Promise.resolve(workspace);
    },
  };
  const tenant = aStoredTenant({ settings: readTenantSettings({ workspace: { enabled } }) });
  const claim = aClaim({ tenantId: 'acme' });

  const usable = await withWorkspace(files, claim, assertUsable(aStoredContext({ tenant, tools })));

  expect(usable.workspace).toEqual(added && { ...workspace, ...added });
  expect(asked).toEqual(added ? [['acme', claim.sessionId]] : []);
});
