// @ts-check
import { WAIT_TOOL } from '../programs/bench-tools.mjs';

// What `sim-script` answers, chosen by a mark in the user's text.

/** A model that begins to answer and then is silent for longer than any case runs. */
export const SLOW = 'bench: slow';

/** A model call of a few seconds, to be killed in (case g). */
export const UNHURRIED = 'bench: unhurried';

/** Twelve words, one after the other as a model says them, after a moment in which a client can begin to listen (case c). */
export const TWELVE_WORDS = 'bench: twelve words';
export const WORDS = 12;
export const WORD_MS = 40;

/** Many rounds of many calls (case i). */
export const THOUSAND_CALLS = 'bench: thousand calls';
export const CALL_ROUNDS = 29;
export const CALLS_PER_ROUND = 35;

/** The tool servers of each tenant, and one call of each (case o). */
export const FIVE_SERVERS = 'bench: five servers';
export const SERVERS = /** @type {const} */ ([
  { name: 'crm', type: 'http', path: '/stateless' },
  { name: 'mail', type: 'http', path: '/stateless' },
  { name: 'files', type: 'http', path: '/mcp' },
  { name: 'parcels', type: 'openapi', path: '' },
  { name: 'bills', type: 'openapi', path: '' },
]);

export const SCRIPTS = [
  { contains: SLOW, answers: [{ text: 'Never said.', latency: { delta_ms: 600_000 } }] },
  { contains: UNHURRIED, answers: [{ text: 'There.', latency: { headers_ms: 4_000 } }], then: 'repeat_last' },
  {
    contains: TWELVE_WORDS,
    // The simulator cuts a text into pieces of six characters.
    answers: [{ text: 'Hello '.repeat(WORDS), latency: { headers_ms: 250, delta_ms: WORD_MS } }],
  },
  {
    contains: THOUSAND_CALLS,
    answers: [
      ...Array.from({ length: CALL_ROUNDS }, () => ({
        calls: Array.from({ length: CALLS_PER_ROUND }, () => waitCall(0)),
      })),
      { text: 'Done.' },
    ],
  },
  {
    contains: FIVE_SERVERS,
    answers: [
      { calls: SERVERS.map(({ name }) => ({ name: `mcp__${name}__find`, arguments: { id: '7' } })) },
      { text: 'Done.' },
    ],
  },
];

/** @param {number} milliseconds */
function waitCall(milliseconds) {
  return { name: WAIT_TOOL, arguments: { milliseconds } };
}
