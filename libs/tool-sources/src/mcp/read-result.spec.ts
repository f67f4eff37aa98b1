import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { readToolReturn, UNREADABLE_RETURN_TEXT } from '#libs/tooling';
import { compileForeignSchema } from '../json-schema/compile-foreign-schema.js';
import { readResult } from './read-result.js';

const SUM = compileForeignSchema({
  type: 'object',
  properties: { sum: { type: 'number' } },
  required: ['sum'],
});

/** Reads a result like the agent loop. */
function read(answered: unknown, promised = false) {
  return readToolReturn(readResult(answered, promised ? SUM : null), 65_536);
}

const text = (said: string): JsonObject => ({ type: 'text', text: said });

describe('results of a tool of a server', () => {
  it.each<[string, unknown, string]>([
    ['texts, each on lines of its own', { content: [text('one'), text('two')] }, 'one\ntwo'],
    [
      'an error, as one',
      { content: [text('no paper')], isError: true },
      'the tool reports an error:\nno paper',
    ],
    [
      'structured content, where there is no text',
      { structuredContent: { a: 1 } },
      'tool response: {"a":1}.',
    ],
    ['the text beside it, where that says it', { content: [text('1')], structuredContent: { a: 1 } }, '1'],
    [
      'the text and what is structured, where that says more',
      { content: [text('Found 1 item.')], structuredContent: { items: ['A-17'] } },
      'Found 1 item.\ntool response: {"items":["A-17"]}.',
    ],
    ['nothing', { content: [] }, 'the tool answered nothing'],
    ['nothing at all', {}, 'the tool answered nothing'],
    [
      'a resource that is text',
      { content: [{ type: 'resource', resource: { uri: 'file:///a.txt', text: 'A' } }] },
      '[resource file:///a.txt]\nA',
    ],
    [
      'a link to what only the server has',
      { content: [{ type: 'resource_link', uri: 'crm://7', name: 'seven', description: 'The\nseventh' }] },
      '[resource crm://7] seven The seventh',
    ],
    ['a part that is none', { content: [7, text('fine')] }, '[a part of the answer cannot be shown]\nfine'],
    [
      'a part of a kind to come',
      { content: [{ type: 'hologram' }] },
      '[a part of the answer cannot be shown]',
    ],
    ['no list', { content: 'yes', isError: 'no' }, 'the tool answered nothing'],
    ['no object', 'yes', UNREADABLE_RETURN_TEXT],
  ])('%s', (_name, answered, expected) => {
    expect(read(answered).output).toBe(expected);
  });

  it('is kept with its structure for the audit', () => {
    expect(read({ content: [text('3')], structuredContent: { sum: 3 } }, true).result).toEqual({
      status: 'success',
      result: { structured_content: { sum: 3 } },
    });
    expect(read({ content: [], isError: true }).result).toMatchObject({ status: 'error' });
  });

  it.each<[string, unknown, string]>([
    ['is something else', { structuredContent: { sum: 'three' } }, UNREADABLE_RETURN_TEXT],
    ['is missing', {}, UNREADABLE_RETURN_TEXT],
    ['is something else beside a text', { content: [text('3')], structuredContent: [3] }, '3'],
    ['is missing in an error', { content: [text('no')], isError: true }, 'the tool reports an error:\nno'],
  ])('is held to the schema that its server promised: it %s', (_name, answered, expected) => {
    const { output, result } = read(answered, true);
    expect(output).toBe(expected);
    expect(JSON.stringify(result)).not.toContain('structured_content');
  });

  it('has images, sounds and files for the user', () => {
    const { deliveries } = read({
      content: [
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        {
          type: 'resource',
          resource: { uri: 'file:///../../etc/report.pdf', blob: 'AAAA', mimeType: 'application/pdf' },
        },
        { type: 'resource_link', uri: 'https://example.com/x', name: 'x' },
        { type: 'resource_link', uri: 'javascript:alert(1)', name: 'y' },
      ],
    });
    expect(deliveries).toMatchObject([
      { file: { type: 'blob', mime_type: 'image/png', filename: 'image-1.png', size: 3 } },
      { file: { type: 'blob', mime_type: 'audio/wav', filename: 'audio-2.wav' } },
      { file: { type: 'blob', mime_type: 'application/pdf', filename: 'report.pdf' } },
      { file: { type: 'link', url: 'https://example.com/x' } },
    ]);
  });

  it('is bounded, however much it is', () => {
    const parts = Array.from({ length: 5_000 }, () => text('x'.repeat(1_000)));
    const images = Array.from({ length: 100 }, () => ({
      type: 'image',
      data: 'AAAA',
      mimeType: 'image/png',
    }));
    expect(Buffer.byteLength(read({ content: parts }).output)).toBeLessThanOrEqual(65_536);
    expect(read({ content: images }).deliveries).toHaveLength(20);
  });
});
