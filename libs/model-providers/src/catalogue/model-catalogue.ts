import { AppError } from '#libs/kernel';
import type { ReadableMedia } from '#libs/payloads';
import type { ModelProvider } from '../provider/model-provider.js';
import type { ProviderRegistry } from '../provider/provider-registry.js';
import { resolveAlias, type ModelAliases } from '../provider/resolve-alias.js';
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

  /** @param aliases those that the operator set, by provider; they take precedence over the provider's own */
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly aliases: Readonly<Record<string, ModelAliases>> = {},
  ) {
    const models = providers.list().flatMap((provider) => provider.models.map(describedBy(provider)));
    this.predefined = new Map(models.map((model) => [nameOf(model.provider, model.id), model]));
    if (this.predefined.size !== models.length) throw invalidCatalogue('two models have the same id');
  }

  /** In display order. */
  list(): readonly ModelDescription[] {
    return [...this.predefined.values()];
  }

  /** Aliases of a provider; empty for an unknown one. */
  aliasesOf(providerId: string): ModelAliases {
    const own = this.providers.ids.includes(providerId) ? this.providers.get(providerId).aliases : {};
    return { ...own, ...this.aliases[providerId] };
  }

  /** The id that a configuration's model is asked by (S4-30). */
  idOf({ provider, model }: Pick<ConfiguredModel, 'provider' | 'model'>): string {
    return resolveAlias(this.aliasesOf(provider), model);
  }

  /**
   * The model of this id or alias, by the first provider that has it; null for an unknown one.
   * @param first provider that is asked before the others
   */
  find(name: string, first: string): Pick<ConfiguredModel, 'provider' | 'model'> | null {
    const ids = [first, ...this.providers.ids.filter((id) => id !== first)];
    const provider = ids.find(
      (id) =>
        this.predefinedOf({ provider: id, model: name }) !== undefined ||
        Object.hasOwn(this.aliasesOf(id), name),
    );
    return provider === undefined ? null : { provider, model: name };
  }

  /** Accepts every id: an unknown one is a customizable model without known prices. */
  describe(providerId: string, id: string): ModelDescription {
    const known = this.predefinedOf({ provider: providerId, model: id });
    return known ?? describedBy(this.providers.get(providerId))({ id, label: id });
  }

  /** Context size in tokens; the default for models without a description. */
  contextSizeOf(configured: Pick<ConfiguredModel, 'provider' | 'model'>): number {
    return this.predefinedOf(configured)?.context_size ?? USUAL_CONTEXT_SIZE;
  }

  /** Media that the model reads natively; empty for models without a description, which read text only. */
  nativeMediaOf(configured: Pick<ConfiguredModel, 'provider' | 'model'>): readonly ReadableMedia[] {
    return this.predefinedOf(configured)?.native_media ?? [];
  }

  /** The configuration's own prices, else the model's list prices; null if unknown. */
  pricingOf(configured: ConfiguredModel): Pricing | null {
    const { pricing } = configured;
    return pricing === null ? (this.predefinedOf(configured)?.pricing ?? null) : pricingSchema.parse(pricing);
  }

  /** True if costs can be reported: prices are known and in US dollars. */
  isPriced(configured: ConfiguredModel): boolean {
    return this.pricingOf(configured)?.currency === 'USD';
  }

  private predefinedOf(
    configured: Pick<ConfiguredModel, 'provider' | 'model'>,
  ): ModelDescription | undefined {
    return this.predefined.get(nameOf(configured.provider, this.idOf(configured)));
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
