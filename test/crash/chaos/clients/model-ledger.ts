import { parseScopeKey } from '../ledgers/call-key.js';
import type { ModelRequestRecord } from '../ledgers/chaos-world.js';
import { ANSWER_MARK } from '../plan/conversation-plan.js';

/** The fields of a simulator's ledger line that are read here. */
interface SimulatorEntry {
  readonly number: number;
  /** ISO 8601. */
  readonly at: string;
  readonly key: string | null;
  readonly status: number | null;
  readonly response_id: string | null;
  readonly terminal_sent: boolean;
  readonly usage: { readonly total_tokens: number } | null;
  readonly body: { readonly input?: unknown } | null;
}

interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly call_id?: string;
  readonly content?: unknown;
}

/** Requests that the model provider received. The simulator forgets old ones, so they are fetched as conversations end. */
export class ModelLedger {
  private readonly requests = new Map<number, ModelRequestRecord>();

  constructor(private readonly simulatorUrl: string) {}

  get records(): readonly ModelRequestRecord[] {
    return [...this.requests.values()];
  }

  /** Fetches the requests under a key, and deletes them in the simulator. */
  async collect(key: string): Promise<void> {
    const query = `/__control/requests?key=${encodeURIComponent(key)}`;
    await this.read(query);
    await fetch(`${this.simulatorUrl}${query}`, { method: 'DELETE' });
  }

  async collectAll(): Promise<void> {
    await this.read('/__control/requests');
  }

  private async read(path: string): Promise<void> {
    const response = await fetch(`${this.simulatorUrl}${path}`);
    const { requests } = (await response.json()) as { requests: SimulatorEntry[] };
    for (const entry of requests) this.requests.set(entry.number, toRecord(entry));
  }
}

function toRecord(entry: SimulatorEntry): ModelRequestRecord {
  const items = Array.isArray(entry.body?.input) ? (entry.body.input as InputItem[]) : [];
  const shown = items.filter((item) => item.role === 'assistant').map((item) => JSON.stringify(item.content));
  return {
    at: Date.parse(entry.at),
    key: entry.key === null ? null : parseScopeKey(entry.key).key,
    scope: parseScopeKey(entry.key ?? '').scope,
    round: roundOf(items),
    status: entry.status,
    responseId: entry.response_id,
    isComplete: entry.terminal_sent,
    totalTokens: entry.usage?.total_tokens ?? null,
    knownAnswers: [...shown.join(' ').matchAll(ANSWER_MARK)].map((match) => match[1] ?? ''),
    brokenPairs: brokenPairs(items),
  };
}

/** The round that a request asks for, from 1: one more than the answers since the user's last message. */
function roundOf(items: readonly InputItem[]): number {
  const turn = items.slice(items.findLastIndex((item) => item.role === 'user') + 1);
  const answers = turn.filter(
    (item, index) => item.type === 'function_call' && turn[index - 1]?.type !== 'function_call',
  );
  return answers.length + 1;
}

/** The `call_id`s that do not belong to exactly one call and one output. */
function brokenPairs(items: readonly InputItem[]): string[] {
  const counts = new Map<string, { calls: number; outputs: number }>();
  for (const { type, call_id } of items) {
    if (call_id === undefined || (type !== 'function_call' && type !== 'function_call_output')) continue;
    const count = counts.get(call_id) ?? { calls: 0, outputs: 0 };
    if (type === 'function_call') count.calls += 1;
    else count.outputs += 1;
    counts.set(call_id, count);
  }
  return [...counts].filter(([, { calls, outputs }]) => calls !== 1 || outputs !== 1).map(([id]) => id);
}
