import type { JsonObject } from '#libs/kernel';
import type { InvalidModelParameterError } from './invalid-model-parameter-error.js';

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
