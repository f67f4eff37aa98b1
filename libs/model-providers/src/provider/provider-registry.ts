import { AppError } from '#libs/kernel';
import { z } from 'zod';
import type { ModelProvider } from './model-provider.js';

/** Model providers, by the id that model configurations use. */
export class ProviderRegistry {
  private readonly byId: ReadonlyMap<string, ModelProvider>;

  /** In display order; the first one is the default. */
  constructor(private readonly providers: readonly [ModelProvider, ...ModelProvider[]]) {
    this.byId = new Map(providers.map((provider) => [provider.id, provider]));
    if (this.byId.size !== providers.length) throw new Error('two model providers have the same id');
  }

  list(): readonly ModelProvider[] {
    return this.providers;
  }

  get ids(): readonly string[] {
    return this.providers.map(({ id }) => id);
  }

  get defaultId(): string {
    return this.providers[0].id;
  }

  /** Throws `VALIDATION_ERROR` for an unknown provider, e.g. one of a newer release. */
  get(id: string): ModelProvider {
    const provider = this.byId.get(id);
    if (provider !== undefined) return provider;
    throw new AppError({
      code: 'VALIDATION_ERROR',
      kind: 'invalid_input',
      message: `there is no model provider named ${id}; known are ${this.ids.join(', ')}`,
    });
  }

  /**
   * Schema of all providers' credential fields. `foreignFields` finds those of other providers: a union of schemas
   * would report a misspelled field once per provider.
   */
  credentialsSchema() {
    const shapes = this.providers.map(({ credentials }) => credentials.shape);
    return z.strictObject(Object.assign({}, ...shapes) as Record<string, z.ZodType>);
  }

  /** Given fields that belong to other providers only. */
  foreignFields(id: string, credentials: Readonly<Record<string, unknown>>): readonly string[] {
    const own = this.get(id).credentials.shape;
    return Object.keys(credentials).filter((field) => credentials[field] !== undefined && !(field in own));
  }
}
