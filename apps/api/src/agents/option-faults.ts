import type { JsonObject } from '#libs/kernel';
import type { ModelCatalogue, ProviderRegistry } from '#libs/model-providers';
import { findModelFaults } from '#libs/payloads';
import type { LlmView } from '#libs/persistence';
import { budgetSchema, memorySettingsSchema } from '#libs/policy';
import { pointerTo, type FieldError } from '../http/request-errors.js';
import { explainIssue, toFieldErrors } from '../http/request-validation.js';

/** The model configuration that options are for. */
export type OptionsModel = Pick<LlmView, 'provider' | 'model' | 'pricing' | 'extra'>;

/** What is known of models and of those who serve them. */
export interface ModelKnowledge {
  readonly catalogue: ModelCatalogue;
  readonly providers: ProviderRegistry;
}

/** Where options stand in the body, and what they are laid over. */
export interface OptionsPlace {
  readonly field: 'config' | 'options' | 'extra';
  readonly below: readonly JsonObject[];
}

/**
 * What is wrong with options for this model: what its provider would refuse, what they allow to be spent, and whether that
 * can be counted at all. Pure.
 */
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

/** What an agent remembers is a matter of the agent: a request could not have it forget afterwards. */
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
