import type { JsonObject, JsonValue } from '#libs/kernel';
import { parseBoolLike, InvalidModelParameterError } from '#libs/payloads';

/** One reader per parameter; each receives all parameters and reads its own. Throws `InvalidModelParameterError`. */
export type ParameterReaders<Given> = {
  readonly [Name in keyof Given]: (parameters: JsonObject) => Given[Name];
};

export function readAll<Given>(readers: ParameterReaders<Given>, parameters: JsonObject): Given {
  const given: Record<string, unknown> = {};
  for (const name in readers) given[name] = readers[name](parameters);
  return given as Given;
}

export function findReaderFaults<Given>(
  readers: ParameterReaders<Given>,
  parameters: JsonObject,
): InvalidModelParameterError[] {
  return Object.values<(all: JsonObject) => unknown>(readers).flatMap((read) => {
    try {
      read(parameters);
      return [];
    } catch (error) {
      if (error instanceof InvalidModelParameterError) return error;
      throw error;
    }
  });
}

/** `null` and `""` count as not given. */
export function given(value: JsonValue | undefined): JsonValue | undefined {
  return value === null || value === '' ? undefined : value;
}

/** Unlike other parameters, a flag has no empty form: `""` and `null` are errors (S1-42). */
export function readFlag(parameters: JsonObject, field: string): boolean | undefined {
  const value = parameters[field];
  return value === undefined ? undefined : parseBoolLike(value, field);
}

/** Reads one of a closed list of words. */
export function readOption<const Option extends string>(
  parameters: JsonObject,
  field: string,
  options: readonly Option[],
): Option | undefined {
  const value = given(parameters[field]);
  if (value === undefined) return undefined;
  const option = options.find((candidate) => candidate === value);
  if (option !== undefined) return option;
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  throw new InvalidModelParameterError(field, `unsupported ${field}: ${shown}`, options);
}

/** Reads an integer, also as text; a fraction is an error and is never rounded. */
export function readInteger(
  parameters: JsonObject,
  field: string,
  min: number,
  max: number,
): number | undefined {
  const value = given(parameters[field]);
  if (value === undefined) return undefined;
  const spelt = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
  if (typeof spelt === 'number' && Number.isInteger(spelt) && spelt >= min && spelt <= max) return spelt;
  throw new InvalidModelParameterError(field, `${field} must be an integer between ${min} and ${max}`);
}

/** Reads an integer limit that may be any number; a fraction is truncated (3.F-2). */
export function readLimit(
  parameters: JsonObject,
  field: string,
  min: number,
  max: number,
): number | undefined {
  const value = parameters[field];
  const cut = typeof value === 'number' ? Math.trunc(value) : value;
  return readInteger(cut === undefined ? {} : { [field]: cut }, field, min, max);
}

export function readNumber(
  parameters: JsonObject,
  field: string,
  min: number,
  max: number,
): number | undefined {
  const value = given(parameters[field]);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw new InvalidModelParameterError(field, `${field} must be a number between ${min} and ${max}`);
}

export function readText(parameters: JsonObject, field: string): string | undefined {
  const value = given(parameters[field]);
  if (value === undefined || typeof value === 'string') return value;
  throw new InvalidModelParameterError(field, `${field} must be a text`);
}

/** Reads the texts that end an answer; empty if none is given. */
export function readStop(parameters: JsonObject): readonly string[] {
  const value = given(parameters['stop']);
  if (value === undefined) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new InvalidModelParameterError('stop', 'stop must be a text or a list of texts');
}
