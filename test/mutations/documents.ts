import type { Mutant } from './mutant.js';
import { OPERATED_MUTANTS } from './operated-documents.js';
import { PUT_OFF_MUTANTS } from './put-off-documents.js';
import { READ_DOCUMENT_MUTANTS } from './read-documents.js';

const CHUNKER = 'libs/knowledge/src/chunks/chunker.ts';
const CHUNKER_SPEC = 'libs/knowledge/src/chunks/chunker.spec.ts';
const STEPS = 'libs/knowledge/src/ingest/ingestion-steps.ts';
const EMBED = 'libs/knowledge/src/ingest/embed-texts.ts';
const INGEST_SPEC = 'libs/knowledge/src/ingest/ingest-document.spec.ts';
const PASSING_SPEC = 'libs/knowledge/src/ingest/passing-failures.spec.ts';
const STORE = 'libs/persistence/src/knowledge/ingestion.store.ts';
const STORE_SQL = 'libs/persistence/src/knowledge/ingestion-sql.ts';
const KNOWLEDGE_SQL = 'libs/persistence/src/knowledge/knowledge-sql.ts';
const CHANGES = 'libs/persistence/src/knowledge/document-changes.store.ts';
const STORE_SPEC = 'test/contract/knowledge/knowledge.spec.ts';
const FILES = 'libs/blob-store/src/files/file-blobs.ts';
const FILES_SPEC = 'test/contract/blobs/blobs.spec.ts';
const GIVEN_SPEC = 'test/integration/api/documents/documents.spec.ts';
const PARSE_SPEC = 'libs/document-parsers/src/child/parse-document.spec.ts';

