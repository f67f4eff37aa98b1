import type { RequestedCall } from '../journal-entry.js';
import type { LoopPorts } from './loop-ports.js';

/** Characters of arguments after which the event loop gets a turn. */
const CHARACTERS_IN_A_TURN = 65_536;

/** Runs `read` on each call in order and yields to the event loop after large arguments; at once where there are none. */
export function readCalls<Call extends RequestedCall, Read>(
  calls: readonly Call[],
  read: (call: Call) => Read,
  ports: Pick<LoopPorts, 'wait'>,
): Read[] | Promise<Read[]> {
  const characters = calls.reduce((sum, call) => sum + call.arguments.length, 0);
  return characters <= CHARACTERS_IN_A_TURN
    ? calls.map((call) => read(call))
    : readInTurns(calls, read, ports);
}

async function readInTurns<Call extends RequestedCall, Read>(
  calls: readonly Call[],
  read: (call: Call) => Read,
  ports: Pick<LoopPorts, 'wait'>,
): Promise<Read[]> {
  const results: Read[] = [];
  let characters = 0;
  for (const call of calls) {
    results.push(read(call));
    characters += call.arguments.length;
    if (characters <= CHARACTERS_IN_A_TURN) continue;
    await ports.wait(0, new AbortController().signal);
    characters = 0;
  }
  return results;
}
