import { randomUUID } from 'node:crypto';
import {
  ModelPort,
  type ModelAnswer,
  type ModelCallLimits,
  type ModelDelta,
  type ModelRequest,
  type OpenedModel,
} from '#libs/agent-core';
import { systemClock, type Clock } from '#libs/kernel';
import { buildMessagesRequest } from '../wire/messages/build-messages-request.js';
import type { MessagesRequest } from '../wire/messages/messages-request.js';
import type { RestoredAnswer } from '../wire/model-calls/restored-answer.js';
import { secretsOf } from '../calls/connection.js';
import { translateError } from '../calls/translate-error.js';
import { resolveAlias, type ModelAliases } from '../provider/resolve-alias.js';
import type { ProviderConnection } from '../provider/model-provider.js';
import { continuation } from './continue-conversation.js';
import { EngineConversation } from './engine-conversation.js';
import { backendOf, engineEnvironment } from './engine-environment.js';
import { engineFailure, hasDiverged } from './engine-failure.js';
import { engineOptions, listedTools } from './engine-options.js';
import { ENGINE_MEMORY_BYTES, type EngineSurroundings, type PlaceHolder } from './engine-places.js';
import type { OpenOrder } from './engine-protocol.js';
import { toConversation } from './engine-transcript.js';
import { SDK_PROGRAM_VERSION } from './sdk-release.js';
import { fromEngineName } from './tool-names.js';

interface EngineOptions extends EngineSurroundings {
  readonly connection: ProviderConnection;
  readonly aliases: ModelAliases;
  readonly clock?: Clock;
}

/** Asks a model by the Claude Agent SDK; each opened one holds a conversation with an engine of its own. */
export class EngineModel extends ModelPort {
  constructor(private readonly options: EngineOptions) {
    super();
  }

  override open(): OpenedModel {
    return new OpenedEngine(this.options);
  }

  /** A call without a conversation around it, e.g. for a title. */
  async call(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
    limits?: ModelCallLimits,
  ): Promise<ModelAnswer> {
    const opened = this.open();
    try {
      return await opened.call(request, onDelta, signal, limits);
    } finally {
      opened.close();
    }
  }
}

interface Answered {
  readonly asked: ModelRequest;
  readonly answer: ModelAnswer;
}

/**
 * The conversation of one scope. While the engine waits for the outputs of its calls, the loop runs them as any others;
 * the next call brings them. An engine is never needed: without one, a conversation begins from its messages.
 */
class OpenedEngine implements OpenedModel, PlaceHolder {
  private conversation: EngineConversation | null = null;
  private last: Answered | null = null;

  constructor(private readonly options: EngineOptions) {}

  get isIdle(): boolean {
    return this.conversation !== null && !this.conversation.isBusy;
  }

  async call(
    request: ModelRequest,
    onDelta: (delta: ModelDelta) => void,
    signal: AbortSignal,
    limits?: ModelCallLimits,
  ): Promise<ModelAnswer> {
    const next = async (conversation: EngineConversation): Promise<ModelAnswer> => {
      const { timeoutMs } = this.options.connection;
      const most = Math.min(timeoutMs, limits?.remainingMs ?? timeoutMs);
      const answer = toModelAnswer(await conversation.next(onDelta, signal, most), request.model);
      this.last = { asked: request, answer };
      this.options.places.noteIdle(this);
      return answer;
    };
    const standing = this.goOn(request);
    if (standing === null) return next(await this.begin(request, signal));
    try {
      return await next(standing);
    } catch (error) {
      if (!hasDiverged(error)) throw error;
      return next(await this.begin(request, signal));
    }
  }

  close(): void {
    this.end();
    this.options.places.release(this);
  }

  end(): void {
    this.conversation?.close();
    this.conversation = null;
    this.last = null;
  }

  /** The conversation that stands, with the outputs that it waits for; null if there is none or it says anything else. */
  private goOn(request: ModelRequest): EngineConversation | null {
    const { conversation, last } = this;
    if (conversation === null || last === null || conversation.isOver) return null;
    const outputs = continuation(last.asked, last.answer, request);
    if (outputs === null) return null;
    conversation.give(outputs);
    return conversation;
  }

  private async begin(request: ModelRequest, signal: AbortSignal): Promise<EngineConversation> {
    const { places, connection, mostRssBytes = ENGINE_MEMORY_BYTES, program } = this.options;
    const built = this.build(request);
    this.close();
    if (!(await places.take(this, signal))) throw engineFailure('gone');
    const sessionId = randomUUID();
    const onGone = (): void => {
      if (this.conversation === conversation && !conversation.isBusy) places.release(this);
    };
    const conversation = new EngineConversation(
      (home) => this.orderOf(built, sessionId, home),
      sessionId,
      secretsOf(connection),
      { mostRssBytes, program },
      onGone,
    );
    this.conversation = conversation;
    return conversation;
  }

  private build(request: ModelRequest): MessagesRequest {
    const { connection, aliases, clock = systemClock } = this.options;
    const model = resolveAlias(aliases, request.model);
    // The engine marks the prompt for the provider's cache by itself.
    const parameters = { ...request.parameters, prompt_cache: 'off' };
    try {
      return buildMessagesRequest({ ...request, model, parameters, stream: true });
    } catch (error) {
      const secrets = secretsOf(connection);
      throw translateError(error, { phase: 'request', streamName: 'engine', now: clock.now(), secrets });
    }
  }

  private orderOf(built: MessagesRequest, sessionId: string, home: string): OpenOrder {
    const {
      connection,
      aliases,
      sdk,
      clock = systemClock,
      mostRssBytes = ENGINE_MEMORY_BYTES,
    } = this.options;
    const { entries, prompt } = toConversation(built.messages, {
      sessionId,
      folder: home,
      model: built.model,
      version: SDK_PROGRAM_VERSION,
      at: new Date(clock.now()).toISOString(),
      nextId: randomUUID,
    });
    return {
      kind: 'open',
      sdk,
      options: engineOptions(built, { folder: home, sessionId, isResumed: entries.length > 0 }),
      environment: engineEnvironment({
        backend: backendOf(connection, connection.options),
        model: built.model,
        sonnet: aliases['sonnet'] ?? built.model,
        haiku: aliases['haiku'] ?? built.model,
        home,
        maxOutputTokens: built.max_tokens,
      }),
      tools: listedTools(built),
      entries,
      prompt,
      mostRssBytes,
    };
  }
}

function toModelAnswer(answer: RestoredAnswer, askedModel: string): ModelAnswer {
  const toolCalls = answer.toolCalls.map(({ id, name, arguments: written }) => ({
    callId: id,
    toolName: fromEngineName(name),
    arguments: written,
  }));
  return { ...answer, model: answer.model ?? askedModel, toolCalls };
}
