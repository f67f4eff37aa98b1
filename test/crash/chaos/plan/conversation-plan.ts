import type { PlannedCall, PlannedTurn } from '../ledgers/chaos-world.js';
import { POISON_TOOLS, type PoisonTool } from '../../programs/poison-tools.js';
import { childPath } from '#libs/agent-core';
import type { ToolEffect } from '#libs/tooling';
import { WATCHED_TOOLS } from '../../programs/watched-tools.js';
import { scopeKey } from '../ledgers/call-key.js';
import type { SeededRandom } from './seeded-random.js';

/** A turn as the load client sends it. */
export interface TurnPlan extends PlannedTurn {
  /** The text of the request, with the script that the model plays. */
  readonly input: string;
  /** The loops of the agents that its model calls. */
  readonly scopes: readonly string[];
  /** Seconds of `Prefer: wait`. */
  readonly waitSeconds: number | null;
  /** Milliseconds until it is cancelled; null if it is not. */
  readonly cancelAfterMs: number | null;
  readonly isFollowed: boolean;
  /** Milliseconds before it is sent. */
  readonly pauseMs: number;
}

/** The tool by which an agent of the load calls another one. */
export const HELPER = 'helper';

/** The beginning of the answer to a turn, to find it in later requests. */
export const ANSWER_MARK = /answer-to:([\w.-]+)/g;

/** Per turn; a poison execution ends up to two workers, with the executions that run beside it. */
const POISON_CHANCE = 0.004;
const HANG_CHANCE = 0.01;

/** The turns of one conversation; `name` is the beginning of their keys. */
export function planConversation(random: SeededRandom, name: string): TurnPlan[] {
  return Array.from({ length: random.whole(2, 6) }, (_, index) => {
    const key = `${name}.${index + 1}`;
    const turn = planTurn(random, key);
    return random.chance(POISON_CHANCE) ? planPoison(key, random.pick(POISON_TOOLS)) : turn;
  });
}

/** A turn with a tool that ends the process which runs it. */
export function planPoison(key: string, poison: PoisonTool): TurnPlan {
  const call = { name: poison, arguments: {} };
  const answers = [{ calls: [call], latency: { headers_ms: 20, delta_ms: 0 }, faults: [] }];
  return { ...planCalmTurn(key), fate: 'poison', calls: [], input: inputOf(key, answers), waitSeconds: null };
}

function planTurn(random: SeededRandom, key: string): TurnPlan {
  const script = new Script(random, key);
  const answers = script.write();
  const cancelAfterMs = random.chance(0.08) ? random.whole(0, 1_500) : null;
  return {
    key,
    fate: 'completes',
    isCancelled: cancelAfterMs !== null,
    calls: script.calls,
    modelFailures: script.failures,
    scopes: script.scopes,
    input: inputOf(key, answers),
    waitSeconds: random.chance(0.15) ? random.whole(1, 5) : null,
    cancelAfterMs,
    isFollowed: random.chance(0.3),
    pauseMs: random.whole(0, 400),
  };
}

/** A turn that occupies a slot for 2 to 4 s, as a slow model does. */
export function planSlowTurn(random: SeededRandom, key: string): TurnPlan {
  const latency = { headers_ms: random.whole(2_000, 4_000), delta_ms: 0 };
  const answers = [{ latency, calls: [], text: `answer-to:${key}`, faults: [] }];
  return { ...planCalmTurn(key), calls: [], input: inputOf(key, answers), waitSeconds: null };
}

/** For a control: nothing but unsafe calls that take long enough to be interrupted, each behind a slow answer. */
export function planExposedTurn(random: SeededRandom, key: string): TurnPlan {
  const calls = [1, 2].map((number) => ({
    name: WATCHED_TOOLS.unsafe,
    arguments: { item: `${key}-${number}`, delay_ms: random.whole(800, 1_600), fail: null },
  }));
  const slow = () => ({ latency: { headers_ms: random.whole(1_000, 3_000), delta_ms: 0 }, faults: [] });
  const answers = [
    ...calls.map((call) => ({ ...slow(), calls: [call] })),
    { ...slow(), calls: [], text: `answer-to:${key}` },
  ];
  return {
    ...planCalmTurn(key),
    calls: calls.map(toPlannedCall),
    input: inputOf(key, answers),
    waitSeconds: null,
  };
}

/** A short turn without planned failures or delays. */
export function planCalmTurn(key: string): TurnPlan {
  const call = { name: WATCHED_TOOLS.read, arguments: { item: `${key}-1`, delay_ms: 0, fail: null } };
  const swift = { latency: { headers_ms: 20, delta_ms: 0 }, faults: [] };
  const answers = [
    { ...swift, calls: [call] },
    { ...swift, calls: [], text: `answer-to:${key}` },
  ];
  return {
    key,
    fate: 'completes',
    isCancelled: false,
    calls: [toPlannedCall(call)],
    modelFailures: 0,
    scopes: [],
    input: inputOf(key, answers),
    waitSeconds: 30,
    cancelAfterMs: null,
    isFollowed: false,
    pauseMs: 0,
  };
}

