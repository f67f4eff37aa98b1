import { AppError } from '#libs/kernel';
import { z } from 'zod';
import type { ModelProvider } from './model-provider.js';

/** The kinds of model servers that can be asked, by the name that model configurations use. */
export class ProviderRegistry {
  private readonly byId: ReadonlyMap<string, ModelProvider>;

  /** In the order in which forms show them; the first is asked where a configuration names none. */
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

  /** Throws `VALIDATION_ERROR` for a provider that a newer release may have known. */
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
   * What the credentials of any provider may hold. Which of these fields belong to one provider says `foreignFields`: a
   * union would answer a misspelt field with what every provider thinks of it.
   */
  credentialsSchema() {
    const shapes = this.providers.map(({ credentials }) => credentials.shape);
    return z.strictObject(Object.assign({}, ...shapes) as Record<string, z.ZodType>);
  }

  /** Fields that another provider has and this one has not. */
  foreignFields(id: string, credentials: Readonly<Record<string, unknown>>): readonly string[] {
    const own = this.get(id).credentials.shape;
    return Object.keys(credentials).filter((field) => credentials[field] !== undefined && !(field in own));
  }
}
