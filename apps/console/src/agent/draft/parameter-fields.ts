import type { Llm, ModelList, ModelParameter, Strategy, StrategyParameter } from '../../api/types.js';
import type { JsonObject } from '../../format/json-object.js';

/** One parameter of `config`, as a form shows it. */
export interface ParameterField {
  readonly name: string;
  readonly label: string;
  readonly help: string | null;
  readonly kind: 'integer' | 'decimal' | 'boolean' | 'choice' | 'line' | 'text';
  readonly min: number | null;
  readonly max: number | null;
  /** Shown for a parameter that is left out; null where the API names none. */
  readonly fallback: string | null;
  readonly options: readonly string[];
  /** Whether other texts than the options are taken. */
  readonly isOpen: boolean;
}

const BLANK = { help: null, min: null, max: null, fallback: null, options: [], isOpen: false };

/** Parameters of a strategy that stand elsewhere in the form, or come with each request. */
const ELSEWHERE: ReadonlySet<string> = new Set(['instruction', 'context', 'query']);

/** Parameters that the engine has without a strategy, too. */
const WITHOUT_STRATEGY: ReadonlySet<string> = new Set(['maximum_iterations']);

/** Parameters of the strategy of that name, or of an agent without one. Pure. */
export function strategyFields(strategies: readonly Strategy[], name: unknown): ParameterField[] {
  const chosen = strategies.find((strategy) => strategy.name === name);
  const parameters = (chosen ?? strategies[0])?.parameters ?? [];
  return parameters
    .filter((parameter) => !ELSEWHERE.has(parameter.name))
    .filter((parameter) => chosen !== undefined || WITHOUT_STRATEGY.has(parameter.name))
    .flatMap(strategyField);
}

function strategyField(parameter: StrategyParameter): ParameterField[] {
  const { name, label, help } = parameter;
  const named = { ...BLANK, name, label, help };
  switch (parameter.type) {
    case 'number': {
      const { min, max, default: fallback } = parameter;
      return [{ ...named, kind: 'integer', min, max, fallback: String(fallback) }];
    }
    case 'boolean':
      return [{ ...named, kind: 'boolean', fallback: String(parameter.default) }];
    case 'string':
      return [{ ...named, kind: 'text' }];
    default:
      return [];
  }
}

/** Parameters that the model of a configuration takes: its own, or else those of its provider. Pure. */
export function modelFields(
  models: ModelList,
  llm: Pick<Llm, 'model' | 'provider' | 'extra'>,
): ParameterField[] {
  const model = models.data.find(({ id, provider }) => id === llm.model && provider === llm.provider);
  const provider = models.providers.find(({ id }) => id === llm.provider);
  const parameters = model?.parameters ?? provider?.parameters ?? [];
  return parameters.map(modelField).map((field) => withInherited(field, llm.extra));
}

function modelField(parameter: ModelParameter): ParameterField {
  const { name, label } = parameter;
  const named = { ...BLANK, name, label };
  switch (parameter.type) {
    case 'int': {
      const { min, max, default: fallback } = parameter;
      return { ...named, kind: 'integer', min, max, fallback: String(fallback) };
    }
    case 'float':
      return { ...named, kind: 'decimal', min: parameter.min, max: parameter.max };
    case 'boolean':
      return { ...named, kind: 'boolean', fallback: String(parameter.default) };
    case 'string': {
      const { options, open: isOpen, default: fallback } = parameter;
      return { ...named, kind: 'choice', options, isOpen, fallback: fallback === '' ? null : fallback };
    }
    case 'text':
      return { ...named, kind: 'line' };
  }
}

/** A value of the model configuration holds where the agent has none. */
function withInherited(field: ParameterField, extra: JsonObject): ParameterField {
  const value = extra[field.name];
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return field;
  return { ...field, fallback: `${value}, of the model configuration` };
}

/** Whether the form can show the value; one of another type is edited as JSON. Pure. */
export function isShowable({ kind, options, isOpen }: ParameterField, value: unknown): boolean {
  if (value === undefined) return true;
  switch (kind) {
    case 'integer':
    case 'decimal':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return typeof value === 'string' && (isOpen || options.includes(value));
    default:
      return typeof value === 'string';
  }
}

/** Value of a parameter from its control; undefined where the control is empty. Pure. */
export function parameterValue({ kind }: ParameterField, text: string): unknown {
  if (text === '') return undefined;
  if (kind === 'boolean') return text === 'true';
  if (kind !== 'integer' && kind !== 'decimal') return text;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

/** Range of a number in words. Pure. */
export function rangeOf({ kind, min, max }: ParameterField): string | null {
  if (min === null || max === null) return null;
  return `${kind === 'integer' ? 'Whole number' : 'Number'} from ${min} to ${max}.`;
}

/** Keys of the config that no field of the form shows. Pure. */
export function otherKeys(config: JsonObject, shown: readonly string[]): string[] {
  return Object.keys(config).filter((key) => !shown.includes(key));
}
