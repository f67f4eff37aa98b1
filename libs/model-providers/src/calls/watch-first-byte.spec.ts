import { describe, expect, it } from '@jest/globals';
import { watchFirstByte } from './watch-first-byte.js';

describe('watchFirstByte', () => {
  it('tells once, as soon as anything comes: a comment will do', async () => {
    let told = 0;
    const watched = watchFirstByte(new Response(': thinking\n\ndata: {}\n\n'), () => (told += 1));
    expect(told).toBe(0);
    expect(await watched.text()).toBe(': thinking\n\ndata: {}\n\n');
    expect(told).toBe(1);
  });

  it('keeps quiet where nothing comes', async () => {
    let told = 0;
    expect(await watchFirstByte(new Response(''), () => (told += 1)).text()).toBe('');
    expect(told).toBe(0);
  });
});
