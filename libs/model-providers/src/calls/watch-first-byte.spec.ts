import { describe, expect, it } from '@jest/globals';
import { watchFirstByte } from './watch-first-byte.js';

describe('watchFirstByte', () => {
  it('calls back once, as soon as anything comes: a comment will do', async () => {
    let reported = 0;
    const watched = watchFirstByte(new Response(': thinking\n\ndata: {}\n\n'), () => (reported += 1));
    expect(reported).toBe(0);
    expect(await watched.text()).toBe(': thinking\n\ndata: {}\n\n');
    expect(reported).toBe(1);
  });

  it('keeps quiet where nothing comes', async () => {
    let reported = 0;
    expect(await watchFirstByte(new Response(''), () => (reported += 1)).text()).toBe('');
    expect(reported).toBe(0);
  });
});
