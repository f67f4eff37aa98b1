import type { Mutant } from './mutant.js';

const KEYS_SPEC = 'test/integration/api/api-keys/changes.spec.ts';
const ROTATION_SPEC = 'test/integration/api/api-keys/rotation.spec.ts';
const MANNERS_SPEC = 'test/integration/api/service/browsers-and-documents.spec.ts';
const TOKENS_SPEC = 'test/integration/api/events/stream-tokens.spec.ts';
const METRICS_SPEC = 'libs/observability/src/metrics/metrics.spec.ts';

const KEYS: readonly Mutant[] = [
  {
    row: 'keys',
    file: 'apps/api/src/api-keys/api-keys.service.ts',
    find: 'if (lacking.length > 0) throw cannotGive(lacking);',
    replace: 'if (lacking.length > scopes.length) throw cannotGive(lacking);',
    spec: KEYS_SPEC,
    why: 'a key of an operator makes one that may do what it may not',
  },
  {
    row: 'keys',
    file: 'libs/persistence/src/resources/api-key-changes.store.ts',
    find: "'$7::timestamptz', '$6::text'",
    replace: "'NULL::timestamptz', 'NULL::text'",
    spec: KEYS_SPEC,
    why: 'a key that is about to end leaves one behind that never does',
  },
  {
    row: 'keys',
    file: 'libs/persistence/src/resources/api-key-changes.store.ts',
    find: 'found.was_usable AND found.ends_in_time AND found.replaced_by IS NULL',
    replace: 'found.was_usable AND found.replaced_by IS NULL',
    spec: KEYS_SPEC,
    why: 'a key that is about to end prolongs itself',
  },
  {
    row: 'keys',
    file: 'libs/persistence/src/resources/api-key-changes.store.ts',
    find: "if (!isForced && (await isLastAdmin(keys, id))) return { kind: 'last_admin' };",
    replace: '',
    spec: KEYS_SPEC,
    why: 'the last key that can manage keys is gone by accident',
  },
  {
    row: 'keys',
    file: 'libs/persistence/src/resources/api-key-changes.store.ts',
    find: "expires_at = least(found.expires_at, now() + $5 * interval '1 second')",
    replace: 'expires_at = found.expires_at',
    spec: ROTATION_SPEC,
    why: 'a key that was replaced is good for ever',
  },
  {
    row: 'keys',
    file: 'libs/persistence/src/entities/api-key.entity.ts',
    find: "WHEN expires_at <= now() THEN 'expired' ",
    replace: '',
    spec: KEYS_SPEC,
    why: 'a key is good after its end',
  },
];

const MANNERS: readonly Mutant[] = [
  {
    row: 'manners',
    file: 'apps/api/src/http/conditional-reads.ts',
    find: "if (!isNamed(tag, singleHeader(request, 'if-none-match'))) return done(null, payload);",
    replace: "if (singleHeader(request, 'if-none-match') === undefined) return done(null, payload);",
    spec: MANNERS_SPEC,
    why: 'a client that has an older answer keeps it as the newest',
  },
  {
    row: 'manners',
    file: 'apps/api/src/http/entity-tag.ts',
    find: 'return `${version}-${hashOfContent(JSON.stringify(view))}`;',
    replace: "return `${version}-${hashOfContent('')}`;",
    spec: 'test/integration/api/documents/documents.spec.ts',
    why: 'whoever polls a document hears for ever that nothing has changed',
  },
  {
    row: 'manners',
    file: 'apps/api/src/http/security-headers.ts',
    find: "const CSP_OF_DATA = { 'default-src': [\"'none'\"],",
    replace: "const CSP_OF_DATA = { 'default-src': [\"'self'\"],",
    spec: MANNERS_SPEC,
    why: 'an answer that is opened in a browser may run scripts',
  },
  {
    row: 'manners',
    file: 'apps/api/src/http/cross-origin.ts',
    find: 'origin: [...origins],',
    replace: 'origin: true,',
    spec: MANNERS_SPEC,
    why: 'pages of every origin may call the API with a key',
  },
  {
    row: 'manners',
    file: 'apps/api/src/http/stream-token.ts',
    find: '.update(`stream token 1\\n${executionId.toLowerCase()}\\n${expiresAt}`)',
    replace: '.update(`stream token 1\\n${expiresAt}`)',
    spec: TOKENS_SPEC,
    why: 'the token of one execution opens the events of every other',
  },
];

const METRICS: readonly Mutant[] = [
  {
    row: 'metrics',
    file: 'libs/observability/src/metrics/bounded-label.ts',
    find: 'values.has(value) ? value : OTHER',
    replace: 'values.has(value) ? value : value',
    spec: METRICS_SPEC,
    why: 'every name that a tenant gives a model is a series of its own',
  },
  {
    row: 'metrics',
    file: 'libs/observability/src/metrics/execution-metrics.ts',
    find: 'TOOL_OUTCOMES.map((outcome) => ({ outcome })),',
    replace: '[],',
    spec: METRICS_SPEC,
    why: 'the first failure of a tool is no increase, and fires no alert',
  },
];

/** The service's outside: API keys, HTTP answers and metrics. */
export const OUTSIDE_MUTANTS: readonly Mutant[] = [...KEYS, ...MANNERS, ...METRICS];
