import { problemOf } from './problem.js';

/** One fault of a request body, at the place that the problem names. */
export interface FieldFault {
  /** Names of fields and places in lists, from the outside inwards; empty for the body as a whole. */
  readonly path: readonly string[];
  readonly detail: string;
}

const LINE = /^#(?<pointer>(?:\/.*?)?): (?<detail>.*)$/su;

/** Faults of the body that an answer names; none for faults of the address or of headers. */
export function fieldFaultsOf(error: unknown): readonly FieldFault[] {
  if (error === null || error === undefined) return [];
  return problemOf(error).faults.flatMap((line) => {
    const { pointer, detail } = LINE.exec(line)?.groups ?? {};
    return pointer === undefined || detail === undefined ? [] : [{ path: pathOf(pointer), detail }];
  });
}

/** Details of the faults at a place, and of those within it that stand at no field of their own. Pure. */
export function faultsAt(faults: readonly FieldFault[], ...place: readonly string[]): string[] {
  return faults.filter(({ path }) => startsWith(path, place)).map((fault) => wordsOf(fault, place.length));
}

/** Faults that are at none of the places. Pure. */
export function faultsBeside(
  faults: readonly FieldFault[],
  places: readonly (readonly string[])[],
): FieldFault[] {
  return faults.filter(({ path }) => !places.some((place) => startsWith(path, place)));
}

function startsWith(path: readonly string[], place: readonly string[]): boolean {
  return place.every((name, index) => path[index] === name);
}

/** Names what is within the place, counted from 0 as in JSON. */
function wordsOf({ path, detail }: FieldFault, from: number): string {
  const inner = path.slice(from).join(' / ');
  return inner === '' ? detail : `${inner}: ${detail}`;
}

/** Reads a JSON pointer (RFC 6901). */
function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
