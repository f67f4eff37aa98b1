import { randomUUID } from 'node:crypto';
import {
  ModelPort,
  type ModelAnswer,
  type ModelDelta,
  type ModelRequest,
  type OpenedModel,
} from '#libs/agent-core';
import { systemClock, type Clock } from '#libs/kernel';
import type { MessagesRequest } from '../wire/messages/messages-request.js';
import type { RestoredAnswer } from '../wire/model-calls/restored-answer.js';
import { messagesProtocol } from '../anthropic/messages-protocol.js';
import { secretsOf } from '../calls/connection.js';
import { translateError } from '../calls/translate-error.js';
import type { WireRequest } from '../calls/wire-protocol.js';
import { resolveAlias, type ModelAliases } from '../provider/resolve-alias.js';
import type { ProviderConnection } from '../provider/model-provider.js';
import { continuation, type GivenOutput } from './continue-conversation.js';
import { EngineConversation } from './engine-conversation.js';
import { backendOf, engineEnvironment } from './engine-environment.js';
import { engineFailure, hasDiverged } from './engine-failure.js';
import { engineOptions, listedTools } from './engine-options.js';
import {
  ENGINE_FILES,
  ENGINE_MEMORY_BYTES,
  type EngineSurroundings,
  type PlaceHolder,
} from './engine-places.js';
import type { OpenOrder } from './engine-protocol.js';
import type { EngineWatch, WatchedCall } from './engine-watch.js';
import { toConversation } from './engine-transcript.js';
import { SDK_PROGRAM_VERSION } from './sdk-release.js';
import { fromEngineName } from './tool-names.js';

interface EngineOptions extends EngineSurroundings {
  readonly connection: ProviderConnection;
  readonly aliases: ModelAliases;
  /** The model of the same provider, asked without an engine. */
  readonly direct: ModelPort;
  readonly watch: EngineWatch;
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

  /** A call without a conversation around it, e.g. for a title or of a fallback, needs no engine (S4-42). */
  call(...asked: Parameters<ModelPort['call']>): Promise<ModelAnswer> {
    return this.options.direct.call(...asked);
  }
}

/** A call, with the body that asks a model for the same. */
interface AskedEngine {
  readonly request: ModelRequest;
  readonly wire: WireRequest;
}

interface Asking {
  readonly hear: (delta: ModelDelta) => void;
  readonly signal: AbortSignal;
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
  ): Promise<ModelAnswer> {
    const asked = { request, wire: this.build(request) };
    const outputs = this.outputsFor(request);
    if (outputs === null) await this.takePlace(signal);
    const watched = this.watch(asked, outputs === null);
    const hear = (delta: ModelDelta): void => {
      watched.heard();
      onDelta(delta);
    };
    try {
      const answer = await this.ask(asked, outputs, { hear, signal });
      watched.succeeded(answer);
      const said = toModelAnswer(answer, request.model);
      this.last = { asked: request, answer: said };
      this.options.places.noteIdle(this);
      return said;
    } catch (error) {
      throw watched.failed(error);
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

  /** The outputs that the standing conversation waits for; null if there is none, or the request says anything else. */
  private outputsFor(request: ModelRequest): readonly GivenOutput[] | null {
    const { conversation, last } = this;
    if (conversation === null || last === null || conversation.isOver) return null;
    return continuation(last.asked, last.answer, request);
  }

  private async takePlace(signal: AbortSignal): Promise<void> {
    const { places, startsEngines } = this.options;
    if (startsEngines === false) throw engineFailure('elsewhere');
    this.close();
    if (!(await places.take(this, signal))) throw engineFailure('gone');
  }

  /** Asks the breaker only once a place is taken: a call that waits for one is no try of the host. */
  private watch({ request, wire }: AskedEngine, isPlaceNew: boolean): WatchedCall {
    try {
      return this.options.watch.begin(request, wire);
    } catch (error) {
      if (isPlaceNew) this.options.places.release(this);
      throw error;
    }
  }

  private async ask(
    { wire }: AskedEngine,
    outputs: readonly GivenOutput[] | null,
    { hear, signal }: Asking,
  ): Promise<RestoredAnswer> {
    // A deadline comes as the signal: a limit of the same length might fail the call just before it, to be tried again.
    const { timeoutMs } = this.options.connection;
    if (this.conversation !== null && outputs !== null) {
      this.conversation.give(outputs);
      try {
        return await this.conversation.next(hear, signal, timeoutMs);
      } catch (error) {
        if (!hasDiverged(error)) throw error;
        // Its place stays with the conversation that begins anew.
        this.end();
      }
    }
    return this.begin(wire).next(hear, signal, timeoutMs);
  }

  private begin(wire: WireRequest): EngineConversation {
    const { places, connection, mostRssBytes = ENGINE_MEMORY_BYTES, program } = this.options;
    const built = wire.body as MessagesRequest;
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

  private build(request: ModelRequest): WireRequest {
    const { connection, aliases, clock = systemClock } = this.options;
    const model = resolveAlias(aliases, request.model);
    // The engine marks the prompt for the provider's cache by itself.
    const parameters = { ...request.parameters, prompt_cache: 'off' };
    try {
      return messagesProtocol.build({ ...request, model, parameters }, true);
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
      mostFiles = ENGINE_FILES,
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
      mostFiles,
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
