import { describe, expect, it } from '@jest/globals';
import { LeaseLostError, type StopReason } from '#libs/agent-core';
import { systemTimers } from '#libs/kernel';
import type { AttachedFile } from '#libs/tooling';
import { aClaim } from '../../../../test/support/builders/claim.js';
import { aStoredContext } from '../../../../test/support/builders/stored-context.js';
import { AttachedRoom } from '../attachments/attached-room.js';
import { AttachmentReader, type FileText } from '../ports/attachment-reader.js';
import { assertUsable } from './usable-context.js';
import { withAttachments } from './with-attachments.js';

class Reader extends AttachmentReader {
  override readBytes(): Promise<Buffer> {
    return Promise.resolve(Buffer.from('bytes'));
  }

  override readText(): Promise<FileText> {
    return Promise.resolve({ text: 'a text', isCut: false });
  }
}

function aFile(media_type: string, size_bytes: number): AttachedFile {
  const id = `01999999-9999-7999-8999-${String(size_bytes).padStart(12, '0')}`;
  return { id, name: 'a file', media_type, size_bytes, sha256: 'a hash' };
}
const IMAGE = aFile('image/png', 30);
const TEXT = aFile('text/plain', 60);

/** One execution with these files, in a process with room for a hundred bytes. */
function read(attachments: readonly AttachedFile[], room: AttachedRoom) {
  const [stop, drain] = [new AbortController(), new AbortController()];
  const endings: (() => Promise<void>)[] = [];
  const request = { input: 'What?', options: {}, additional_data: { attachments: [...attachments] } };
  const reading = withAttachments(
    { attachments: new Reader(), attachedRoom: room, sha256: String, timers: systemTimers },
    assertUsable(aStoredContext()),
    {
      claim: aClaim({ request }),
      model: { nativeMedia: ['image'] },
      signals: { abort: stop.signal, drain: drain.signal },
      onEnd: (close) => endings.push(close),
    },
  );
  return { reading, stop, drain, end: () => Promise.all(endings.map((close) => close())) };
}

const isThereRoom = async (room: AttachedRoom, bytes: number): Promise<boolean> => {
  const held = await room.take('somebody else', bytes, [AbortSignal.abort()]);
  held?.end();
  return held !== null;
};

describe('an execution that came with files', () => {
  it('holds room for what goes to its model as it is, until it ends', async () => {
    const room = new AttachedRoom(100);
    const { reading, end } = read([IMAGE, TEXT], room);
    expect(await reading).toMatchObject({
      attached: { media: [{ kind: 'image' }], texts: [{ text: 'a text' }] },
    });
    expect([await isThereRoom(room, 71), await isThereRoom(room, 70)]).toEqual([false, true]);
    await end();
    expect(await isThereRoom(room, 100)).toBe(true);
  });

  it('without any holds none', async () => {
    const room = new AttachedRoom(100);
    expect(await read([], room).reading).toMatchObject({ attached: null });
    expect(await isThereRoom(room, 100)).toBe(true);
  });

  it('waits for room that another one holds', async () => {
    const room = new AttachedRoom(100);
    const other = await room.take('another', 50, []);
    const { reading, end } = read([IMAGE, TEXT], room);
    expect(room.waiting).toBe(1);
    other?.end();
    expect(await reading).toMatchObject({ attached: {} });
    await end();
  });

  it.each<[StopReason, string]>([
    ['cancelled', 'stopped'],
    ['deadline', 'stopped'],
  ])('and waits when it is %s has %s', async (reason, outcome) => {
    const room = new AttachedRoom(100);
    await room.take('another', 50, []);
    const { reading, stop } = read([IMAGE, TEXT], room);
    stop.abort(reason);
    expect([await reading, room.waiting]).toEqual([outcome, 0]);
  });

  it('and waits when its process is to end is left to another', async () => {
    const room = new AttachedRoom(100);
    await room.take('another', 50, []);
    const { reading, drain } = read([IMAGE, TEXT], room);
    drain.abort();
    expect([await reading, room.waiting]).toEqual(['drained', 0]);
  });

  it('and waits when somebody else has it gives it up', async () => {
    const room = new AttachedRoom(100);
    await room.take('another', 50, []);
    const { reading, stop } = read([IMAGE, TEXT], room);
    stop.abort('lease_lost' satisfies StopReason);
    await expect(reading).rejects.toBeInstanceOf(LeaseLostError);
  });
});
