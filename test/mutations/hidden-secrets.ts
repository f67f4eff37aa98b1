import type { Mutant } from './mutant.js';

const HIDE = 'libs/tool-sources/src/servers/hide-secrets.ts';
const PARTS = 'libs/tool-sources/src/servers/hide-parts.ts';
const ECHO_SPEC = 'libs/tool-sources/src/servers/without-credentials.spec.ts';
const PARTS_SPEC = 'libs/tool-sources/src/servers/hide-parts.spec.ts';

/** Credentials that a tool server echoes in its answers. */
export const HIDDEN_SECRET_MUTANTS: readonly Mutant[] = [
  {
    row: 'foreign',
    file: HIDE,
    find: "(secret) => Buffer.from(secret).toString('base64url'),",
    replace: '',
    spec: ECHO_SPEC,
    why: 'a token comes back in the other alphabet of Base64',
  },
  {
    row: 'foreign',
    file: HIDE,
    find: 'return [...tokens, ...Object.values(security)',
    replace: 'return [...Object.values(security)',
    spec: ECHO_SPEC,
    why: 'the first half of a token is shown by a service that cuts its answers',
  },
  {
    row: 'foreign',
    file: PARTS,
    find: 'place = Math.max(0, block - STEP + 1)',
    replace: 'place = block',
    spec: PARTS_SPEC,
    why: 'a part of a token is shown unless it stands at the right place',
  },
  {
    row: 'foreign',
    file: PARTS,
    find: 'ASCII.test(each)',
    replace: 'each.length > 0',
    spec: PARTS_SPEC,
    why: 'half of a character is left of a text, which no database takes',
  },
  {
    row: 'foreign',
    file: 'libs/tool-sources/src/servers/without-credentials.ts',
    find: 'error.message = hide(error.message);',
    replace: '',
    spec: ECHO_SPEC,
    why: 'the error of a call carries a token into the audit',
  },
];
