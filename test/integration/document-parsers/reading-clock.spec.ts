import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ChildProcessParser } from '#libs/document-parsers';
import { programFile } from '../../../scripts/build/programs.ts';

const TIME_MS = 60_000;
const LIMITS = { timeoutMs: TIME_MS, mostRssBytes: 1_024 * 2 ** 20, mostChars: 1_000 };
const program = join(import.meta.dirname, '../../..', programFile('parse-program'));

/** Fakes only `setTimeout`, that is, the parser's time limit; processes and their pipes use real timers. */
beforeEach(() => {
  jest.useFakeTimers({
    doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval'],
  });
});
afterEach(() => {
  jest.useRealTimers();
});

it('a document has all its time from its last byte on, however long that has taken', async () => {
  const { promise: rest, resolve: comeIn } = Promise.withResolvers<undefined>();
  const slow = async function* () {
    yield await Promise.resolve(Buffer.from('one'));
    await rest;
  };
  const hints = { fileName: 'a.txt', mediaType: null };
  const parser = new ChildProcessParser({ ...LIMITS, program });
  const read = async (): Promise<unknown[]> => {
    const { blocks } = await parser.parse(slow(), hints, new AbortController().signal);
    const texts: unknown[] = [];
    for await (const batch of blocks) texts.push(...batch);
    return texts;
  };
  const reading = expect(read()).resolves.toMatchObject([{ text: 'one' }]);
  jest.advanceTimersByTime(TIME_MS - 1);
  comeIn(undefined);
  await new Promise(setImmediate);
  jest.advanceTimersByTime(TIME_MS - 1);
  await reading;
});
