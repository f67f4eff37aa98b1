import { expect } from '@jest/globals';
import {
  callName,
  foldEntries,
  parseCallName,
  ROOT,
  type ExecutionOutcome,
  type JournalEntry,
} from '#libs/agent-core';
import { aCall, aModelAnswer } from '../builders/model-answer.js';
import { AgentWorld, type AgentScripts } from './agent-world.js';

export const says = (text: string) => aModelAnswer({ text });
export const asks = (...tools: string[]) =>
  aModelAnswer({ toolCalls: tools.map((tool, index) => aCall(tool, `c${index}`, { n: index })) });

/** Three agents at once, then a charge: one charges, which is unsafe, one searches twice and calls an agent of its own. */
export const SCRIPTS: AgentScripts = {
  root: [asks('clerk', 'scout', 'scribe'), asks('charge'), says('done')],
  clerk: [asks('charge', 'search'), says('refunded')],
  scout: [asks('search', 'search'), asks('runner'), says('seen')],
  runner: [asks('charge'), says('ran')],
  scribe: [says('written')],
};
export const UNSAFE = ['1.0:1.0', '1.1/2.0:1.0', '2.0'];
export const REPEATABLE = ['1.0:1.1', '1.1:1.0', '1.1:1.1'];
export const DONE = { kind: 'settled', outcome: { status: 'completed', text: 'done' } };

interface Ending {
  readonly kind: 'settled';
  readonly outcome: ExecutionOutcome;
}

/** Runs one attempt after another, with a person who approves and reports outcomes, until the execution has settled. */
export async function toTheEnd(agents: AgentWorld): Promise<Ending> {
  const { journal, tools } = agents.world;
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    const result = await agents.attempt();
    if (result === 'died') journal.revive();
    const { outcome } = foldEntries(journal.entries);
    if (outcome) return { kind: 'settled', outcome };
    if (journal.isParked)
      journal.decide(
        ...(journal.parked.at(-1) ?? []).map(({ call, asks }): JournalEntry => {
          const { scope, ...at } = parseCallName(call);
          const of = { ...at, ...(scope !== ROOT && { scope }) };
          if (asks === 'approval') return { kind: 'approval_decided', ...of, approved: true, reason: '' };
          const report = tools.runs.has(call)
            ? { kind: 'happened' as const, output: null }
            : { kind: 'did_not_happen' as const };
          return { kind: 'outcome_reported', ...of, report, reason: '' };
        }),
      );
  }
  throw new Error('it does not come to an end');
}

function settledCalls(entries: readonly JournalEntry[]): string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'tool_call_settled' ? [callName(entry.scope ?? ROOT, entry)] : [],
  );
}

/** Expects the promises that hold at every death of a worker. */
export function check(agents: AgentWorld): void {
  const { journal, tools } = agents.world;
  expect(journal.settlements).toHaveLength(1);
  for (const call of UNSAFE) expect([call, (tools.runs.get(call) ?? 0) <= 1]).toEqual([call, true]);
  const settled = settledCalls(journal.entries);
  expect(settled.toSorted()).toEqual([...new Set(settled)].toSorted());
  expect([...journal.steps.values()].filter((step) => step.status === 'started')).toEqual([]);
  const stepByStep = journal.entries.reduce((state, entry) => foldEntries([entry], state), foldEntries([]));
  expect(foldEntries(journal.entries)).toEqual(stepByStep);
  const opened = journal.entries.filter((entry) => entry.kind === 'scope_opened').map((entry) => entry.scope);
  expect(opened).toEqual([...new Set(opened)]);
}

/** The settled usage by scope, in tokens. */
export function usageByScope({ world }: AgentWorld): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { scope, tokens } of world.journal.settlements[0]?.usage ?? [])
    sums[scope] = (sums[scope] ?? 0) + (tokens?.total_tokens ?? 0);
  return sums;
}

export async function commitsOf(needsApproval: readonly string[]): Promise<number> {
  const agents = new AgentWorld(SCRIPTS, { needsApproval });
  expect(await toTheEnd(agents)).toEqual(DONE);
  return agents.world.journal.commits;
}
