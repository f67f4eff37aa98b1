import type { JsonObject } from '#libs/kernel';
import type { ModelCatalogue } from '#libs/model-providers';
import { findFormatFaults } from '#libs/payloads';
import type { LlmView } from '#libs/persistence';
import { budgetSchema } from '#libs/policy';
import { explainIssue, toFieldErrors } from '../http/describe-issue.js';
import type { FieldError } from '../http/invalid-request.error.js';
import { pointerTo } from '../http/pointer.js';

/** The model configuration that options are for. */
export type OptionsModel = Pick<LlmView, 'model' | 'pricing' | 'extra'>;

/** Where options stand in the body, and what they are laid over. */
export interface OptionsPlace {
  readonly field: 'config' | 'options' | 'extra';
  readonly below: readonly JsonObject[];
}

/**
 * What is wrong with options beside what each of them says by itself: the format that they ask for, what they allow to be
 * spent, and whether that can be counted at all. Pure.
 */
export function findOptionFaults(
  options: JsonObject,
  model: OptionsModel,
  { field, below }: OptionsPlace,
  catalogue: ModelCatalogue,
): FieldError[] {
  const format = findFormatFaults(options, below).map(({ path, message }) => ({
    pointer: pointerTo([field, ...path]),
    detail: message,
  }));
  return [...format, ...findBudgetFaults(options, model, field, catalogue)];
}

function findBudgetFaults(
  options: JsonObject,
  { model, pricing }: OptionsModel,
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
  if (parsed.data.cost === null || catalogue.isPriced(model, pricing)) return [];
  const detail =
    'cannot be kept: the price of this model is not known; give its configuration a pricing in USD';
  return [{ pointer: pointerTo([field, 'budget', 'cost']), detail }];
}

/** Do options say anything that can only be judged together with the model and the layers below? */
export function needsModel(options: JsonObject): boolean {
  return ['response_format', 'json_schema', 'budget'].some((key) => key in options);
}
