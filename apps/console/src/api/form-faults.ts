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

/** Faults of a refused form by its fields. */
interface FormFaults<Field extends string> {
  /** Faults at a field, such as `limits`, or at a place within one, such as `limits/tokens`. */
  readonly at: (place: Field | `${Field}/${string}`) => readonly string[];
  /** False where the problem has something to say that stands at no field. */
  readonly isAllShown: boolean;
}

/**
 * Faults of a refused request by the fields of the form that made it. Pure.
 * @param error null where nothing was refused
 * @param fields names of fields of the body, as the form shows them; `limits/tokens` is within `limits`
 * @param ofCodes fields that problems without a pointer are about, by the code of the problem
 */
export function formFaults<Field extends string>(
  error: unknown,
  fields: readonly Field[],
  ofCodes: Readonly<Record<string, Field>> = {},
): FormFaults<Field> {
  if (error === null || error === undefined) return { at: () => [], isAllShown: true };
  const problem = problemOf(error);
  const faults = fieldFaultsOf(problem);
  const ofCode = ofCodes[problem.code ?? ''];
  const at = (place: string): readonly string[] => {
    const found = faultsAt(faults, ...place.split('/'));
    return found.length === 0 && place === ofCode ? [problem.detail] : found;
  };
  const isAnyShown = fields.some((field) => at(field).length > 0);
  const beside = faultsBeside(
    faults,
    fields.map((field) => field.split('/')),
  );
  const isOfBody = faults.length === problem.faults.length;
  return { at, isAllShown: isAnyShown && isOfBody && beside.length === 0 };
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
