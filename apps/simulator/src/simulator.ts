import fastify, { type FastifyInstance } from 'fastify';
import { systemClock, type Clock } from '#libs/kernel';
import { answerBedrock, OPERATIONS } from './bedrock/answer-bedrock.js';
import { answerProfiles } from './bedrock/answer-profiles.js';
import { addControlRoutes } from './control/control-routes.js';
import { answerChat } from './chat-completions/answer-chat.js';
import { RequestLedger } from './control/request-ledger.js';
import * as domainModels from './domains.js';
import { answerEmbeddings } from './embeddings/answer-embeddings.js';
import { FaultBook } from './faults/fault-book.js';
import { handleError, handleNotFound } from './http/error-handler.js';
import { exchange } from './http/exchange.js';
import { MAX_BODY_BYTES } from './http/json-body.js';
import { answerMessages } from './messages/answer-messages.js';
import { answerModels } from './models/answer-models.js';
import { callerModel } from './models/caller/caller-model.js';
import { echoModel } from './models/echo/echo-model.js';
import { ModelCatalogue } from './models/model-catalogue.js';
import { ScriptBook } from './models/script/script-book.js';
import { scriptModel } from './models/script/script-model.js';
import { answerResponses } from './responses/answer-responses.js';
import { randomIds, type IdSource } from './responses/id-source.js';

export interface SimulatorOptions {
  /** The only accepted key; null accepts every key except `sk-invalid`. */
  readonly apiKey?: string | null;
  readonly clock?: Clock;
  readonly ids?: IdSource;
}

/** A server of several model APIs for development and tests, not yet listening. Closing it closes every connection. */
export async function createSimulator(options: SimulatorOptions = {}): Promise<FastifyInstance> {
  const { apiKey = null, clock = systemClock, ids = randomIds } = options;
  const scripts = new ScriptBook();
  const faults = new FaultBook();
  const ledger = new RequestLedger();
  const models = new ModelCatalogue([
    echoModel,
    callerModel,
    scriptModel(scripts),
    ...Object.values(domainModels),
  ]);
  const dependencies = { apiKey, clock, ids, ledger };

  const server = fastify({ bodyLimit: MAX_BODY_BYTES, forceCloseConnections: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.setErrorHandler(handleError);
  server.setNotFoundHandler(handleNotFound);

  server.post('/v1/responses', (request, reply) =>
    exchange(request, reply, 'responses', dependencies, (one) =>
      answerResponses(one, { models, faults, ids }),
    ),
  );
  server.post('/v1/chat/completions', (request, reply) =>
    exchange(request, reply, 'chat_completions', dependencies, (one) =>
      answerChat(one, { models, faults, ids }),
    ),
  );
  server.post('/v1/messages', (request, reply) =>
    exchange(request, reply, 'messages', dependencies, (one) =>
      answerMessages(one, [request.headers['anthropic-version']].flat()[0] ?? null, { models, faults, ids }),
    ),
  );
  for (const prefix of ['', '/v1']) {
    server.post<{ Params: { model: string; operation: string } }>(
      `${prefix}/model/:model/:operation`,
      (request, reply) => {
        const { model, operation } = request.params;
        const isStreamed = OPERATIONS.get(operation);
        if (isStreamed === undefined) {
          handleNotFound(request, reply);
          return;
        }
        return exchange(request, reply, 'messages', dependencies, (one) =>
          answerBedrock(one, model, isStreamed, { models, faults, ids }),
        );
      },
    );
    server.get(`${prefix}/inference-profiles`, (request, reply) =>
      exchange(request, reply, 'models', dependencies, (one) => answerProfiles(one, models)),
    );
  }
  server.get('/v1/models', (request, reply) =>
    exchange(request, reply, 'models', dependencies, (one) => answerModels(one, null, models, faults)),
  );
  server.get<{ Params: { id: string } }>('/v1/models/:id', (request, reply) =>
    exchange(request, reply, 'models', dependencies, (one) =>
      answerModels(one, request.params.id, models, faults),
    ),
  );
  server.post('/v1/embeddings', (request, reply) =>
    exchange(request, reply, 'embeddings', dependencies, (one) => answerEmbeddings(one, faults)),
  );
  addControlRoutes(server, { scripts, faults, ledger });
  await server.ready();
  return server;
}

export interface RunningSimulator {
  /** Base URL for an OpenAI client, e.g. `http://127.0.0.1:4010/v1`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Creates a simulator and listens; port 0 chooses a free one. Rejects when the port is in use. */
export async function startSimulator(
  options: SimulatorOptions & { readonly host?: string; readonly port?: number } = {},
): Promise<RunningSimulator> {
  const { host = '127.0.0.1', port = 0, ...rest } = options;
  const server = await createSimulator(rest);
  const address = await server.listen({ host, port });
  return { url: `${address}/v1`, close: () => server.close() };
}
