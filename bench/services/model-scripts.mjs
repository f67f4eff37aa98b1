// @ts-check
import { WAIT_TOOL } from '../programs/bench-tools.mjs';

// Scripts of `sim-script`, selected by a mark in the user's text.

/** A model that starts an answer and stays silent for longer than any case. */
export const SLOW = 'bench: slow';

/** A model call of a few seconds, during which the worker is killed (case g). */
export const UNHURRIED = 'bench: unhurried';

/** Twelve words, streamed after a delay in which the client can connect (case c). */
export const TWELVE_WORDS = 'bench: twelve words';
export const WORDS = 12;
export const WORD_MS = 40;

/** Many rounds with many calls (case i). */
export const THOUSAND_CALLS = 'bench: thousand calls';
export const CALL_ROUNDS = 29;
export const CALLS_PER_ROUND = 35;

/** One call of each of the tenant's tool servers (case o). */
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
    // The simulator splits a text into pieces of six characters.
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
