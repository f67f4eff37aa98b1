import type { Mutant } from './mutant.js';

const REPORTING = 'libs/blob-store/src/reporting-blobs.ts';
const REPORTING_SPEC = 'libs/blob-store/src/reporting-blobs.spec.ts';
const FILES = 'libs/blob-store/src/files/file-blobs.ts';
const OUTAGES_SPEC = 'test/integration/api/files/store-outages.spec.ts';
const ARRIVALS = 'libs/http-server/src/body-arrivals.ts';
const ARRIVAL = 'libs/http-server/src/body-arrival.ts';
const SLOW_SPEC = 'test/integration/api/requests/slow-bodies.spec.ts';
const ROOM = 'apps/api/src/uploads/upload-room.ts';
const ROOM_SPEC = 'apps/api/src/uploads/upload-room.spec.ts';
const COMPRESSION = 'apps/api/src/http/compression.ts';
const CONTENT_SPEC = 'test/integration/api/documents/content.spec.ts';
const REMOVAL = 'apps/worker/src/ingest/remove-blobs.ts';
const REMOVAL_SPEC = 'apps/worker/src/ingest/remove-blobs.spec.ts';
const WATCH = 'apps/worker/src/ingest/blob-watch.ts';
const WATCH_SPEC = 'apps/worker/src/ingest/blob-watch.spec.ts';
const FOLLOWER = 'apps/api/src/documents/document-follower.ts';
const FOLLOWER_SPEC = 'apps/api/src/documents/document-follower.spec.ts';
const EVENTS = 'apps/api/src/documents/document-events.controller.ts';
const EVENTS_SPEC = 'test/integration/api/documents/events.spec.ts';
const KEEPER = 'apps/api/src/uploads/blob-keeper.ts';
const STEPS = 'libs/knowledge/src/ingest/ingestion-steps.ts';
const INGEST_SPEC = 'libs/knowledge/src/ingest/ingest-document.spec.ts';
const PASSING_SPEC = 'libs/knowledge/src/ingest/passing-failures.spec.ts';
const FILES_SPEC = 'test/contract/blobs/blobs.spec.ts';
const PARSER = 'libs/document-parsers/src/child-process-parser.ts';
const PARSER_SPEC = 'test/integration/document-parsers/child-process-parser.spec.ts';
const CLOCK_SPEC = 'test/integration/document-parsers/reading-clock.spec.ts';
const STATE = 'libs/knowledge/src/documents/ingestion-state.ts';
const FETCHED_SPEC = 'libs/knowledge/src/ingest/fetched-documents.spec.ts';
const FETCHER = 'apps/worker/src/ingest/url-fetcher.ts';
const FETCHER_SPEC = 'test/integration/worker/documents/url-fetcher.spec.ts';
const OVERVIEW = 'libs/persistence/src/executions/work-overview.ts';
const OVERVIEW_SPEC = 'test/integration/persistence/work-overview.spec.ts';

