import type { ApiProblem } from './problem.js';

/**
 * Faults of a refused request by the fields of its body, for the form that made it; `rest` holds those of no field that the
 * form shows. Pure.
 * @param fields names of fields of the body, as the form shows them
 * @param ofCodes fields that problems without a pointer are about, by the code of the problem
 */
export function fieldFaults<Field extends string>(
  problem: ApiProblem | null,
  fields: readonly Field[],
  ofCodes: Readonly<Record<string, Field>> = {},
): { readonly of: (field: Field) => string | null; readonly isAllShown: boolean } {
  const found = new Map<Field, string>();
  let others = 0;
  for (const fault of problem?.faults ?? []) {
    const [, place = '', detail = ''] = /^#?\/?([^/:]*)[^:]*: (.*)$/s.exec(fault) ?? [];
    const field = fields.find((each) => each === place);
    if (field === undefined) others += 1;
    else if (!found.has(field)) found.set(field, detail);
  }
  const ofCode = ofCodes[problem?.code ?? ''];
  if (problem !== null && ofCode !== undefined && !found.has(ofCode)) found.set(ofCode, problem.detail);
  return {
    of: (field) => found.get(field) ?? null,
    isAllShown: problem === null || (found.size > 0 && others === 0),
  };
}
