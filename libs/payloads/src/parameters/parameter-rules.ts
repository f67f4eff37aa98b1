import { AppError, type JsonObject } from '#libs/kernel';

/** Invalid parameter of a model call. The message names the field and the fault. */
export class InvalidModelParameterError extends AppError {
  readonly field: string;
  /** Allowed values, if they can be listed. */
  readonly allowed: readonly string[] | undefined;

  constructor(field: string, message: string, allowed?: readonly string[]) {
    super({
      code: 'INVALID_MODEL_PARAMETER',
      kind: 'invalid_input',
      message,
      details: allowed === undefined ? { field } : { field, allowed },
    });
    this.field = field;
    this.allowed = allowed;
  }
}

interface Described {
  readonly name: string;
  readonly label: string;
}

/** Model parameter with its range, for forms and request builders. */
export type ModelParameter = Described &
  (
    | { readonly type: 'int'; readonly default: number; readonly min: number; readonly max: number }
    | {
        readonly type: 'string';
        readonly default: string;
        readonly options: readonly string[];
        /** Whether values outside of `options` are allowed. */
        readonly open: boolean;
      }
    | { readonly type: 'float'; readonly min: number; readonly max: number }
    | { readonly type: 'text' }
    | { readonly type: 'boolean'; readonly default: boolean }
  );

/** Parameters that one model API accepts. */
export interface ParameterRules {
  /** Accepted keys. */
  readonly names: readonly string[];
  /** Parameters with ranges, for forms. */
  readonly described: readonly ModelParameter[];
  /** All faults that building the request would throw, at most one per parameter. */
  findFaults(parameters: JsonObject): InvalidModelParameterError[];
}

const ACCEPTED: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['true', true],
  ['1', true],
  [false, false],
  [0, false],
  ['false', false],
  ['0', false],
]);

/** Reads true/false, 1/0 and their text forms in any case (S1-41, S1-42); any other value is an error that names `field`. */
export function parseBoolLike(value: unknown, field: string): boolean {
  const parsed = ACCEPTED.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
  if (parsed !== undefined) return parsed;
  throw new InvalidModelParameterError(field, `${field} must be a boolean-like value`, [
    'true',
    'false',
    '1',
    '0',
  ]);
}
