import { AppError } from '#libs/kernel';
import type { ReadableMedia } from '#libs/payloads';
import type { ModelProvider } from '../provider/model-provider.js';
import type { ProviderRegistry } from '../provider/provider-registry.js';
import {
  MODEL_FEATURES,
  modelDescriptionSchema,
  pricingSchema,
  type ModelDescription,
  type Pricing,
} from './model-description.js';
import type { PredefinedModel } from './predefined-model.js';

/** What decides how a configuration's model is described and priced. */
export interface ConfiguredModel {
  readonly provider: string;
  readonly model: string;
  /** Its own prices, null where it has none. */
  readonly pricing: unknown;
}

/** Of a model that nobody has described. */
const USUAL_CONTEXT_SIZE = 400_000;

/**
 * The models a user can choose: those that providers predefine, any other as a customizable model. Whether a provider has a
 * model today is never judged here: the call shows it (S1-13). Made once at start; throws when the data is wrong.
 */
export class ModelCatalogue {
  private readonly predefined: ReadonlyMap<string, ModelDescription>;

  constructor(private readonly providers: ProviderRegistry) {
    const models = providers.list().flatMap((provider) => provider.models.map(describedBy(provider)));
    this.predefined = new Map(models.map((model) => [nameOf(model.provider, model.id), model]));
    if (this.predefined.size !== models.length) throw invalidCatalogue('two models have the same id');
  }

  /** In the order in which forms show them. */
  list(): readonly ModelDescription[] {
    return [...this.predefined.values()];
  }

  /** Never refuses an id: an unknown one is a customizable model without known prices. */
  describe(providerId: string, id: string): ModelDescription {
    const known = this.predefined.get(nameOf(providerId, id));
    return known ?? describedBy(this.providers.get(providerId))({ id, label: id });
  }

  /** Tokens that a model reads at once; of one that nobody has described, what is usual. */
  contextSizeOf({ provider, model }: Pick<ConfiguredModel, 'provider' | 'model'>): number {
    return this.predefined.get(nameOf(provider, model))?.context_size ?? USUAL_CONTEXT_SIZE;
  }

  /** What a model reads as it is; of one that nobody has described, nothing but texts. */
  nativeMediaOf({ provider, model }: Pick<ConfiguredModel, 'provider' | 'model'>): readonly ReadableMedia[] {
    return this.predefined.get(nameOf(provider, model))?.native_media ?? [];
  }

  /** What a configuration's own prices say, else those of the list; null where nobody knows. */
  pricingOf({ provider, model, pricing }: ConfiguredModel): Pricing | null {
    return pricing === null
      ? (this.predefined.get(nameOf(provider, model))?.pricing ?? null)
      : pricingSchema.parse(pricing);
  }

  /** Can be said what a call costs? Costs are reported in US dollars. */
  isPriced(configured: ConfiguredModel): boolean {
    return this.pricingOf(configured)?.currency === 'USD';
  }
}

/** The same model may be served by several. */
function nameOf(providerId: string, id: string): string {
  return JSON.stringify([providerId, id]);
}

/** What nobody has priced is not free: its price is not known. */
function describedBy(provider: ModelProvider) {
  return (model: Pick<PredefinedModel, 'id' | 'label'> & Partial<PredefinedModel>): ModelDescription => {
    const { id, label, contextSize = USUAL_CONTEXT_SIZE, nativeMedia = [], pricing = null } = model;
    return parseDescription({
      id,
      label,
      provider: provider.id,
      model_type: 'llm',
      source: pricing === null ? 'customizable-model' : 'predefined-model',
      features: [...MODEL_FEATURES],
      context_size: contextSize,
      native_media: nativeMedia,
      parameters: provider.parameters.described,
      pricing,
    });
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
