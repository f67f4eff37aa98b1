import type { EmbeddingService } from '../ingest/embed-texts.js';
import type { CallAccounts } from '../ports/call-accounts.js';
import { Embedder, EmbeddingError, type Embeddings } from '../ports/embedder.js';

/**
 * Records each call of another embedder: announced before it is sent, completed with its cost. After an abort or a
 * crash the cost stays unknown.
 */
export class AccountedEmbedder extends Embedder {
  override readonly mostTexts: number;

  constructor(
    private readonly service: EmbeddingService,
    private readonly model: string,
    private readonly accounts: CallAccounts,
  ) {
    super();
    this.mostTexts = service.embedder.mostTexts;
  }

  override async embed(
    texts: readonly string[],
    dimensions: number,
    signal: AbortSignal,
  ): Promise<Embeddings> {
    const call = await this.accounts.open(this.model);
    try {
      const embeddings = await this.service.embedder.embed(texts, dimensions, signal);
      const { inputTokens, model } = embeddings;
      const state = inputTokens === null ? 'unknown' : 'known';
      await this.accounts.close(call, { state, model, inputTokens, costUsd: this.costOf(inputTokens) });
      return embeddings;
    } catch (error) {
      if (error instanceof EmbeddingError && !signal.aborted) {
        const { inputTokens } = error;
        const costUsd = this.costOf(inputTokens);
        await this.accounts.close(call, { state: 'failed', model: this.model, inputTokens, costUsd });
      }
      throw error;
    }
  }

  private costOf(inputTokens: number | null): string | null {
    return inputTokens === null ? null : this.service.costOf(inputTokens);
  }
}
