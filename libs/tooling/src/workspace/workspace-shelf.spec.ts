import { expect, it } from '@jest/globals';
import { findWriteFault, WORKSPACE_LIMITS } from './workspace-shelf.js';

const { fileBytes, files, totalBytes } = WORKSPACE_LIMITS;

const NOTHING = { otherFiles: 0, otherBytes: 0, ownBytes: 0, tenantBytes: 0, isTaken: false };

it.each([
  [{}, 0, null],
  [{ otherFiles: files - 1 }, fileBytes, null],
  [{ otherFiles: files }, 1, 'too_many_files'],
  [{}, fileBytes + 1, 'too_many_bytes'],
  [{ otherFiles: 1, otherBytes: totalBytes - 5 }, 5, null],
  [{ otherFiles: 1, otherBytes: totalBytes - 5 }, 6, 'too_many_bytes'],
  [{ otherFiles: 1, otherBytes: 1, isTaken: true }, 1, 'path_taken'],
  [{ tenantBytes: 90 }, 10, null],
  [{ tenantBytes: 90 }, 11, 'tenant_full'],
  [{ tenantBytes: 200, ownBytes: 50 }, 50, null],
  [{ tenantBytes: 200, ownBytes: 50 }, 51, 'tenant_full'],
])('a write beside %j of %d bytes meets the limit %s', (use, bytes, fault) => {
  expect(findWriteFault({ ...NOTHING, ...use }, bytes, 'tenantBytes' in use ? 100 : Infinity)).toBe(fault);
});