/** Documents: no text is lost or embedded twice, and a worker writes only with a valid claim. */
export const DOCUMENT_MUTANTS: readonly Mutant[] = [
  ...(
    [
      ['this.repeated = 0;', '', 'what begins under other headings is taken for repeated'],
      [
        'if (tokens > overlapTokens) break;',
        'if (tokens > 2 * overlapTokens + 9) break;',
        'more is repeated than is allowed',
      ],
    ] as const
  ).map(([find, replace, why]) => ({
    row: 'documents',
    file: CHUNKER,
    find,
    replace,
    spec: CHUNKER_SPEC,
    why,
  })),
  {
    row: 'documents',
    file: STEPS,
    find: 'if (!checked.isSame()) return await this.fail(ORIGINAL_LOST);',
    replace: '',
    spec: INGEST_SPEC,
    why: 'a file that was exchanged is taken for the document',
  },
  {
    row: 'documents',
    file: EMBED,
    find: "const state = this.lost.aborted ? 'unknown' : 'failed';",
    replace: "const state = 'failed' as const;",
    spec: INGEST_SPEC,
    why: 'a call that was given up counts as one that cost nothing',
  },
  {
    row: 'documents',
    file: STORE_SQL,
    find: "updateUsageSql({ execution: '$1', row: '$5' })",
    replace:
      "updateUsageSql({ execution: '(SELECT id FROM document_ingestion WHERE id = $1 AND claim_token = $2)', row: '$5' })",
    spec: STORE_SPEC,
    why: 'what is paid for the vectors of a document that is removed meanwhile stands nowhere',
  },
  {
    row: 'documents',
    file: STORE_SQL,
    find: "'try_number', 1, 'state', 'unknown', 'model', datasource.embed_model)) AS rows",
    replace: "'try_number', 1, 'state', 'unknown', 'model', datasource.embed_model)) - 0 AS rows",
    spec: STORE_SPEC,
    why: 'nobody accounts for the call of a worker that was lost',
  },
  {
    row: 'documents',
    file: STEPS,
    find: 'const isPassing = tries + 1 < MAX_LOSSES;',
    replace: 'const isPassing = true;',
    spec: PASSING_SPEC,
    why: 'a document that ends whatever reads it is read for ever',
  },
  {
    row: 'documents',
    file: EMBED,
    find: "if (this.drain.aborted) return { kind: 'put_off', delayMs: 0 };",
    replace: '',
    spec: PASSING_SPEC,
    why: 'a process that is to end goes on asking',
  },
  {
    row: 'documents',
    file: EMBED,
    find: 'vector?.length === dimensions ? toHalfVector(vector) : null',
    replace: 'vector === undefined ? null : toHalfVector(vector)',
    spec: INGEST_SPEC,
    why: 'a vector of other dimensions is kept',
  },
  {
    row: 'documents',
    file: STORE,
    find: "if ((await findUnembedded(manager, fence, 1)).length > 0) return 'incomplete';",
    replace: '',
    spec: STORE_SPEC,
    why: 'a document is searched without all of its vectors',
  },
  {
    row: 'documents',
    file: STORE_SQL,
    find: 'losses = losses + is_loss::int',
    replace: 'losses = losses',
    spec: STORE_SPEC,
    why: 'a document that kills its workers goes on doing so',
  },
  {
    row: 'documents',
    file: KNOWLEDGE_SQL,
    find: 'AND NOT (chunk.document_id = $2 AND chunk.generation = ANY($3::int[])))',
    replace: ')',
    spec: STORE_SPEC,
    why: 'vectors stay when the last document goes that they belong to',
  },
  {
    row: 'documents',
    file: 'libs/persistence/src/knowledge/repeated-upload.ts',
    find: "known.request_sha256 === requestSha256 ? { kind: 'repeated', id: known.id } : { kind: 'key_reused' }",
    replace: "({ kind: 'repeated', id: known.id })",
    spec: STORE_SPEC,
    why: 'a document is taken for another one that came under the same key',
  },
  {
    row: 'documents',
    file: 'libs/persistence/src/knowledge/repeated-upload.ts',
    find: 'created_at > now() - ${KNOWN_FOR}',
    replace: 'true',
    spec: 'test/integration/api/idempotency/uploads.spec.ts',
    why: 'a key can never be used again',
  },
  {
    row: 'documents',
    file: 'apps/api/src/documents/documents.service.ts',
    find: '      await this.givenDocuments.drop(given);\n      return {',
    replace: '      return {',
    spec: 'test/integration/api/idempotency/uploads.spec.ts',
    why: 'each repeated upload leaves a file that nobody refers to',
  },
  {
    row: 'documents',
    file: CHANGES,
    find: "throw new Refusal({ kind: 'over_quota', bound });",
    replace: "return { kind: 'over_quota', bound };",
    spec: STORE_SPEC,
    why: 'a replacement that is refused ends the one on its way',
  },
  {
    row: 'documents',
    file: CHANGES,
    find: "return given.source === 'url' ? 1",
    replace: "return given.source === 'url' ? 0",
    spec: STORE_SPEC,
    why: 'a tenant whose store is full has URLs fetched all the same',
  },
  {
    row: 'documents',
    file: STEPS,
    find: "if (kept !== 'written') await this.drop(blobKey);",
    replace: '',
    spec: 'libs/knowledge/src/ingest/fetched-documents.spec.ts',
    why: 'what was fetched beyond the quota stays in the store',
  },
  {
    row: 'documents',
    file: STORE,
    find: 'progress_done = progress_total, ',
    replace: '',
    spec: STORE_SPEC,
    why: 'a document that is ready never shows so',
  },
  {
    row: 'documents',
    file: CHANGES,
    find: 'except: document.liveGeneration ?? 0',
    replace: 'except: null',
    spec: STORE_SPEC,
    why: 'a document that is replaced is not found until it is ready',
  },
  {
    row: 'documents',
    file: CHANGES,
    find: "if (given.source !== 'url') await manager.delete(",
    replace: "if (given.source === 'text') await manager.delete(",
    spec: STORE_SPEC,
    why: 'the file of a document is removed after an hour',
  },
  {
    row: 'documents',
    file: 'libs/blob-store/src/blob-key.ts',
    find: "if (!KEY.test(key)) throw new Error('this is no key of a blob');",
    replace: '',
    spec: FILES_SPEC,
    why: 'a key leads out of the folder',
  },
  {
    row: 'documents',
    file: FILES,
    find: 'await rm(beside, { force: true });',
    replace: '',
    spec: FILES_SPEC,
    why: 'what broke off stays on the disk',
  },
  {
    row: 'documents',
    file: 'libs/document-parsers/src/docx/word-package.ts',
    find: "if (entry.uncompressedSize > MAX_PART_BYTES) throw new UnreadableDocumentError('too_complex');",
    replace: '',
    spec: PARSE_SPEC,
    why: 'an archive that says how huge it is is unpacked',
  },
  {
    row: 'documents',
    file: 'libs/blob-store/src/s3/s3-blobs.ts',
    find: 'if (rest === null || rest.headers.etag !== etag) {',
    replace: 'if (rest === null) {',
    spec: 'test/contract/blobs/s3-faults.spec.ts',
    why: 'a download that broke off goes on with another object',
  },
  {
    row: 'documents',
    file: 'libs/blob-store/src/s3/s3-blobs.ts',
    find: "error.code !== 'NoSuchBucket'",
    replace: 'error.code !== null',
    spec: 'test/contract/blobs/s3-faults.spec.ts',
    why: 'a bucket that is missing looks like a blob that is missing',
  },
  {
    row: 'documents',
    file: 'libs/blob-store/src/s3/spooled-bytes.ts',
    find: 'position: at }',
    replace: 'position: null }',
    spec: 'test/contract/blobs/s3-faults.spec.ts',
    why: 'what is tried again is sent empty',
  },
  {
    row: 'documents',
    file: 'libs/config/src/blobs-config.ts',
    find: 'if (!NEEDED.some(isSet)) return [];',
    replace: 'if (!NEEDED.every(isSet)) return [];',
    spec: 'libs/config/src/parse-env.spec.ts',
    why: 'a bucket that is half set up is taken',
  },
  ...(
    [
      [
        'documents/given-documents.ts',
        'if (!mayBeCalled(url, tenantId, NO_PRIVATE_HOSTS)) throw refusedUrl();',
        'a URL that leads inside is taken',
        GIVEN_SPEC,
      ],
      [
        'uploads/take-upload.ts',
        'for (const original of kept) await target.drop(original);',
        'the file of a form that is wrong stays',
        GIVEN_SPEC,
      ],
      [
        'uploads/blob-keeper.ts',
        'await this.disposals.announceBlob(tenantId, blobKey, announcedMs(mostBytes));',
        'nobody removes the file of a process that died',
        'apps/api/src/uploads/blob-keeper.spec.ts',
      ],
    ] as const
  ).map(([name, find, why, spec]) => ({
    row: 'documents',
    file: `apps/api/src/${name}`,
    find,
    replace: '',
    spec,
    why,
  })),
  {
    row: 'documents',
    file: 'apps/api/src/documents/documents.service.ts',
    find: 'await this.givenDocuments.drop(given);\n    switch',
    replace: 'switch',
    spec: GIVEN_SPEC,
    why: 'the file of a document that is refused stays',
  },
  ...OPERATED_MUTANTS,
  ...PUT_OFF_MUTANTS,
  ...READ_DOCUMENT_MUTANTS,
];
