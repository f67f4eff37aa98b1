import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import type { Failpoint } from '../programs/failpoints.js';
import { FilesLane } from '../services/files-lane.js';

const TIMEOUT_MS = 120_000;

describe('files, where processes are killed, with the queue in PostgreSQL', () => {
  outliveProcesses('postgres');
});
describeWithRedis('the same with the queue in Redis', () => {
  outliveProcesses('redis');
});

function outliveProcesses(backend: QueueBackend): void {
  let lane: FilesLane;
  let attachments: readonly { readonly id: string }[];
  beforeAll(async () => {
    lane = await FilesLane.open(backend);
    attachments = [
      await lane.upload('invoice.md', '# Invoice\n\nTwelve cases of tomatoes.'),
      await lane.upload('tomato.png', Buffer.from('\x89PNG\r\n\x1a\n a tomato', 'latin1')),
    ];
  }, TIMEOUT_MS);
  afterAll(() => lane.close(), TIMEOUT_MS);

  it.each<[Failpoint, number]>([
    ['model.before_call', 1],
    ['model.after_response_before_commit', 2],
  ])(
    'a worker that dies at %s has a successor that sends the same files',
    async (point, requests) => {
      const trap = lane.board.arm(point);
      const id = await lane.ask('What is this?', attachments);
      await lane.killAt(trap);
      expect(await lane.answerOf(id)).toMatch(/^What is this\?\n\n.*Twelve cases of tomatoes\./s);
      const sent = await lane.takeQuestions();
      expect(sent).toHaveLength(requests);
      expect(new Set(sent).size).toBe(1);
      expect(sent[0]).toContain(Buffer.from('\x89PNG\r\n\x1a\n a tomato', 'latin1').toString('base64'));
    },
    TIMEOUT_MS,
  );

  it(
    'an API that dies during an upload leaves nothing visible, and nothing permanent',
    async () => {
      const before = await lane.list();
      await lane.killWhileUploading();
      expect(await lane.list()).toEqual(before);
      const [left, ...more] = await lane.announcedBlobs();
      expect(more).toEqual([]);
      expect(await lane.filesOf(left ?? '')).not.toEqual([]);
      await lane.endAnnouncements();
      await lane.untilRemoved(left ?? '');
    },
    TIMEOUT_MS,
  );
}
