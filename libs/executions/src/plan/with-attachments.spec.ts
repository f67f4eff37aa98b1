import { describe, expect, it } from '@jest/globals';
import { LeaseLostError, type StopReason } from '#libs/agent-core';
import type { AttachedFile } from '#libs/tooling';
import { aClaim } from '../../../../test/support/builders/claim.js';
import { AttachedRoom } from '../attachments/attached-room.js';
import { heldBytes, takeAttachedRoom } from './with-attachments.js';

function aFile(media_type: string, size_bytes: number): AttachedFile {
  const id = `01999999-9999-7999-8999-${String(size_bytes).padStart(12, '0')}`;
  return { id, name: 'a file', media_type, size_bytes, sha256: 'a hash' };
}
const IMAGE = aFile('image/png', 30);
const TEXT = aFile('text/plain', 60);

const aClaimWith = (attachments: readonly AttachedFile[]) =>
  aClaim({
    request: { input: 'What?', options: {}, additional_data: { attachments: [...attachments] } },
  });

/** Reserves memory for one execution with these files. */
function take(attachments: readonly AttachedFile[], room: AttachedRoom) {
  const [stop, drain] = [new AbortController(), new AbortController()];
  const endings: (() => Promise<void>)[] = [];
  const taking = takeAttachedRoom(room, {
    claim: aClaimWith(attachments),
    signals: { abort: stop.signal, drain: drain.signal },
    onEnd: (close) => endings.push(close),
  });
  return { taking, stop, drain, end: () => Promise.all(endings.map((close) => close())) };
}

const isThereRoom = async (room: AttachedRoom, bytes: number): Promise<boolean> => {
  const held = await room.take('another tenant', bytes, [AbortSignal.abort()]);
  held?.end();
  return held !== null;
};

describe('an execution that came with files', () => {
  it('holds room for them until its attempt ends', async () => {
    const room = new AttachedRoom(100);
    const { taking, end } = take([IMAGE, TEXT], room);
    expect(await taking).toMatchObject({});
    expect([await isThereRoom(room, 11), await isThereRoom(room, 10)]).toEqual([false, true]);
    await end();
    expect(await isThereRoom(room, 100)).toBe(true);
  });

  it('needs no more of it than for what goes to its model as it is', () => {
    const pinned = [
      { fileId: IMAGE.id, hash: '', as: 'image' as const },
      { fileId: TEXT.id, hash: '', as: 'text' as const },
    ];
    const loaded = { media: [], texts: [], warnings: [], pinned };
    expect(heldBytes(aClaimWith([IMAGE, TEXT]), loaded)).toBe(30);
  });

  it('without any holds none', async () => {
    const room = new AttachedRoom(100);
    expect(await take([], room).taking).toBeNull();
    expect(await isThereRoom(room, 100)).toBe(true);
  });

  it('waits for room that another one holds', async () => {
    const room = new AttachedRoom(100);
    const other = await room.take('another', 50, []);
    const { taking, end } = take([IMAGE, TEXT], room);
    expect(room.waiting).toBe(1);
    other?.end();
    expect(await taking).not.toBeNull();
    await end();
  });

  it.each<[StopReason, string]>([
    ['cancelled', 'stopped'],
    ['deadline', 'stopped'],
  ])('and waits when it meets its end (%s) has %s', async (reason, outcome) => {
    const room = new AttachedRoom(100);
    await room.take('another', 50, []);
    const { taking, stop } = take([IMAGE, TEXT], room);
    stop.abort(reason);
    expect([await taking, room.waiting]).toEqual([outcome, 0]);
  });

  it('and waits when its process is to end is left to another', async () => {
    const room = new AttachedRoom(100);
    await room.take('another', 50, []);
    const { taking, drain } = take([IMAGE, TEXT], room);
    drain.abort();
    expect([await taking, room.waiting]).toEqual(['drained', 0]);
  });

  it('gives up its wait when another execution holds the room', async () => {
    const room = new AttachedRoom(100);
    await room.take('another', 50, []);
    const { taking, stop } = take([IMAGE, TEXT], room);
    stop.abort('lease_lost' satisfies StopReason);
    await expect(taking).rejects.toBeInstanceOf(LeaseLostError);
  });
});
