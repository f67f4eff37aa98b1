import { afterEach, describe, expect, it } from '@jest/globals';
import { json, scriptedFetch } from '../../fakes/scripted-fetch.js';
import { Capstan } from './capstan.js';

const FILE = new File(['x'.repeat(150_000)], 'long.txt');

/** Enough of the XMLHttpRequest of a browser. */
class FakeXhr {
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload: () => void = () => undefined;
  onloadend: () => void = () => undefined;
  status = 201;
  responseText = '{"id":"f1"}';
  open(): void {}
  setRequestHeader(): void {}
  abort(): void {}
  getAllResponseHeaders = (): string => 'x-request-id: r-9\r\n';
  send(): void {
    this.upload.onprogress?.({ loaded: 5, total: 10 });
    this.onload();
    this.onloadend();
  }
}

afterEach(() => void Reflect.deleteProperty(globalThis, 'XMLHttpRequest'));

describe('an upload', () => {
  it('says how much of it is sent', async () => {
    const { fetch } = scriptedFetch(async ({ headers, body }) => {
      const { length } = await new Response(body ?? null).bytes();
      return json({ length, type: headers.get('content-type') }, 201);
    });
    const seen: number[] = [];
    const onProgress = ({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }): void =>
      void seen.push(sentBytes / totalBytes);
    const answer = await new Capstan({ fetch }).files.upload({ file: FILE }, { onProgress });
    expect(answer).toMatchObject({ type: expect.stringContaining('multipart/form-data; boundary=') });
    expect((answer as unknown as { length: number }).length).toBeGreaterThan(150_000);
    expect(seen[0]).toBe(0);
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it('says so in a browser, too, by its XMLHttpRequest', async () => {
    Reflect.set(globalThis, 'XMLHttpRequest', FakeXhr);
    const seen: unknown[] = [];
    const upload = new Capstan({ fetch: scriptedFetch().fetch }).files.upload(
      { file: FILE },
      { onProgress: (progress) => void seen.push(progress) },
    );
    await expect(upload.withResponse()).resolves.toMatchObject({ data: { id: 'f1' }, requestId: 'r-9' });
    expect(seen).toEqual([{ sentBytes: 5, totalBytes: 10 }]);
  });
});