function inputOf(key: string, answers: readonly object[]): string {
  // A backtick inside would end the fenced block.
  const script = JSON.stringify({ key, answers }).replaceAll('`', '\\u0060');
  return `Turn ${key}.\n\`\`\`sim-script\n${script}\n\`\`\``;
}

function toPlannedCall({ name, arguments: { item } }: ScriptedCall): PlannedCall {
  return { item, tool: name };
}

interface ScriptedCall {
  readonly name: string;
  readonly arguments: { readonly item: string; readonly delay_ms: number; readonly fail: null };
}

/** The called agent plays the script in its prompt. */
interface AgentCall {
  readonly name: typeof HELPER;
  readonly arguments: { readonly prompt: string };
}

/** An answer in a script of the simulated model. */
interface ScriptedAnswer {
  readonly calls: readonly (ScriptedCall | AgentCall)[];
  readonly text?: string;
  readonly delta_characters?: number;
  readonly latency: { readonly headers_ms: number; readonly delta_ms: number };
  readonly faults: readonly object[];
}

type Kind = ToolEffect | typeof HELPER;
type Shape = readonly (readonly Kind[])[];
type Shapes = readonly [Shape, ...Shape[]];

/** The calls that a turn may ask for: a list for each round. */
const SHAPES: Shapes = [
  [],
  [['read']],
  [['idempotent']],
  [['unsafe']],
  [['read', 'idempotent', 'read']],
  [['read', 'idempotent'], ['unsafe']],
  [['unsafe', 'unsafe']],
  [['idempotent', 'unsafe', 'read'], ['idempotent']],
  [[HELPER, HELPER, HELPER]],
  [[HELPER, 'idempotent'], ['unsafe']],
];

/** The calls that a called agent may ask for, so that three at once are at different points. */
const SHAPES_INSIDE: Shapes = [[], [['read', 'idempotent']], [['idempotent'], ['read']], [['unsafe']]];

/** Writes the answers of one turn and of the agents inside, and records the calls that they ask for. */
class Script {
  readonly calls: PlannedCall[] = [];
  readonly scopes: string[] = [];
  failures = 0;

  constructor(
    private readonly random: SeededRandom,
    private readonly key: string,
  ) {}

  write(): ScriptedAnswer[] {
    return this.writeLoop('', SHAPES, `answer-to:${this.key} and some more words to stream`);
  }

  private writeLoop(scope: string, shapes: Shapes, text: string): ScriptedAnswer[] {
    const rounds = this.random
      .pick(shapes)
      .map((kinds, round) =>
        this.pace({ calls: kinds.map((kind, position) => this.writeCall(kind, scope, round + 1, position)) }),
      );
    return [...rounds, this.pace({ text, delta_characters: 8, calls: [] })];
  }

  private writeCall(kind: Kind, scope: string, round: number, position: number): ScriptedCall | AgentCall {
    if (kind === HELPER) {
      const inside = childPath(scope, { round, position });
      this.scopes.push(inside);
      const answers = this.writeLoop(inside, SHAPES_INSIDE, `what ${inside} has found`);
      return { name: HELPER, arguments: { prompt: inputOf(scopeKey(this.key, inside), answers) } };
    }
    const delay_ms = this.random.chance(0.5) ? this.random.whole(50, 800) : 0;
    const item = `${this.key}-${this.calls.length + 1}`;
    const call = { name: WATCHED_TOOLS[kind], arguments: { item, delay_ms, fail: null } };
    this.calls.push(toPlannedCall(call));
    return call;
  }

  private pace(answer: Parameters<typeof paced>[1]): ScriptedAnswer {
    const written = paced(this.random, answer);
    if (written.faults.length > 0) this.failures += 1;
    return written;
  }
}

/** Most answers come within 0.25 s, some as late as a real model's; a few fail on the first request or hang. */
function paced(
  random: SeededRandom,
  answer: Pick<ScriptedAnswer, 'calls' | 'text' | 'delta_characters'>,
): ScriptedAnswer {
  const headers_ms = random.chance(0.2) ? random.whole(800, 2_500) : random.whole(20, 250);
  const fault = random.chance(HANG_CHANCE)
    ? random.pick([{ kind: 'hang_before_headers' }, { kind: 'hang_mid_stream' }])
    : random.pick([{ kind: 'server_error', status: 503 }, { kind: 'truncate' }]);
  const isFaulty = fault.kind.startsWith('hang') || random.chance(0.06);
  const faults = isFaulty ? [{ on: { call: 1 }, fault }] : [];
  return { ...answer, latency: { headers_ms, delta_ms: random.whole(0, 30) }, faults };
}
