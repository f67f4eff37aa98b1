import { expect, it } from '@jest/globals';
import { readAttachments } from './attached-file.js';

it('an invalid list of files gives none (S2-22)', () => {
  const file = {
    id: '01999999-9999-7999-8999-999999999999',
    name: 'a',
    media_type: 'b',
    size_bytes: 1,
    sha256: 'c',
  };
  expect(readAttachments({ attachments: [file] })).toEqual([file]);
  for (const attachments of ['a', [{ id: 'a' }], { id: file.id }, null])
    expect(readAttachments({ attachments })).toEqual([]);
  expect(readAttachments({})).toEqual([]);
});
