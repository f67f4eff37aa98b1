import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  decideNextAction,
  foldEntries,
  judgeOnce,
  type ExecutionState,
  type JournalEntry,
  type LoopRules,
  type NextAction,
  type PipelineRules,
  type ToolCallState,
} from '#libs/agent-core';
import type { CallVerdict } from '#libs/tooling';
import { readJournal, type JournalRow } from './read-journal.js';

type RunVerdict = Extract<CallVerdict, { kind: 'run' }>;

interface RecordedJournal {
  readonly description: string;
  readonly rules: {
    readonly maximum_iterations: number;
    readonly is_late: boolean;
    readonly asks_after_foreign_content?: boolean;
    readonly pipeline?: PipelineRules;
    readonly tools: Readonly<
      Record<
        string,
        {
          effect: RunVerdict['effect'];
          on_unknown?: RunVerdict['onUnknown'];
          needs_approval?: RunVerdict['needsApproval'];
        }
      >
    >;
  };
  readonly entries: readonly JournalRow[];
  readonly state: unknown;
  readonly next: object;
}

const FOLDER = join(import.meta.dirname, '../../../../test/fixtures/journal');

function recordedJournals(version: string): { name: string; journal: RecordedJournal }[] {
  return readdirSync(join(FOLDER, version)).map((name) => ({
    name: `${version}/${name}`,
    journal: JSON.parse(readFileSync(join(FOLDER, version, name), 'utf8')) as RecordedJournal,
  }));
}

function toLoopRules({ maximum_iterations, tools, ...rules }: RecordedJournal['rules']): LoopRules {
  return {
    maximumIterations: maximum_iterations,
    maxModelRetries: 1,
    changedTools: new Set(),
    forward: (call) => call,
    maxParallelToolCalls: 8,
    judge: ({ toolName }) => {
      const tool = tools[toolName];
      if (!tool)
        return { kind: 'refuse', reason: 'unknown_tool', output: `there is not a tool named ${toolName}` };
      const { effect, on_unknown, needs_approval } = tool;
      const asks = { ...(on_unknown && { onUnknown: on_unknown }), needsApproval: needs_approval === true };
      return { kind: 'run', effect, input: {}, ...asks };
    },
    ...(rules.pipeline && { pipeline: rules.pipeline }),
    asksAfterForeignContent: rules.asks_after_foreign_content === true,
    budget: { total_tokens: null, cost: null, rounds: null },
    visibleText: (text) => text,
    countTokens: ({ content }) => ({ count: content.length, tokenizer: 'characters' }),
    prices: null,
    costOf: () => null,
  };
}

const nameOf = (call: ToolCallState): string => `${call.round}.${call.position}`;

function summarize(state: ExecutionState): object {
  return {
    rounds: state.rounds.map((round) => ({
      number: round.number,
      text: round.answer.text,
      calls: round.calls.map((call) => ({
        call: nameOf(call),
        tool_name: call.toolName,
        started: call.started,
        approval: call.approval.kind,
        outcome: call.outcome?.status ?? null,
        output: call.outcome?.output ?? null,
      })),
    })),
    model_failures: state.modelFailures.map((failure) => failure.error.code),
    interrupted_text: state.interruptedText,
    is_cancelled: state.isCancelled,
    ...inside(state),
    outcome: state.outcome,
  };
}

/** Scopes are omitted if there are none, because snapshots of versions before 4 lack them. */
function inside({ children, preparation, steps }: ExecutionState): object {
  const scopes = [...children].map(([path, { opening, outcome, rounds }]) => ({
    path,
    opening,
    outcome,
    calls: rounds.flatMap((round) => round.calls.map((call) => [nameOf(call), call.approval.kind])),
  }));
  return {
    ...(preparation && { preparation }),
    ...(steps.length > 0 && { steps }),
    ...(scopes.length > 0 && { scopes }),
  };
}

function shown(action: NextAction): object {
  if (action.kind === 'call_model') return { ...action, retryAfterMs: action.failure?.retryAfterMs ?? null };
  return action.kind === 'run_tools' ? { kind: action.kind, calls: action.calls.map(nameOf) } : action;
}

describe('a journal that a release wrote', () => {
  const ofFirst = recordedJournals('v1');
  const ofThird = recordedJournals('v3');
  const ofFourth = recordedJournals('v4');
  const ofFifth = recordedJournals('v5');
  const ofSixth = recordedJournals('v6');
  const ofSeventh = recordedJournals('v7');
  const ofEighth = recordedJournals('v8');
  const ofLater = ['v9', 'v10'].flatMap(recordedJournals);
  const kindsOf = (recorded: typeof ofFirst): string[] =>
    [...new Set(recorded.flatMap(({ journal }) => journal.entries.map((entry) => entry.kind)))].toSorted();

  it('is there for every kind of fact, so that none is forgotten', () => {
    expect(kindsOf(ofThird)).toEqual(expect.arrayContaining(['deadline_reached', 'tool_call_not_begun']));
    expect(kindsOf(ofFourth)).toEqual(
      expect.arrayContaining(['execution_prepared', 'model_call_lost', 'scope_opened', 'scope_settled']),
    );
    expect(kindsOf(ofEighth)).toEqual(
      expect.arrayContaining(['answer_rejected', 'step_begun', 'step_settled']),
    );
    expect(kindsOf(ofFirst)).toEqual([
      'approval_decided',
      'approval_requested',
      'cancellation_requested',
      'execution_settled',
      'model_call_completed',
      'model_call_failed',
      'model_call_interrupted',
      'tool_call_settled',
      'tool_call_started',
    ]);
  });

  it.each([
    ...ofFirst,
    ...ofThird,
    ...ofFourth,
    ...ofFifth,
    ...ofSixth,
    ...ofSeventh,
    ...ofEighth,
    ...ofLater,
  ])('is read as it was meant: $name', ({ journal }) => {
    const state = foldEntries(readJournal(journal.entries));
    expect(summarize(state)).toEqual(journal.state);
    // The next action may use facts of newer versions. Older journals have no fact for a passed deadline: the loop adds
    // it on resuming.
    const timeUp: JournalEntry[] = journal.rules.is_late ? [{ kind: 'deadline_reached' }] : [];
    const now = foldEntries(timeUp, state);
    expect(shown(decideNextAction(now, judgeOnce(toLoopRules(journal.rules))))).toMatchObject(journal.next);
  });
});

it('an answer says by its order alone that it is of version 3, and goes back in that order', () => {
  const [file] = recordedJournals('v3').filter(({ name }) => name.includes('order-of-an-answer'));
  const [failed, answered] = readJournal(file?.journal.entries ?? []);
  expect(failed).toMatchObject({ spent: { model: 'a-model', usage: { total_tokens: 11 } } });
  expect(answered).toMatchObject({
    answer: { parts: [{ phase: 'commentary' }, { index: 0 }, {}, { index: 1 }, {}] },
  });
});

it('a tool that was asked for by way of another is that tool, and goes back as it was asked for', () => {
  const [file] = recordedJournals('v6');
  const [prepared, answered] = readJournal(file?.journal.entries ?? []);
  expect(prepared).toMatchObject({ kind: 'execution_prepared', listed: ['look'] });
  expect(answered).toMatchObject({
    answer: { toolCalls: [{ toolName: 'mcp__shop__charge', via: 'call_tool' }] },
  });
});
