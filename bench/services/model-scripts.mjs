// @ts-check
import { WAIT_TOOL } from '../programs/bench-tools.mjs';

// What `sim-script` answers, chosen by a mark in the user's text.

/** Model, tool, model, each of a known length (case h). */
export const AGENT_JOB = 'bench: agent job';
export const AGENT_JOB_MODEL_MS = 20;

/** A model that begins to answer and then is silent for longer than any case runs. */
export const SLOW = 'bench: slow';

/** A model call of a few seconds, to be killed in (case g). */
export const UNHURRIED = 'bench: unhurried';

/** Says one word after a moment, in which a client can begin to listen (case c). */
export const ONE_WORD = 'bench: one word';

/** Many rounds of many calls (case i). */
export const THOUSAND_CALLS = 'bench: thousand calls';
export const CALL_ROUNDS = 29;
export const CALLS_PER_ROUND = 35;

const pause = { headers_ms: AGENT_JOB_MODEL_MS };

export const SCRIPTS = [
  {
    contains: AGENT_JOB,
    answers: [
      { calls: [waitCall(10)], latency: pause },
      { text: 'Done.', latency: pause },
    ],
  },
  { contains: SLOW, answers: [{ text: 'Never said.', latency: { delta_ms: 600_000 } }] },
  { contains: UNHURRIED, answers: [{ text: 'There.', latency: { headers_ms: 4_000 } }], then: 'repeat_last' },
  { contains: ONE_WORD, answers: [{ text: 'Hello', latency: { headers_ms: 250 } }] },
  {
    contains: THOUSAND_CALLS,
    answers: [
      ...Array.from({ length: CALL_ROUNDS }, () => ({
        calls: Array.from({ length: CALLS_PER_ROUND }, () => waitCall(0)),
      })),
      { text: 'Done.' },
    ],
  },
];

/** @param {number} milliseconds */
function waitCall(milliseconds) {
  return { name: WAIT_TOOL, arguments: { milliseconds } };
}
