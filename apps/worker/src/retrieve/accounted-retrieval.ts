import {
  AccountedEmbedder,
  RetrieveChunks,
  type CallAccounts,
  type ChunkIndex,
  type Retrieval,
  type RetrievalQuery,
  type ServiceOfSpace,
} from '#libs/knowledge';
import type { AskingScope } from '#libs/persistence';

export interface AccountedRetrievalParts {
  readonly index: ChunkIndex;
  readonly serviceOf: ServiceOfSpace;
  /** Usage accounts of the asking execution or person. */
  readonly accountsOf: (asking: AskingScope) => CallAccounts;
}

/** Searches tenants' documents and records each embedding call on the caller's account. */
export class AccountedRetrieval {
  constructor(private readonly parts: AccountedRetrievalParts) {}

  /**
   * Throws `RetrievalError`.
   * @param beforeCall awaited before each call
   */
  retrieve(
    asking: AskingScope,
    query: RetrievalQuery,
    signal: AbortSignal,
    beforeCall: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Retrieval> {
    const { index, serviceOf, accountsOf } = this.parts;
    const accounts = accountsOf(asking);
    const accounted: ServiceOfSpace = async (tenantId, space) => {
      const service = await serviceOf(tenantId, space);
      await beforeCall();
      return { ...service, embedder: new AccountedEmbedder(service, space.embedModel, accounts) };
    };
    return new RetrieveChunks({ index, serviceOf: accounted }).retrieve(query, signal);
  }
}
