import { faultsAt, faultsBeside, fieldFaultsOf } from './field-faults.js';
import { problemOf } from './problem.js';

/** Faults of a refused form by its fields. */
interface FormFaults<Field extends string> {
  /** Fault at a field; null where there is none. */
  readonly of: (field: Field) => string | null;
  /** False where the problem has something to say that stands at no field. */
  readonly isAllShown: boolean;
}

/**
 * Faults of a refused request by the fields of the form that made it. Pure.
 * @param error null where nothing was refused
 * @param fields names of fields of the body, as the form shows them
 * @param ofCodes fields that problems without a pointer are about, by the code of the problem
 */
export function formFaults<Field extends string>(
  error: unknown,
  fields: readonly Field[],
  ofCodes: Readonly<Record<string, Field>> = {},
): FormFaults<Field> {
  const faults = fieldFaultsOf(error);
  const places = fields.map((field) => [field]);
  const problem = error === null ? null : problemOf(error);
  const ofCode = ofCodes[problem?.code ?? ''];
  const detailOf = (field: Field): string | null =>
    faultsAt(faults, field)[0] ?? (field === ofCode ? (problem?.detail ?? null) : null);
  const isAnyShown = fields.some((field) => detailOf(field) !== null);
  const isAllShown = isAnyShown && faultsBeside(faults, places).length === 0;
  return { of: detailOf, isAllShown: problem === null || isAllShown };
}
