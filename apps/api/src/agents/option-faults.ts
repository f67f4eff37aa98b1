import type { JsonObject } from '#libs/kernel';
import type { ModelCatalogue, ProviderRegistry } from '#libs/model-providers';
import { findModelFaults } from '#libs/payloads';
import type { LlmView } from '#libs/persistence';
import { budgetSchema, memorySettingsSchema } from '#libs/policy';
import { pointerTo, type FieldError } from '../http/request-errors.js';
import { explainIssue, toFieldErrors } from '../http/request-validation.js';

/** The model configuration that options are for. */
export type OptionsModel = Pick<LlmView, 'provider' | 'model' | 'pricing' | 'extra'>;

/** Model prices and parameter rules, by which options are validated. */
export interface ModelKnowledge {
  readonly catalogue: ModelCatalogue;
  readonly providers: ProviderRegistry;
}

/** The body field that holds the options, and the option layers below it. */
export interface OptionsPlace {
  readonly field: 'config' | 'options' | 'extra';
  readonly below: readonly JsonObject[];
}

/** Finds options that the provider refuses, budgets that are invalid, and cost budgets of a model without a price. Pure. */
export function findOptionFaults(
  options: JsonObject,
  model: OptionsModel,
  { field, below }: OptionsPlace,
  { catalogue, providers }: ModelKnowledge,
): FieldError[] {
  const { parameters } = providers.get(model.provider);
  const refused = findModelFaults(options, below, parameters).map(({ path, message }) => ({
    pointer: pointerTo([field, ...path]),
    detail: message,
  }));
  return [
    ...refused,
    ...findBudgetFaults(options, model, field, catalogue),
    ...findMemoryFaults(options, field),
  ];
}

/** Memory settings belong to the agent: a request could not remove memories that an agent already keeps. */
function findMemoryFaults({ memory }: JsonObject, field: OptionsPlace['field']): FieldError[] {
  if (memory === undefined) return [];
  if (field !== 'config')
    return [{ pointer: pointerTo([field, 'memory']), detail: 'belongs into the config of an agent' }];
  const parsed = memorySettingsSchema.safeParse(memory, { error: explainIssue });
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) =>
    toFieldErrors({ ...issue, path: [field, 'memory', ...issue.path] }, 'body'),
  );
}

function findBudgetFaults(
  options: JsonObject,
  model: OptionsModel,
  field: OptionsPlace['field'],
  catalogue: ModelCatalogue,
): FieldError[] {
  const { budget } = options;
  if (budget === undefined) return [];
  const parsed = budgetSchema.safeParse(budget, { error: explainIssue });
  if (!parsed.success) {
    return parsed.error.issues.flatMap((issue) =>
      toFieldErrors({ ...issue, path: [field, 'budget', ...issue.path] }, 'body'),
    );
  }
  if (parsed.data.cost === null || catalogue.isPriced(model)) return [];
  const detail =
    'cannot be kept: the price of this model is not known; give its configuration a pricing in USD';
  return [{ pointer: pointerTo([field, 'budget', 'cost']), detail }];
}
