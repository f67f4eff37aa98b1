import { beforeEach, describe, expect, it } from '@jest/globals';
import { UploadRoom } from './upload-room.js';

let room: UploadRoom;
beforeEach(() => {
  room = new UploadRoom(100);
});

describe('room for uploads', () => {
  it('is for half of it at most with one tenant, and for all of it with several', () => {
    room.take('a', 50);
    expect(() => room.take('a', 1)).toThrow(
      expect.objectContaining({ code: 'UPLOAD_LIMIT', kind: 'limit_exceeded', retryAfterSeconds: 5 }),
    );
    room.take('b', 50);
    expect(() => room.take('c', 1)).toThrow(
      expect.objectContaining({ code: 'TOO_MANY_UPLOADS', kind: 'unavailable', retryAfterSeconds: 5 }),
    );
  });

  it('is there again for others when an upload has ended', () => {
    const ends = [room.take('a', 30), room.take('b', 50)];
    ends[0]?.();
    expect(() => room.take('a', 51)).toThrow(expect.objectContaining({ code: 'TOO_MANY_UPLOADS' }));
    room.take('a', 50);
    ends[1]?.();
    room.take('b', 50);
  });

  it('is given to one file, however large, where nothing else comes', () => {
    const end = room.take('a', 1_000);
    expect(() => room.take('b', 1)).toThrow(expect.objectContaining({ code: 'TOO_MANY_UPLOADS' }));
    end();
    room.take('b', 1_000);
  });
});
