import { MAX_FILLED_CHARS, type MapStep } from '#libs/policy';
import { dataOfItems, type StepData } from '../step-data.js';
import { callOf, endOfCall } from './call-kinds.js';
import { failedStep, OVERFILLED, type EndedRound, type StepEnd, type UnnamedCall } from './step-kind.js';

/** Maximum characters of the arguments of all items together. */
const MAX_ASKED_CHARS = 4 * MAX_FILLED_CHARS;

/** The calls for all items of the list, or the end of the step if it makes none. */
export function callsOfMap(
  { name, over, do: inner, max_items }: MapStep,
  data: StepData,
): readonly UnnamedCall[] | StepEnd {
  const items = dataOfItems(data, over);
  if (items === null) return failedStep(`${over} is no list`);
  if (items.length > max_items)
    return failedStep(`${over} has ${items.length} items, at most ${max_items} are allowed`);
  if (items.length === 0) return { kind: 'done', output: [] };
  const calls: UnnamedCall[] = [];
  let asked = 0;
  for (const item of items) {
    const call = callOf(inner, item, name);
    if (call === null) return OVERFILLED;
    asked += call.arguments.length;
    if (asked > MAX_ASKED_CHARS)
      return failedStep(
        `with the values of their places, its items ask for more than ${MAX_ASKED_CHARS} characters`,
      );
    calls.push(call);
  }
  return calls;
}

/** The outputs of all items in order; the first item that failed or is incomplete decides the step instead. */
export function endOfMap({ do: inner }: MapStep, ended: EndedRound): StepEnd {
  const ends = ended.round.calls.map((call) => endOfCall(inner, call, ended));
  const stopped = ends.findIndex(({ kind }) => kind !== 'done');
  const end = ends[stopped];
  if (end?.kind === 'incomplete') return end;
  if (end?.kind === 'failed') return failedStep(`of item ${stopped}: ${end.error.message}`, end.error.code);
  const done = ends.flatMap((one) => (one.kind === 'done' ? [one] : []));
  const foreign = [...new Set(done.flatMap((one) => one.foreign ?? []))];
  return {
    kind: 'done',
    output: done.map(({ output }) => output),
    ...(foreign.length > 0 && { foreign }),
  };
}
