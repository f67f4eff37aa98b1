import { block, call, completed, noCall, round, sideBySide, text } from './expected-lines.js';
import { ask, type GoldenRun } from './golden-run.js';
import { DONE, PUBLISHED } from './golden-tools.js';

const one = (name: string, number = 1): string =>
  text(number, block(`First, I will check the information I need with the tool ${name}.`));
const many = (names: string): string =>
  text(1, block(`To get the information I need, I will check with these tools in turn: ${names}`));
const SAY_DONE = { text: 'Done.' };
const saidDone = (number = 2): string[] => round(number, [text(number, 'Done.')]);
const withArguments = (name: string, args: unknown) => ({ calls: [{ name, arguments: args }] });

const FAILED = 'tool invoke error: failed to execute tool';
const REPEATED = 'tool invoke error: repeated failure detected; skipped duplicate call';
const PARSE = 'tool arguments parse error: ';

/** Reports of tool calls: outputs, refusals, files (S0-31 … S0-42, 3.D). */
export const TOOL_RUNS: readonly GoldenRun[] = [
  {
    name: 'two calls side by side, ended in the order of the calls (S0-12, 3.B-7, 3.C-9)',
    answers: [ask('look', 'list'), SAY_DONE],
    reported: [
      ...round(1, [many('look, list')], sideBySide(call('look', DONE), call('list', DONE))),
      ...saidDone(),
    ],
    result: completed('Done.'),
  },
  {
    name: 'two calls, one after the other (3.E-7)',
    config: { parallel_tool_calls: false },
    answers: [ask('look', 'list'), SAY_DONE],
    reported: [
      ...round(1, [many('look, list')], [...call('look', DONE), ...call('list', DONE)]),
      ...saidDone(),
    ],
    result: completed('Done.'),
  },
  {
    name: 'a fallback thought names three tools at most, each once (S1-66, 3.C-9)',
    config: { parallel_tool_calls: false },
    answers: [ask('look', 'list', 'look', 'count', 'weigh'), SAY_DONE],
    reported: [
      ...round(
        1,
        [many('look, list, count...')],
        ['look', 'list', 'look', 'count', 'weigh'].flatMap((name) => call(name, DONE)),
      ),
      ...saidDone(),
    ],
    result: completed('Done.'),
  },
  {
    name: 'a tool that does not exist (S0-35, S1-69, 3.D-3)',
    answers: [ask('gone'), SAY_DONE],
    reported: [...round(1, [one('gone')], noCall('gone', 'there is not a tool named gone')), ...saidDone()],
    result: completed('Done.'),
  },
  {
    name: 'arguments that are not JSON (S0-33, S0-34, S1-68, 3.D-1)',
    answers: [withArguments('look', '{oops'), SAY_DONE],
    reported: [
      ...round(
        1,
        [one('look')],
        noCall('look', `${PARSE}tool arguments must be valid JSON object`, { input: '{oops' }),
      ),
      ...saidDone(),
    ],
    result: completed('Done.'),
  },
  {
    name: 'arguments that are no object, to a tool that does not exist (S0-33, S1-68, 3.D-2)',
    answers: [withArguments('gone', '[1]'), SAY_DONE],
    reported: [
      ...round(
        1,
        [one('gone')],
        noCall('gone', `${PARSE}tool arguments must be a JSON object`, { input: '[1]' }),
      ),
      ...saidDone(),
    ],
    result: completed('Done.'),
  },
  {
    name: 'no arguments at all (S0-31, S1-68)',
    answers: [withArguments('look', ''), SAY_DONE],
    reported: [...round(1, [one('look')], call('look', DONE)), ...saidDone()],
    result: completed('Done.'),
  },
  {
    name: 'a value that is none of the options (S0-36, S1-70, 3.D-6)',
    answers: [withArguments('paint', { colour: 'Red' }), SAY_DONE],
    reported: [
      ...round(
        1,
        [one('paint')],
        noCall(
          'paint',
          `tool arguments validation error: parameter 'colour' value "Red" not in options ["red","green"]`,
          { input: { colour: 'Red' } },
        ),
      ),
      ...saidDone(),
    ],
    result: completed('Done.'),
  },
  {
    name: 'a tool that throws, and the same call again (S0-37, S0-38, S1-71, S1-72, 3.D-9)',
    answers: [ask('explode'), ask('explode'), SAY_DONE],
    reported: [
      ...round(1, [one('explode')], noCall('explode', FAILED)),
      ...round(2, [one('explode', 2)], noCall('explode', REPEATED, { round: 2 })),
      ...saidDone(3),
    ],
    result: completed('Done.'),
  },
  {
    name: 'a call that succeeded may be repeated, and so may a refused one (3.D-8, 3.D-9)',
    config: { parallel_tool_calls: false },
    answers: [ask('look'), ask('look'), ask('gone'), ask('gone'), SAY_DONE],
    reported: [
      ...[1, 2].flatMap((number) =>
        round(number, [one('look', number)], call('look', DONE, { round: number })),
      ),
      ...[3, 4].flatMap((number) =>
        round(
          number,
          [one('gone', number)],
          noCall('gone', 'there is not a tool named gone', { round: number }),
        ),
      ),
      ...saidDone(5),
    ],
    result: completed('Done.'),
  },
  {
    name: 'link, images and blob, forwarded between the beginning and the end of their call (S0-42, S1-75, 3.D-11)',
    answers: [ask('publish'), SAY_DONE],
    reported: [
      ...round(
        1,
        [one('publish')],
        call('publish', `${PUBLISHED.slice(0, 200)}...`, {
          files: [
            'file link https://example.test/a',
            'file image_link https://example.test/b.png',
            'file image https://example.test/c.png',
            'file blob hi.txt 2',
          ],
        }),
      ),
      ...saidDone(),
    ],
    result: completed('Done.'),
  },
  {
    name: 'an image outside of /files is reported without a reason (S0-39, S0-40, S1-73, 3.D-12)',
    answers: [ask('escape'), SAY_DONE],
    reported: [
      ...round(
        1,
        [one('escape')],
        call('escape', 'image generated and sent to user. Tell user to review it now.', {
          files: [text(1, 'Failed to process generated image file.')],
        }),
      ),
      ...saidDone(),
    ],
    result: completed('Done.'),
    hidden: ['passwd'],
  },
];
