import type { Mutant } from './mutant.js';

const REPORTING = 'libs/blob-store/src/reporting-blobs.ts';
const REPORTING_SPEC = 'libs/blob-store/src/reporting-blobs.spec.ts';
const FILES = 'libs/blob-store/src/files/file-blobs.ts';
const OUTAGES_SPEC = 'test/integration/api/file-store-outages.spec.ts';
const ARRIVALS = 'libs/http-server/src/body-arrivals.ts';
const ARRIVAL = 'libs/http-server/src/body-arrival.ts';
const SLOW_SPEC = 'test/integration/api/slow-bodies.spec.ts';
const ROOM = 'apps/api/src/uploads/upload-room.ts';
const ROOM_SPEC = 'apps/api/src/uploads/upload-room.spec.ts';
const COMPRESSION = 'apps/api/src/http/compression.ts';
const CONTENT_SPEC = 'test/integration/api/document-content.spec.ts';
const WATCH = 'apps/worker/src/ingest/blob-watch.ts';
const WATCH_SPEC = 'apps/worker/src/ingest/blob-watch.spec.ts';

type Mistake = readonly [file: string, find: string, replace: string, spec: string, why: string];
const MISTAKES: readonly Mistake[] = [
  [
    REPORTING,
    'if (source.hasThrown(error)) throw error;',
    '',
    REPORTING_SPEC,
    'a client that goes away counts as a failure of the store',
  ],
  [
    REPORTING,
    'await parts.return?.();',
    '',
    REPORTING_SPEC,
    'a download that nobody begins leaves its file open',
  ],
  [
    FILES,
    'await access(this.folder, constants.R_OK);',
    '',
    OUTAGES_SPEC,
    'a disk that is not there makes documents lost',
  ],
  [
    ARRIVALS,
    "request.socket.once('close', () => request.destroy(new BodyBrokenOff()));",
    '',
    SLOW_SPEC,
    'whoever reads a body that was refused waits for ever',
  ],
  [
    ARRIVALS,
    'return mayBeLong && request.readableLength >= request.readableHighWaterMark;',
    'return mayBeLong && request.readableLength < 0;',
    SLOW_SPEC,
    'a client is blamed for a slow disk',
  ],
  [
    ARRIVALS,
    'if (found !== undefined) found.mayBeLong = true;',
    'if (found === null) return;',
    SLOW_SPEC,
    'a large file has to come within a minute',
  ],
  [
    ARRIVAL,
    'const forBytesMs = mayBeLong ? ',
    'const forBytesMs = mayBeLong || bytes > 0 ? ',
    'libs/http-server/src/body-arrival.spec.ts',
    'any body may take as long as it likes',
  ],
  [
    ROOM,
    'own + bytes > this.mostBytes * TENANT_SHARE',
    'own + bytes > this.mostBytes',
    ROOM_SPEC,
    'one tenant takes all the room for uploads',
  ],
  [
    ROOM,
    'else this.takenBy.delete(tenantId);',
    '',
    ROOM_SPEC,
    'a tenant keeps the room of uploads that have ended',
  ],
  [
    COMPRESSION,
    "request.headers['x-no-compression'] = 'true';",
    'void request;',
    CONTENT_SPEC,
    'a download does not say how long it is',
  ],
  [
    WATCH,
    '!this.isLooking && now - this.lookedAt >= LOOK_EVERY_MS',
    '!this.isLooking',
    WATCH_SPEC,
    'each probe asks the store',
  ],
];

/** Documents in operation: stores that fail, clients that are slow, and those who come together. */
export const OPERATED_MUTANTS: readonly Mutant[] = MISTAKES.map(([file, find, replace, spec, why]) => ({
  ...{ row: 'documents', file, find, replace, spec, why },
}));
