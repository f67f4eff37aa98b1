import type { Mutant } from './mutant.js';

const STORE = 'libs/persistence/src/resources/file.store.ts';
const STORE_SPEC = 'test/integration/persistence/files.spec.ts';
const API_SPEC = 'test/integration/api/files/files.spec.ts';
const MEDIA = 'libs/document-parsers/src/media-type.ts';
const MEDIA_SPEC = 'libs/document-parsers/src/media-type.spec.ts';
const LOAD = 'libs/executions/src/attachments/load-attachments.ts';
const LOAD_SPEC = 'libs/executions/src/attachments/load-attachments.spec.ts';
const ATTACHED_ROOM = 'libs/executions/src/attachments/attached-room.ts';
const ROOM_SPEC = 'libs/executions/src/attachments/attached-room.spec.ts';
const READING = 'libs/executions/src/plan/take-attached-room.ts';
const READING_SPEC = 'libs/executions/src/plan/take-attached-room.spec.ts';
const ATTACHED = 'apps/api/src/executions/attached-files.ts';
const ATTACHED_SPEC = 'test/integration/api/executions/attachments.spec.ts';
const WORKER_SPEC = 'test/integration/worker/messages/attachments.spec.ts';
const ANNOTATIONS = 'libs/payloads/src/responses/read-annotations.ts';
const ANNOTATIONS_SPEC = 'libs/payloads/src/responses/read-annotations.spec.ts';

type Row = readonly [file: string, spec: string, find: string, replace: string, why: string];

const ROWS: readonly Row[] = [
  [
    STORE,
    STORE_SPEC,
    'AND NOT EXISTS (SELECT 1 FROM held WHERE held.id = file.id::text)',
    '',
    'the bytes of a file go while an execution waits that needs them',
  ],
  [
    STORE,
    STORE_SPEC,
    "interval '2 minutes'",
    "interval '0 minutes'",
    'what is just being accepted loses its files',
  ],
  [STORE, STORE_SPEC, '${IS_THERE} OR ${IS_PAST_GRACE}', '${IS_THERE}', 'what is held costs no room'],
  [
    STORE,
    STORE_SPEC,
    'WITH taken_over AS (DELETE FROM blob_disposal WHERE blob_key = $7)',
    'WITH taken_over AS (SELECT $7::text)',
    'the bytes of a file are removed after an hour',
  ],
  [
    STORE,
    API_SPEC,
    "if (bound !== null) return { kind: 'over_quota', bound };",
    '',
    'a tenant keeps what it likes',
  ],
  [
    STORE,
    API_SPEC,
    'expires_at > now() AND expires_at <= latest',
    'expires_at > now()',
    'a file is kept for ever',
  ],
  [
    MEDIA,
    MEDIA_SPEC,
    "return this.hasWordPart ? OF_KIND.docx : 'application/zip';",
    'return OF_KIND.docx;',
    'any archive is a document',
  ],
  [
    MEDIA,
    MEDIA_SPEC,
    'const joined = Buffer.concat([this.seam, bytes]);',
    'const joined = bytes;',
    'what a file is depends on how it comes',
  ],
  [
    LOAD,
    LOAD_SPEC,
    'if (hashBefore !== undefined && hashBefore !== hash)',
    'if (hashBefore === hash && hash === text)',
    'a later attempt sends another text',
  ],
  [LOAD, LOAD_SPEC, 'before?.as ?? readingWayOf', 'readingWayOf', 'a later attempt sends a file otherwise'],
  [LOAD, LOAD_SPEC, 'this.roomChars -= text.length;', '', 'texts of files have no bound together'],
  [
    ATTACHED,
    ATTACHED_SPEC,
    'if (bytes > MOST_ATTACHED_BYTES) throw tooLarge();',
    '',
    'files of any size are sent',
  ],
  [
    ATTACHED,
    ATTACHED_SPEC,
    'attached.map(toAttached)',
    'data[ATTACHMENTS_KEY] as never',
    'a client says what its files are',
  ],
  [
    'apps/worker/src/attachments/stored-attachments.ts',
    WORKER_SPEC,
    "if (createHash('sha256').update(whole).digest('hex') !== file.sha256) throw lost(file);",
    '',
    'other bytes are sent than were attached',
  ],
  [
    'libs/agent-core/src/scopes/run-scope.ts',
    WORKER_SPEC,
    'preparation.retrieval === undefined && preparation.attachments === undefined',
    'preparation.retrieval === undefined',
    'how files are sent is not pinned before the model has answered',
  ],
  [
    'libs/agent-core/src/foreign-content.ts',
    WORKER_SPEC,
    'if ((preparation?.attachments?.length ?? 0) > 0) return true;',
    '',
    'what stands in files may have unsafe calls follow',
  ],
  [
    ATTACHED_ROOM,
    ROOM_SPEC,
    'if (this.taken > 0 && this.taken + next.bytes > this.mostBytes) return;',
    '',
    'a process holds files of any size',
  ],
  [
    ATTACHED_ROOM,
    ROOM_SPEC,
    'if (hasShare && !kept.has(tenantId)) return waiter;',
    'if (hasShare) return waiter;',
    'small requests of a tenant keep its large one waiting for ever',
  ],
  [
    ATTACHED_ROOM,
    ROOM_SPEC,
    'own === 0 || own + bytes <= this.mostBytes * TENANT_SHARE',
    'own <= this.mostBytes',
    'one tenant takes all the room for files',
  ],
  [READING, READING_SPEC, 'held.end();', '', 'room is held by executions that have ended'],
  [
    READING,
    READING_SPEC,
    "if (!stop.aborted) return 'drained';",
    '',
    'an execution ends with the process that it waits in',
  ],
  [ANNOTATIONS, ANNOTATIONS_SPEC, 'place + offset', 'place', 'places are those of another part'],
  [ANNOTATIONS, ANNOTATIONS_SPEC, '|| length > room', '', 'a provider fills the journal'],
];

/** Files of tenants: typed by their bytes, kept while they are needed, and sent unchanged. */
export const FILE_MUTANTS: readonly Mutant[] = ROWS.map(([file, spec, find, replace, why]) => ({
  row: 'files',
  ...{ file, spec, find, replace, why },
}));
