import { block, call, completed, incomplete, noCall, round, text, thinking } from './expected-lines.js';
import { ask, HIDE, MESSAGES_WIRE, OPENAI_WIRE, type GoldenRun } from './golden-run.js';
import { DONE } from './golden-tools.js';

const FALLBACK = text(1, block('First, I will check the information I need with the tool look.'));
const LOOKED = call('look', DONE);
const SAY_DONE = { text: 'Done.' };
const SAID_DONE = round(2, [text(2, 'Done.')]);
const LIMIT = (limit: number, name: string): string =>
  `Maximum iteration limit (${limit}) reached. Cannot call tool '${name}'. Please consider increasing the iteration limit.`;

/** Display of texts, thoughts and reasoning (S0-23 … S0-30, 3.C). */
export const DISPLAY_RUNS: readonly GoldenRun[] = [
  {
    name: 'text only (S0-28, 3.C-1)',
    answers: [{ text: 'Hello there.' }],
    reported: round(1, [text(1, 'Hello there.')]),
    result: completed('Hello there.'),
  },
  {
    name: 'an empty answer, which is asked for once more (3.C-10)',
    answers: [{}],
    reported: [...round(1, []), ...round(2, [])],
    result: incomplete('empty_answer', ''),
  },
  {
    name: 'a think block is shown as it is (S0-23, S1-65)',
    answers: [{ text: '<think>plan</think>Answer.' }],
    reported: round(1, [text(1, '<think>plan</think>Answer.')]),
    result: completed('<think>plan</think>Answer.'),
  },
  {
    name: 'a think block is hidden (S0-25, S0-27, S0-28, S1-65, 3.C-2)',
    config: HIDE,
    answers: [{ text: '<think>plan</think>Answer.' }],
    reported: round(1, [text(1, 'Answer.')]),
    result: completed('Answer.'),
    hidden: ['plan', 'think>'],
  },
  {
    name: 'an answer that is all thought, and one that dangles, are hidden (S0-27, 3.C-7)',
    config: HIDE,
    answers: [{ text: '<THINK>plan</THINK>\n<think>more' }, { text: '<THINK>plan</THINK>\n<think>more' }],
    reported: [...round(1, []), ...round(2, [])],
    result: incomplete('empty_answer', ''),
    hidden: ['plan', 'more'],
  },
  {
    name: 'text before calls (S0-24, S0-29, 3.C-3, 3.C-4)',
    answers: [{ text: 'I look.', ...ask('look') }, SAY_DONE],
    reported: {
      streamed: [...round(1, [text(1, 'I look.')], LOOKED), ...SAID_DONE],
      whole: [...round(1, [text(1, block('I look.'))], LOOKED), ...SAID_DONE],
    },
    result: completed('Done.'),
  },
  {
    name: 'text after a call, with a label (S0-24, 3.C-3, 3.C-8)',
    by: ['openai'],
    answers: [
      {
        output: [
          { type: 'call', name: 'look' },
          { type: 'text', text: 'Intent: I look.' },
        ],
      },
      SAY_DONE,
    ],
    reported: [...round(1, [text(1, block('I look.'))], LOOKED), ...SAID_DONE],
    result: completed('Done.'),
  },
  {
    name: 'a thought that stands in its tags already (3.C-8)',
    by: ['openai'],
    answers: [
      {
        output: [
          { type: 'call', name: 'look' },
          { type: 'text', text: ' <think>I look.</think> ' },
        ],
      },
      SAY_DONE,
    ],
    reported: [...round(1, [text(1, '<think>I look.</think>')], LOOKED), ...SAID_DONE],
    result: completed('Done.'),
  },
  {
    name: 'no text before a call: a fallback thought (S1-66, 3.C-9)',
    answers: [ask('look'), SAY_DONE],
    reported: [...round(1, [FALLBACK], LOOKED), ...SAID_DONE],
    result: completed('Done.'),
  },
  {
    name: 'hidden: a round with calls shows nothing but the line break (S0-26, S0-30, S1-65, 3.C-5)',
    config: HIDE,
    answers: [{ text: 'I look.', ...ask('look') }, SAY_DONE],
    reported: [...round(1, [], LOOKED), ...SAID_DONE],
    result: completed('Done.'),
    hidden: ['I look.'],
  },
  {
    name: 'hidden: no fallback thought (S0-26, 3.C-5)',
    config: HIDE,
    answers: [ask('look'), SAY_DONE],
    reported: [...round(1, [], LOOKED), ...SAID_DONE],
    result: completed('Done.'),
    hidden: ['First, I will'],
  },
  {
    name: 'hidden: the last round shows its visible text, calls or not (S0-27, S0-30, 3.C-5)',
    config: { ...HIDE, maximum_iterations: 2 },
    answers: [
      { text: 'I look.', ...ask('look') },
      { text: '<think>plan</think>Still busy.', ...ask('look') },
    ],
    reported: [
      ...round(1, [], LOOKED),
      ...round(2, [text(2, 'Still busy.')], noCall('look', LIMIT(2, 'look'), { round: 2 })),
    ],
    result: incomplete('max_iterations', 'Still busy.'),
    hidden: ['I look.', 'plan'],
  },
  {
    name: 'reasoning is shown apart, in place of a fallback thought (S0-23, S1-66)',
    by: OPENAI_WIRE,
    answers: [
      { reasoning: 'Hm.', ...ask('look') },
      { reasoning: 'Ah.', text: 'Done.' },
    ],
    reported: [
      ...round(1, [thinking(1, 'Hm.')], LOOKED),
      ...round(2, [thinking(2, 'Ah.'), text(2, 'Done.')]),
    ],
    result: completed('Done.'),
  },
  {
    name: 'hidden: reasoning stays in the journal (S0-25, S0-26)',
    by: OPENAI_WIRE,
    config: HIDE,
    answers: [
      { reasoning: 'Hm.', ...ask('look') },
      { reasoning: 'Ah.', text: 'Done.' },
    ],
    reported: [...round(1, [], LOOKED), ...SAID_DONE],
    result: completed('Done.'),
    hidden: ['Hm.', 'Ah.'],
  },
  {
    name: 'a refusal is shown as text (S0-28)',
    by: OPENAI_WIRE,
    answers: [{ output: [{ type: 'refusal', refusal: 'I cannot.' }] }],
    reported: round(1, [text(1, 'I cannot.')]),
    result: completed('I cannot.'),
  },
  {
    name: 'a refusal that ends the answer is shown as text, and leaves the run incomplete (S0-28)',
    by: MESSAGES_WIRE,
    answers: [{ output: [{ type: 'refusal', refusal: 'I cannot.' }] }],
    reported: round(1, [text(1, 'I cannot.')]),
    result: incomplete('content_filter', 'I cannot.'),
  },
];
