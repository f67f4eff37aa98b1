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
  /** Of whoever asks. */
  readonly accountsOf: (asking: AskingScope) => CallAccounts;
}

/** Looks through documents of tenants; each call for the vector of a question is on account of whoever asks. */
export class AccountedRetrieval {
  constructor(private readonly parts: AccountedRetrievalParts) {}

  /**
   * Throws `RetrievalError`.
   *
   * @param beforeCall waited for before each call
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
