import { describe, expect, it } from '@jest/globals';
import type { AttachedFile } from '#libs/tooling';
import { aClaim } from '../../../../test/support/builders/claim.js';
import { AttachmentReader, type FileText } from '../ports/attachment-reader.js';
import { loadAttachments, type AttachmentsToLoad } from './load-attachments.js';

/** Files with their name as bytes and as text; the text of `long` repeats it 100,000 times. */
class NamedFiles extends AttachmentReader {
  override readBytes(_tenantId: string, { name }: AttachedFile): Promise<Buffer> {
    return Promise.resolve(Buffer.from(name));
  }

  override readText(_tenantId: string, { name }: AttachedFile, mostChars: number): Promise<FileText> {
    const text = name === 'long' ? name.repeat(100_000) : name;
    return Promise.resolve({ text: text.slice(0, mostChars), isCut: text.length > mostChars });
  }
}

function aFile(name: string, media_type = 'text/plain'): AttachedFile {
  const id = `01999999-9999-7999-8999-${Buffer.from(name).toString('hex').padStart(12, '0').slice(-12)}`;
  return { id, name, media_type, size_bytes: 1, sha256: `hash of ${name}` };
}

const NEVER = new AbortController().signal;
const load = (attachments: AttachedFile[], more: Partial<AttachmentsToLoad> = {}) => {
  const request = { input: 'What?', options: {}, additional_data: { attachments } };
  const order = { claim: aClaim({ request }), pinned: null, native: ['image', 'pdf'] as const, ...more };
  return loadAttachments(new NamedFiles(), order, (text) => `sha of ${text.slice(0, 30)}`, NEVER);
};
const IMAGE = aFile('pic', 'image/png');
const PDF = aFile('doc', 'application/pdf');

describe('attached files of a request', () => {
  it('is read in its order, each as the model reads it, and pinned so', async () => {
    expect(await load([IMAGE, aFile('note'), PDF])).toMatchObject({
      media: [
        { kind: 'image', name: 'pic', mediaType: 'image/png', base64: Buffer.from('pic').toString('base64') },
        { kind: 'file', name: 'doc', base64: Buffer.from('doc').toString('base64') },
      ],
      texts: [{ name: 'note', text: 'note', foreign: 'sha of note' }],
      pinned: [
        { fileId: IMAGE.id, hash: 'hash of pic', as: 'image' },
        { fileId: aFile('note').id, hash: 'hash of note', as: 'text', textHash: 'sha of note' },
        { fileId: PDF.id, hash: 'hash of doc', as: 'file' },
      ],
      warnings: [],
    });
  });

  it('is read by a later attempt as by the first one', async () => {
    const { pinned } = await load([PDF]);
    expect(await load([PDF], { pinned, native: [] })).toMatchObject({ media: [{ kind: 'file' }], pinned });
  });

  it('is not sent where its text is another one than before', async () => {
    const { pinned } = await load([aFile('note')]);
    const other = pinned.map((before) => ({ ...before, textHash: 'sha of something else' }));
    await expect(load([aFile('note')], { pinned: other })).rejects.toMatchObject({
      code: 'ATTACHMENT_UNREADABLE',
      message: expect.stringContaining('its text is read otherwise than when the execution began'),
    });
  });

  it('has as much text together as an input may have; what is cut is said', async () => {
    const { texts, warnings } = await load([aFile('short'), aFile('long'), aFile('late')]);
    expect(texts.map(({ text }) => text.length)).toEqual([5, 199_995, 0]);
    expect(warnings).toEqual([
      'the attached file "long" was cut: it is too long',
      'the attached file "late" was cut: it is too long',
    ]);
  });

  it('ends the run where the model reads no such file', async () => {
    await expect(load([IMAGE], { native: ['pdf'] })).rejects.toMatchObject({ code: 'ATTACHMENT_UNREADABLE' });
  });
});
