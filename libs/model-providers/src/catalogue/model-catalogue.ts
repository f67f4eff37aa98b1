import { AppError } from '#libs/kernel';
import { MODEL_PARAMETERS } from '#libs/payloads';
import {
  MODEL_FEATURES,
  modelDescriptionSchema,
  pricingSchema,
  type ModelDescription,
  type Pricing,
} from './model-description.js';
import { PREDEFINED_MODELS, PRICES_AS_OF } from './predefined-models.js';

const CONTEXT_SIZE = 400_000;

/**
 * The models a user can choose: eight by name, any other as a customizable model. Whether a provider has a model today
 * is never judged here: the call tells (S1-13). Made once at start; throws when the data is wrong.
 */
export class ModelCatalogue {
  private readonly predefined: ReadonlyMap<string, ModelDescription>;

  constructor(descriptions: readonly unknown[] = PREDEFINED_MODELS.map(describePredefined)) {
    const models = descriptions.map(parseDescription);
    this.predefined = new Map(models.map((model) => [model.id, model]));
    if (this.predefined.size !== models.length) throw invalidCatalogue('two models have the same id');
  }

  /** In the order in which forms show them. */
  list(): readonly ModelDescription[] {
    return [...this.predefined.values()];
  }

  /** Never refuses an id: an unknown one is a customizable model without known prices. */
  describe(id: string): ModelDescription {
    return this.predefined.get(id) ?? describeCustomizable(id);
  }

  /** What a configuration's own prices say, else those of the list; null where nobody knows. */
  pricingOf(id: string, own: unknown): Pricing | null {
    return own === null ? this.describe(id).pricing : pricingSchema.parse(own);
  }

  /** Can be said what a call costs? Costs are told in US dollars. */
  isPriced(id: string, own: unknown): boolean {
    return this.pricingOf(id, own)?.currency === 'USD';
  }
}

function describePredefined(model: (typeof PREDEFINED_MODELS)[number]): ModelDescription {
  const { id, label, input, cachedInput, output, note } = model;
  const pricing: Pricing = { currency: 'USD', input, cached_input: cachedInput, output, as_of: PRICES_AS_OF };
  return describe(id, label, 'predefined-model', note === undefined ? pricing : { ...pricing, note });
}

/** What nobody has priced is not free: its price is not known. */
function describeCustomizable(id: string): ModelDescription {
  return parseDescription(describe(id, id, 'customizable-model', null));
}

function describe(
  id: string,
  label: string,
  source: ModelDescription['source'],
  pricing: Pricing | null,
): ModelDescription {
  return {
    id,
    label,
    provider: 'openai',
    model_type: 'llm',
    source,
    features: [...MODEL_FEATURES],
    context_size: CONTEXT_SIZE,
    parameters: MODEL_PARAMETERS,
    pricing,
  };
}

function parseDescription(description: unknown): ModelDescription {
  const parsed = modelDescriptionSchema.safeParse(description);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidCatalogue(`${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`);
}

function invalidCatalogue(reason: string): AppError {
  return new AppError({
    code: 'INVALID_MODEL_DESCRIPTION',
    kind: 'internal',
    message: `the description of a model is wrong: ${reason}`,
  });
}
