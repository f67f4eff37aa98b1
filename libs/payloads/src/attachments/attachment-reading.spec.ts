import { describe, expect, it } from '@jest/globals';
import { readingWayOf, type ReadableMedia } from './attachment-reading.js';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('how a file reaches a model', () => {
  it.each<[string, readonly ReadableMedia[], string | null]>([
    ['image/png', ['image'], 'image'],
    ['image/webp', ['image', 'pdf'], 'image'],
    ['image/png', ['pdf'], null],
    ['image/png', [], null],
    ['image/svg+xml', ['image'], null],
    ['application/pdf', ['pdf'], 'file'],
    ['application/pdf', ['image'], 'text'],
    ['application/pdf', [], 'text'],
    ['text/plain', ['image', 'pdf'], 'text'],
    ['text/csv', [], 'text'],
    [WORD, [], 'text'],
    ['application/zip', ['image', 'pdf'], null],
    ['application/octet-stream', ['image', 'pdf'], null],
  ])('%s to a model that reads %j', (mediaType, native, way) => {
    expect(readingWayOf(mediaType, native)).toBe(way);
  });
});
