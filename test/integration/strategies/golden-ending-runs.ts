import { block, call, completed, incomplete, noCall, round, sideBySide, text } from './expected-lines.js';
import { ask, OPENAI_WIRE, type GoldenRun } from './golden-run.js';
import { done, DONE } from './golden-tools.js';

const thought = (number: number): string =>
  text(number, block('First, I will check the information I need with the tool look.'));
const looked = (number = 1): string[] => call('look', DONE, { round: number });
const limit = (of: number): string =>
  `Maximum iteration limit (${of}) reached. Cannot call tool 'look'. Please consider increasing the iteration limit.`;
const SAY_DONE = { text: 'Done.' };
const item = (content: string) => ({ content, title: 'a title', metadata: { score: 0.5 } });

/** Ends of runs: limits, budgets, broken answers, and events after the last round (S0-14, S0-15, 3.B, 3.E-7). */
export const ENDING_RUNS: readonly GoldenRun[] = [
  {
    name: 'the last of two rounds runs no call (S0-14, S1-57, 3.B-4)',
    by: ['openai'],
    config: { maximum_iterations: 2 },
    answers: [
      ask('look'),
      {
        output: [
          { type: 'call', name: 'look' },
          { type: 'text', text: 'More.' },
        ],
      },
    ],
    reported: [
      ...round(1, [thought(1)], looked()),
      ...round(2, [text(2, block('More.'))], noCall('look', limit(2), { round: 2 })),
    ],
    result: incomplete('max_iterations', 'More.'),
  },
  {
    name: 'the only round runs its call, whose output is the text (S0-14, S1-57, 3.B-4, 3.E-7)',
    config: { maximum_iterations: 1 },
    answers: [ask('look')],
    reported: [...round(1, [thought(1)], looked()), text(1, done('look'))],
    result: incomplete('max_iterations', done('look')),
  },
  {
    name: 'the only round runs all of its calls (3.B-4, 3.E-7)',
    by: OPENAI_WIRE,
    config: { maximum_iterations: 1 },
    answers: [{ reasoning: 'Hm.', ...ask('look', 'list') }],
    reported: [
      ...round(1, ['thinking 1 "Hm."'], sideBySide(looked(), call('list', DONE))),
      text(1, `${done('look')}${done('list')}`),
    ],
    result: incomplete('max_iterations', `${done('look')}\n${done('list')}`),
  },
  {
    name: 'an answer in the only round completes the run (S0-14)',
    config: { maximum_iterations: 1 },
    answers: [SAY_DONE],
    reported: round(1, [text(1, 'Done.')]),
    result: completed('Done.'),
  },
  {
    name: 'calls without a usable id or name are no calls (S0-12, 3.B-8)',
    by: ['openai'],
    answers: [
      {
        output: [
          { type: 'text', text: 'I try.' },
          { type: 'call', name: 'look', call_id: ' ' },
          { type: 'call', name: ' ' },
        ],
      },
    ],
    reported: round(1, [text(1, 'I try.')]),
    result: completed('I try.'),
    warnings: ['the model asked in round 1 for 2 tool calls without a name or an id, or broken off: not run'],
  },
  {
    name: 'a budget of tokens that is spent',
    by: ['openai'],
    config: { budget: { total_tokens: 100 } },
    answers: [
      {
        output: [
          { type: 'call', name: 'look' },
          { type: 'text', text: 'I look.' },
        ],
        usage: { input_tokens: 90, output_tokens: 10 },
      },
    ],
    reported: round(1, [text(1, block('I look.'))], looked()),
    result: incomplete('budget', 'I look.'),
  },
  {
    name: 'a budget of rounds that is spent',
    config: { budget: { rounds: 1 } },
    answers: [ask('look')],
    reported: round(1, [thought(1)], looked()),
    result: incomplete('budget', ''),
  },
  {
    name: 'an answer that was cut off',
    answers: [{ text: 'Half of', end: { status: 'incomplete', reason: 'max_output_tokens' } }],
    reported: round(1, [text(1, 'Half of')]),
    result: incomplete('max_output_tokens', 'Half of'),
  },
  {
    name: 'sources are reported after the last round (S0-8, S1-55, 3.E-7, 3.E-9)',
    context: [item('first source'), item('second source')],
    answers: [SAY_DONE],
    reported: [...round(1, [text(1, 'Done.')]), 'resources ["first source","second source"]'],
    result: completed('Done.'),
  },
  {
    name: 'an empty list of sources is reported too (S1-55, 3.E-7)',
    context: [],
    answers: [SAY_DONE],
    reported: [...round(1, [text(1, 'Done.')]), 'resources []'],
    result: completed('Done.'),
  },
  {
    name: 'a try of the model that broke off is begun again within its round (S0-8)',
    by: ['openai'],
    answers: [
      {
        text: 'Done.',
        delta_characters: 2,
        faults: [{ on: { call: 1 }, fault: { kind: 'error_event', after_events: 5 } }],
      },
    ],
    reported: {
      streamed: [
        'start ROUND 1',
        'start sim-script Thought in ROUND 1',
        text(1, 'Do'),
        'restarted attempt 1 round 1',
        text(1, 'Done.'),
        'success sim-script Thought in ROUND 1',
        'success ROUND 1',
      ],
      whole: round(1, [text(1, 'Done.')]),
    },
    result: completed('Done.'),
  },
];
