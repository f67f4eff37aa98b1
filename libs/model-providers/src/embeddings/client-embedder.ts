import { Embedder, EmbeddingError, type Embeddings } from '#libs/knowledge';
import { systemClock } from '#libs/kernel';
import { CallStopped, CallWatch } from '../calls/call-watch.js';
import { createOpenAiClient, secretsOf, type ClientConnection } from '../calls/client.js';
import { invalidResponse, stoppedCall } from '../calls/failure.js';
import { readJson } from '../calls/read-json-body.js';
import { translateError } from '../calls/translate-error.js';
import { readEmbeddings } from './read-embeddings.js';

const NAME = 'embeddings';
/** OpenAI takes 2 048; some servers, such as vLLM as it is set up, far fewer. */
const MOST_TEXTS = 64;

/** Asks for vectors as every server does that is reached through the official client: `POST /embeddings`. */
export class ClientEmbedder extends Embedder {
  override readonly mostTexts = MOST_TEXTS;

  constructor(
    private readonly connection: ClientConnection,
    private readonly model: string,
  ) {
    super();
  }

  override async embed(
    texts: readonly string[],
    dimensions: number,
    signal: AbortSignal,
  ): Promise<Embeddings> {
    const watch = new CallWatch(signal);
    watch.expectWithin(this.connection.timeoutMs, 'request_timeout');
    try {
      return await watch.race(this.ask(texts, dimensions, watch.signal));
    } catch (error) {
      throw this.translate(error);
    } finally {
      watch.close();
    }
  }

  private async ask(texts: readonly string[], dimensions: number, signal: AbortSignal): Promise<Embeddings> {
    const client = createOpenAiClient(this.connection);
    const body = { model: this.model, input: texts, dimensions, encoding_format: 'base64' };
    const response = await client.post('/embeddings', { body, signal }).asResponse();
    const embeddings = readEmbeddings(await readJson(response), texts.length, this.model);
    if (embeddings === null) throw invalidResponse({});
    return embeddings;
  }

  private translate(error: unknown): EmbeddingError {
    const { reason, message, retryable, retryAfterMs, spent } =
      error instanceof CallStopped
        ? stoppedCall(NAME, error.reason, error.afterMs)
        : translateError(error, {
            ...{ phase: 'request', streamName: NAME, now: systemClock.now() },
            secrets: secretsOf(this.connection),
          });
    return new EmbeddingError(reason, message, retryable, retryAfterMs, spent?.usage.input_tokens ?? null);
  }
}
