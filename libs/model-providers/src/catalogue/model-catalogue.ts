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

/** The parts of a model configuration that determine its description and price. */
export interface ConfiguredModel {
  readonly provider: string;
  readonly model: string;
  /** The configuration's own prices, or null. */
  readonly pricing: unknown;
}

/** Default context size in tokens for models without a description. */
const USUAL_CONTEXT_SIZE = 400_000;

/**
 * The selectable models: predefined by a provider, or customizable. Availability at the provider is not checked here: a
 * call shows it (S1-13). Created at start; throws for invalid data.
 */
export class ModelCatalogue {
  private readonly predefined: ReadonlyMap<string, ModelDescription>;

  constructor(private readonly providers: ProviderRegistry) {
    const models = providers.list().flatMap((provider) => provider.models.map(describedBy(provider)));
    this.predefined = new Map(models.map((model) => [nameOf(model.provider, model.id), model]));
    if (this.predefined.size !== models.length) throw invalidCatalogue('two models have the same id');
  }

  /** In display order. */
  list(): readonly ModelDescription[] {
    return [...this.predefined.values()];
  }

  /** Accepts every id: an unknown one is a customizable model without known prices. */
  describe(providerId: string, id: string): ModelDescription {
    const known = this.predefined.get(nameOf(providerId, id));
    return known ?? describedBy(this.providers.get(providerId))({ id, label: id });
  }

  /** Context size in tokens; the default for models without a description. */
  contextSizeOf({ provider, model }: Pick<ConfiguredModel, 'provider' | 'model'>): number {
    return this.predefined.get(nameOf(provider, model))?.context_size ?? USUAL_CONTEXT_SIZE;
  }

  /** Media that the model reads natively; empty for models without a description, which read text only. */
  nativeMediaOf({ provider, model }: Pick<ConfiguredModel, 'provider' | 'model'>): readonly ReadableMedia[] {
    return this.predefined.get(nameOf(provider, model))?.native_media ?? [];
  }

  /** The configuration's own prices, else the model's list prices; null if unknown. */
  pricingOf({ provider, model, pricing }: ConfiguredModel): Pricing | null {
    return pricing === null
      ? (this.predefined.get(nameOf(provider, model))?.pricing ?? null)
      : pricingSchema.parse(pricing);
  }

  /** True if costs can be reported: prices are known and in US dollars. */
  isPriced(configured: ConfiguredModel): boolean {
    return this.pricingOf(configured)?.currency === 'USD';
  }
}

/** Providers may serve models of the same id. */
function nameOf(providerId: string, id: string): string {
  return JSON.stringify([providerId, id]);
}

/** Without prices a model counts as customizable, not as free of charge. */
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
