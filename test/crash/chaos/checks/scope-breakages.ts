import { bill, inDatabase, journal, type Breakage } from './breakages.js';

/** Each entry breaks one promise about the agent that the third execution of the healthy world calls. */
export const SCOPE_BREAKAGES: readonly (readonly [invariant: string, what: string, Breakage])[] = [
  ['I28', 'an agent inside is charged to its caller', bill({ responseId: 'r6' }, { scope: '' })],
  [
    'I28',
    'an answer to an agent inside has no usage row',
    bill({ responseId: 'r5' }, { responseId: 'r5-lost' }),
  ],
  [
    'I28',
    'a lost answer is excused by an unknown one of another loop',
    (world) => bill({ responseId: 'r5' }, { responseId: null, totalTokens: null, scope: '' })(world),
  ],
  ['I29', 'an agent inside never ended', journal({ kind: 'scope_settled' }, null)],
  ['I29', 'an agent inside ended after its call', journal({ kind: 'scope_settled' }, { scope: '9.9' })],
  ['I29', 'nobody had opened an agent that worked', journal({ kind: 'scope_opened' }, { scope: '9.9' })],
  ['I29', 'an agent was opened twice', journal({ scope: '1.0', sequence: 5 }, { kind: 'scope_opened' })],
  ['I29', 'usage names an agent that nobody called', bill({ responseId: 'r7' }, { scope: '2.0' })],
  [
    'I6',
    'an effect inside was announced for a call of its caller',
    journal({ scope: '1.0', kind: 'tool_call_started' }, { scope: '' }),
  ],
  [
    'I10',
    'a call inside has no outcome',
    journal({ scope: '1.0', kind: 'tool_call_settled' }, { kind: 'tool_call_started' }),
  ],
  [
    'I17',
    'a call inside has no audit row',
    inDatabase(({ runSteps }) => ({ runSteps: runSteps.filter(({ scope }) => scope === '') })),
  ],
];
