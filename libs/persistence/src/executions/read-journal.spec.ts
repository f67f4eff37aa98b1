import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  decideNextAction,
  foldEntries,
  evaluateOnce,
  type ExecutionState,
  type JournalEntry,
  type LoopRules,
  type NextAction,
  type PipelineRules,
  type ToolCallState,
} from '#libs/agent-core';
import type { CallVerdict } from '#libs/tooling';
import { journalEntrySchema } from './journal-entry.schema.js';
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
const VOCABULARIES = ['first', 'version-11'];

function recordedJournals(): { name: string; journal: RecordedJournal }[] {
  return VOCABULARIES.flatMap((vocabulary) =>
    readdirSync(join(FOLDER, vocabulary)).map((name) => ({
      name,
      journal: JSON.parse(readFileSync(join(FOLDER, vocabulary, name), 'utf8')) as RecordedJournal,
    })),
  );
}

function recorded(name: string): JournalEntry[] {
  const found = recordedJournals().find((journal) => journal.name === name);
  return readJournal(found?.journal.entries ?? []);
}

function toLoopRules({ maximum_iterations, tools, ...rules }: RecordedJournal['rules']): LoopRules {
  return {
    maximumIterations: maximum_iterations,
    maxModelRetries: 1,
    changedTools: new Set(),
    forward: (call) => call,
    maxParallelToolCalls: 8,
    evaluate: ({ toolName }) => {
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

/** Scopes are compared only in the journals that have any. */
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
  const recordings = recordedJournals();

  it('is there for every kind of fact, so that none is forgotten', () => {
    const kinds = recordings.flatMap(({ journal }) => journal.entries.map((entry) => entry.kind));
    const known = journalEntrySchema.options.map((option) => option.shape.kind.value);
    expect([...new Set(kinds)].toSorted()).toEqual(known.toSorted());
  });

  it.each(recordings)('is read as it was meant: $name', ({ journal }) => {
    const state = foldEntries(readJournal(journal.entries));
    expect(summarize(state)).toEqual(journal.state);
    // Some journals have no fact for a passed deadline: the loop adds it when it continues.
    const timeUp: JournalEntry[] = journal.rules.is_late ? [{ kind: 'deadline_reached' }] : [];
    const now = foldEntries(timeUp, state);
    expect(shown(decideNextAction(now, evaluateOnce(toLoopRules(journal.rules))))).toMatchObject(
      journal.next,
    );
  });
});

it('an answer keeps the order of its parts, and a failed call its cost', () => {
  const [failed, answered] = recorded('order-of-an-answer.json');
  expect(failed).toMatchObject({ spent: { model: 'a-model', usage: { total_tokens: 11 } } });
  expect(answered).toMatchObject({
    answer: { parts: [{ phase: 'commentary' }, { index: 0 }, {}, { index: 1 }, {}] },
  });
});

it('a tool that was called through another is that tool, and is sent back as it was called', () => {
  const [prepared, answered] = recorded('searched-tools.json');
  expect(prepared).toMatchObject({ kind: 'execution_prepared', listed: ['look'] });
  expect(answered).toMatchObject({
    answer: { toolCalls: [{ toolName: 'mcp__shop__charge', via: 'call_tool' }] },
  });
});
