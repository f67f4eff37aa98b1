import { WATCHED_TOOLS } from '../../programs/watched-tools.js';
import type { SeededRandom } from './seeded-random.js';

/** What the load client sends as one turn. */
export interface TurnPlan {
  readonly key: string;
  /** The text of the request, with the script that the model plays. */
  readonly input: string;
  /** Seconds of `Prefer: wait`. */
  readonly waitSeconds: number | null;
  /** After how many milliseconds it is cancelled. */
  readonly cancelAfterMs: number | null;
  readonly isFollowed: boolean;
  /** Milliseconds before it is sent. */
  readonly pauseMs: number;
}

/** How the answer to a turn begins, wherever it appears later. */
export const ANSWER_MARK = /answer-to:([\w.-]+)/g;

/** The turns of one conversation; `name` is the beginning of their keys. */
export function planConversation(random: SeededRandom, name: string): TurnPlan[] {
  return Array.from({ length: random.whole(2, 6) }, (_, index) => planTurn(random, `${name}.${index + 1}`));
}

function planTurn(random: SeededRandom, key: string): TurnPlan {
  const script = { key, answers: planAnswers(random, key) };
  return {
    key,
    input: `Turn ${key}.\n\`\`\`sim-script\n${JSON.stringify(script)}\n\`\`\``,
    waitSeconds: random.chance(0.15) ? random.whole(1, 5) : null,
    cancelAfterMs: random.chance(0.08) ? random.whole(0, 1_500) : null,
    isFollowed: random.chance(0.3),
    pauseMs: random.whole(0, 400),
  };
}

function planAnswers(random: SeededRandom, key: string): object[] {
  const { read, idempotent, unsafe } = WATCHED_TOOLS;
  const call = (name: string) => ({
    name,
    arguments: {
      item: `${key}-${random.whole(1, 1_000)}`,
      delay_ms: random.chance(0.5) ? random.whole(50, 800) : 0,
      fail: null,
    },
  });
  const calling = (...names: string[]) => paced(random, { calls: names.map(call) });
  const last = paced(random, { text: `answer-to:${key} and some more words to stream`, delta_characters: 8 });
  return [
    ...random.pick([
      [],
      [calling(read)],
      [calling(idempotent)],
      [calling(unsafe)],
      [calling(read, idempotent, read)],
      [calling(read, idempotent), calling(unsafe)],
      [calling(unsafe, unsafe)],
      [calling(idempotent, unsafe, read), calling(idempotent)],
    ]),
    last,
  ];
}

/** Most answers come soon, some take as long as a real model; a few fail on the first try. */
function paced(random: SeededRandom, answer: object): object {
  const headers_ms = random.chance(0.2) ? random.whole(800, 2_500) : random.whole(20, 250);
  const faults = random.chance(0.06)
    ? [{ on: { call: 1 }, fault: random.pick([{ kind: 'server_error', status: 503 }, { kind: 'truncate' }]) }]
    : [];
  return { ...answer, latency: { headers_ms, delta_ms: random.whole(0, 30) }, faults };
}
