import { AppError } from '#libs/kernel';
import type { ExecutionTokenStore } from '#libs/persistence';
import { executionTokenPlace, type SecretBox } from '#libs/secrets';
import { TokenStore } from '#libs/tooling';

/** Opens the secrets of executions as they are stored. */
export class SealedTokens extends TokenStore {
  /** @param box null where no key for sealing is configured: then none of them can be opened */
  constructor(
    private readonly store: Pick<ExecutionTokenStore, 'read'>,
    private readonly box: SecretBox | null,
  ) {
    super();
  }

  /** Throws `SECRET_UNREADABLE` beside what the port says. */
  override async read(tenantId: string, executionId: string): Promise<Readonly<Record<string, string>>> {
    const { names, tokens } = (await this.store.read(tenantId, executionId)) ?? { names: [], tokens: [] };
    const kept = new Set(tokens.map(({ name }) => name));
    if (!names.every((name) => kept.has(name))) throw tokensExpired();
    return Object.fromEntries(
      tokens.map(({ name, sealed }) => [
        name,
        this.open(sealed, executionTokenPlace(tenantId, executionId, name)),
      ]),
    );
  }

  private open(sealed: string, place: string): string {
    if (this.box === null) throw noKey();
    return this.box.open(sealed, place);
  }
}

function tokensExpired(): AppError {
  return new AppError({
    code: 'TOKENS_EXPIRED',
    kind: 'invalid_input',
    message: 'the tokens of the request are kept for 24 hours, which are over; submit it again with new ones',
  });
}

function noKey(): AppError {
  return new AppError({
    code: 'SECRET_UNREADABLE',
    kind: 'internal',
    message: 'a stored secret cannot be read: ENCRYPTION_KEY is not set',
  });
}