type Mistake = readonly [file: string, find: string, replace: string, spec: string, why: string];
const MISTAKES: readonly Mistake[] = [
  [
    STEPS,
    'this.fail(isSame ? errorOfFault(error.fault) : ORIGINAL_LOST)',
    'this.fail(errorOfFault(error.fault))',
    INGEST_SPEC,
    'a file that was exchanged is called the fault of the document',
  ],
  [
    STEPS,
    '.finally(() => (this.tries = texts.failuresInRow))',
    '',
    PASSING_SPEC,
    'failures before a success count for what fails after it',
  ],
  [
    STEPS,
    'this.stop = AbortSignal.any([drain, lost]);',
    'this.stop = lost;',
    PASSING_SPEC,
    'a worker that is to end is lost over what it reads',
  ],
  [
    STEPS,
    'else if (error instanceof BlobStoreUnavailableError)',
    'else if (error === null)',
    PASSING_SPEC,
    'a document fails since the store of files was away',
  ],
  [
    FILES,
    'if (known.length > 0 && !found.includes(true))',
    'if (known.length < 0 && !found.includes(true))',
    FILES_SPEC,
    'a disk that is not mounted loses all documents for good',
  ],
  [
    PARSER,
    'if (this.process.isTimeUp && this.isSourceAwaited) throw new BlobStoreUnavailableError(TOO_LATE);',
    '',
    PARSER_SPEC,
    'a document is called too complex since the store of files was silent',
  ],
  [
    PARSER,
    'this.process.restartClock();',
    '',
    CLOCK_SPEC,
    'a slow download is time that reading does not have',
  ],
  [
    KEEPER,
    'Math.max(ANNOUNCED_MS, longestArrivalMs(mostBytes) + TO_KEEP_MS)',
    'ANNOUNCED_MS',
    'apps/api/src/uploads/blob-keeper.spec.ts',
    'a long upload is removed on its way',
  ],
  [
    REMOVAL,
    'await documents.putOffBlobs([...failures.keys()], PUT_OFF_MS);',
    '',
    REMOVAL_SPEC,
    'files that cannot be removed hold up all others',
  ],
  [
    FETCHER,
    "readRetryAfter(single('retry-after'), this.clock.now())",
    "readRetryAfter(single('retry-after'), 0)",
    FETCHER_SPEC,
    'a server that names the time to ask again is left alone for as long as can be',
  ],
  [
    FETCHER,
    "encoding !== null && encoding !== 'identity'",
    "encoding === 'br'",
    FETCHER_SPEC,
    'compressed bytes are taken for a document',
  ],
  [
    FETCHER,
    'if (statusCode !== 200) {',
    'if (statusCode >= 400) {',
    FETCHER_SPEC,
    'the words of a redirect are taken for the document',
  ],
  [
    STEPS,
    'await fetcher.fetch(url, this.stop)',
    'await fetcher.fetch(url, new AbortController().signal)',
    FETCHED_SPEC,
    'what was removed is fetched to its end',
  ],
  [
    STATE,
    "return stored.hasOriginal ? 'parsing' : 'fetching';",
    "return stored.hasOriginal || stored.state === 'fetching' ? 'parsing' : 'fetching';",
    FETCHED_SPEC,
    'what a lost worker was fetching is read, although it never came',
  ],
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
    'await this.assertPlace();\n      return null;',
    'return null;',
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
    'mayBeLong ? longestArrivalMs(bytes)',
    'mayBeLong || bytes > 0 ? longestArrivalMs(bytes)',
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
  [
    'apps/worker/src/health/connected-health.ts',
    "blobs === null || roles.some((role) => role !== 'ingest')",
    'blobs === null',
    'apps/worker/src/health/store-of-files.spec.ts',
    'an outage of the store takes workers, and APIs beside them, from those who use no documents',
  ],
  [
    KEEPER,
    'if (!(error instanceof BlobStoreUnavailableError)) await this.drop({ blobKey });',
    'await this.drop({ blobKey });',
    OUTAGES_SPEC,
    'a store that fails is asked for more',
  ],
  [
    FOLLOWER,
    'if (id !== known) {',
    'if (id !== seenId) {',
    FOLLOWER_SPEC,
    'what has not changed is said again',
  ],
  [
    FOLLOWER,
    'return endOf(document) !== null && seenId === endIdOf(document);',
    'return endOf(document) !== null && seenId !== null;',
    FOLLOWER_SPEC,
    'a client that was cut off before the end never hears of it',
  ],
  [
    FOLLOWER,
    '    return before;\n',
    '    return null;\n',
    FOLLOWER_SPEC,
    'an outage of the database makes documents deleted',
  ],
  [
    'libs/persistence/src/knowledge/document-view.store.ts',
    "return given.state === 'chunking'",
    "return given.state === 'failed'",
    EVENTS_SPEC,
    'nobody sees how far a large document has come until all of it is read',
  ],
  [
    EVENTS,
    'this.connections.admit(caller, reply.raw, signal);',
    '',
    EVENTS_SPEC,
    'one client holds as many streams as it likes',
  ],
  [
    EVENTS,
    'await this.documents.find(caller.tenantId, id)',
    "await this.queries.find('default', id)",
    EVENTS_SPEC,
    'a stranger follows documents',
  ],
  [
    OVERVIEW,
    'greatest(due_at, lease_expires_at)',
    'due_at',
    OVERVIEW_SPEC,
    'what a lost worker held seems to wait for longer than it does',
  ],
];

/** Documents in operation: failing stores, slow clients, and simultaneous requests. */
export const OPERATED_MUTANTS: readonly Mutant[] = MISTAKES.map(([file, find, replace, spec, why]) => ({
  ...{ row: 'documents', file, find, replace, spec, why },
}));
