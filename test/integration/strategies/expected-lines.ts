/** Lines that the golden runs expect followers to see, in the order of the contract (3.E-7). */

const MODEL = 'sim-script';

export const text = (round: number, content: string): string => `text ${round} ${JSON.stringify(content)}`;
export const thinking = (round: number, content: string): string =>
  `thinking ${round} ${JSON.stringify(content)}`;
export const block = (content: string): string => `<think>\n${content}\n</think>`;

/** A round: its begin, the model's display, its calls, a line break after calls (3.B-6), and its end. */
export function round(number: number, shown: readonly string[], calls: readonly string[] = []): string[] {
  return [
    `start ROUND ${number}`,
    `start ${MODEL} Thought in ROUND ${number}`,
    ...shown,
    `success ${MODEL} Thought in ROUND ${number}`,
    ...calls,
    ...(calls.length > 0 ? [text(number, '\n')] : []),
    `success ROUND ${number}`,
  ];
}

interface Called {
  readonly round?: number;
  readonly input?: unknown;
  readonly files?: readonly string[];
}

/** A call with a result. */
export function call(name: string, output: string, { round = 1, input = {}, files = [] }: Called = {}) {
  return [
    ...begun(name, { round, input }),
    ...files,
    `result ${name} ${output}`,
    `success CALL ${name} in ROUND ${round}`,
  ];
}

/** A call that failed or never ran. */
export function noCall(name: string, output: string, { round = 1, input = {} }: Called = {}): string[] {
  return [
    ...begun(name, { round, input }),
    `no result ${name} ${output}`,
    `error CALL ${name} in ROUND ${round}`,
  ];
}

/** Parallel calls of one round: all begin, then all end in the order of the calls. */
export function sideBySide(...calls: readonly (readonly string[])[]): string[] {
  return [...calls.flatMap((lines) => lines.slice(0, 2)), ...calls.flatMap((lines) => lines.slice(2))];
}

const begun = (name: string, { round = 1, input = {} }: Called = {}): string[] => [
  `start CALL ${name} in ROUND ${round}`,
  `use ${name} ${JSON.stringify(input)}`,
];

export const completed = (content: string): string => `completed ${JSON.stringify(content)}`;
export const incomplete = (reason: string, content: string): string =>
  `incomplete ${reason} ${JSON.stringify(content)}`;
