import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/kernel';
import { ExecutionTokenStore } from '#libs/persistence';
import { executionTokenPlace, SecretBox } from '#libs/secrets';
import { TokenStore } from '#libs/tooling';

/** Opens the stored secrets of executions. */
@Injectable()
export class SealedTokens extends TokenStore {
  constructor(
    private readonly store: ExecutionTokenStore,
    private readonly box: SecretBox,
  ) {
    super();
  }

  /** Throws `SECRET_UNREADABLE` in addition to the port's errors. */
  override async read(tenantId: string, executionId: string): Promise<Readonly<Record<string, string>>> {
    const { names, tokens } = (await this.store.read(tenantId, executionId)) ?? { names: [], tokens: [] };
    const kept = new Set(tokens.map(({ name }) => name));
    if (!names.every((name) => kept.has(name))) throw tokensExpired();
    return Object.fromEntries(
      tokens.map(({ name, sealed }) => [
        name,
        this.box.open(sealed, executionTokenPlace(tenantId, executionId, name)),
      ]),
    );
  }
}

function tokensExpired(): AppError {
  return new AppError({
    code: 'TOKENS_EXPIRED',
    kind: 'invalid_input',
    message: 'the tokens of the request were deleted after 24 hours; submit it again with new ones',
  });
}
