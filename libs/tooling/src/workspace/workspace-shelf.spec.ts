import { expect, it } from '@jest/globals';
import { findWriteFault, WORKSPACE_LIMITS } from './workspace-shelf.js';

const { fileBytes, files, totalBytes } = WORKSPACE_LIMITS;

it.each([
  [{ otherFiles: 0, otherBytes: 0, isTaken: false }, 0, null],
  [{ otherFiles: files - 1, otherBytes: 0, isTaken: false }, fileBytes, null],
  [{ otherFiles: files, otherBytes: 0, isTaken: false }, 1, 'too_many_files'],
  [{ otherFiles: 0, otherBytes: 0, isTaken: false }, fileBytes + 1, 'too_many_bytes'],
  [{ otherFiles: 1, otherBytes: totalBytes - 5, isTaken: false }, 5, null],
  [{ otherFiles: 1, otherBytes: totalBytes - 5, isTaken: false }, 6, 'too_many_bytes'],
  [{ otherFiles: 1, otherBytes: 1, isTaken: true }, 1, 'path_taken'],
])('a write beside %j of %d bytes meets the limit %s', (use, bytes, fault) => {
  expect(findWriteFault(use, bytes)).toBe(fault);
});
