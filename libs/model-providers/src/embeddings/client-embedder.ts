import type { ModelCallError } from '#libs/agent-core';
import { Embedder, EmbeddingError, type Embeddings } from '#libs/knowledge';
import { systemClock } from '#libs/kernel';
import { CallStopped, CallWatch } from '../calls/call-watch.js';
import { createOpenAiClient } from '../calls/client.js';
import { secretsOf, type ClientConnection } from '../calls/connection.js';
import { invalidResponse, stoppedCall } from '../calls/failure.js';
import { providerWords } from '../calls/provider-words.js';
import { readJson } from '../calls/http-answer.js';
import { translateError } from '../calls/translate-error.js';
import { adapt, type EmbeddingHabits, type KnownHabits } from './embedding-habits.js';
import { readEmbeddings } from './read-embeddings.js';

const NAME = 'embeddings';

/** Request format learned from rejections, and the one set in the model configuration. */
export interface EmbeddingManners {
  readonly known: KnownHabits;
  readonly set: EmbeddingHabits;
}

/**
 * Embeds texts by `POST /embeddings`. If a server rejects a field or the number of texts, which costs nothing, the
 * request is repeated in the format that the server accepts, and later requests use it as well.
 */
export class ClientEmbedder extends Embedder {
  private readonly server: string;

  constructor(
    private readonly connection: ClientConnection,
    private readonly model: string,
    private readonly manners: EmbeddingManners,
  ) {
    super();
    this.server = JSON.stringify([connection.baseUrl, model]);
  }

  override get mostTexts(): number {
    return this.habits.maxTexts;
  }

  override async embed(
    texts: readonly string[],
    dimensions: number,
    signal: AbortSignal,
  ): Promise<Embeddings> {
    const watch = new CallWatch(signal);
    try {
      return await this.askInParts(texts, dimensions, watch, this.habits);
    } catch (error) {
      const { reason, message, retryable, retryAfterMs, spent } = this.translate(error);
      throw new EmbeddingError(reason, message, retryable, retryAfterMs, spent?.usage.input_tokens ?? null);
    } finally {
      watch.close();
    }
  }

  private get habits(): EmbeddingHabits {
    return this.manners.known.of(this.server, this.manners.set);
  }

  /** Sequential, so that a rejection of the first part adapts the format of the others. */
  private async askInParts(
    texts: readonly string[],
    dimensions: number,
    watch: CallWatch,
    asked: EmbeddingHabits,
  ): Promise<Embeddings> {
    const parts: Embeddings[] = [];
    let habits = asked;
    for (let at = 0; at < texts.length || parts.length === 0;) {
      const part = texts.slice(at, at + habits.maxTexts);
      watch.expectWithin(this.connection.timeoutMs, 'request_timeout');
      try {
        parts.push(await watch.race(this.ask(part, dimensions, watch.signal, habits)));
        at += part.length;
      } catch (error) {
        const failure = this.translate(error);
        const adaptation = adapt(failure, habits, part.length);
        if (adaptation === null) throw failure;
        ({ habits } = adaptation);
        if (adaptation.isLearned) this.manners.known.learn(this.server, habits);
      }
    }
    return joined(parts, this.model);
  }

  private async ask(
    texts: readonly string[],
    dimensions: number,
    signal: AbortSignal,
    { takesDimensions, takesFormat }: EmbeddingHabits,
  ): Promise<Embeddings> {
    const client = await createOpenAiClient(this.connection);
    const body = {
      model: this.model,
      input: texts,
      ...(takesDimensions && { dimensions }),
      ...(takesFormat && { encoding_format: 'base64' }),
    };
    const response = await client.post('/embeddings', { body, signal }).asResponse();
    const answer = await readJson(response);
    const embeddings = readEmbeddings(answer, texts.length, this.model);
    if (embeddings === null)
      throw invalidResponse({ words: providerWords(answer, secretsOf(this.connection)) });
    return embeddings;
  }

  private translate(error: unknown): ModelCallError {
    if (error instanceof CallStopped) return stoppedCall(NAME, error.reason, error.afterMs);
    return translateError(error, {
      ...{ phase: 'request', streamName: NAME, now: systemClock.now() },
      secrets: secretsOf(this.connection),
    });
  }
}

function joined(parts: readonly Embeddings[], asked: string): Embeddings {
  const tokens = parts.map(({ inputTokens }) => inputTokens);
  const known = tokens.filter((count) => count !== null);
  return {
    vectors: parts.flatMap(({ vectors }) => vectors),
    inputTokens: known.length === tokens.length ? known.reduce((sum, count) => sum + count, 0) : null,
    model: parts.at(-1)?.model ?? asked,
  };
}
