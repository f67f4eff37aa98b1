import type { IncomingMessage } from 'node:http';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import type { AppConfig } from '#libs/config';
import { GUARDED_SERVER, guardProtocol } from '#libs/http-server';
import {
  createLogger,
  HttpMetrics,
  NestLogger,
  warnOfMisspeltVariables,
  type Logger,
} from '#libs/observability';
import { checkDatabaseAtStart } from '#libs/persistence';
import { QueueHealth } from '#libs/queue';
import { ApiModule } from './api.module.js';
import { compressAnswers } from './http/compression.js';
import { allowLongBodies } from './http/body-limits.js';
import { answerUnchanged } from './http/conditional-reads.js';
import { allowOrigins } from './http/cross-origin.js';
import { DOCUMENT_PAGE_PATH, DOCUMENT_PATH } from './http/documents.js';
import { RequestAuthenticator } from './http/request-authenticator.js';
import { MAX_BODY_BYTES, readJsonBodies } from './http/json-body.js';
import { warnOfDisabledAuth } from './http/disabled-auth.js';
import { takeForms } from './http/multipart/take-forms.js';
import { answerRequestIds, logAnswers, requestIdOf } from './http/request-logging.js';
import { answerRouterFault } from './http/problem-details.filter.js';
import { closeUnusedConnections } from './http/open-requests.js';
import { sendSecurityHeaders } from './http/security-headers.js';
import { watchRoutes } from './http/wrong-methods.js';
import { AnswerKeeper } from './idempotency/answer-keeper.js';
import { keepAnswers } from './idempotency/keep-answers.js';
import { measureRequests } from './metrics/measure-requests.js';
import { buildOpenApiDocument } from './openapi/build-document.js';
import { listedMigrations } from './domains.js';

export interface ApiAppOptions {
  readonly logger?: Logger;
  /** What to serve in place of `ApiModule`. */
  readonly module?: DynamicModule;
}

/**
 * Makes the API, connected and ready to `listen`. Throws when the database or the queue cannot be used; then nothing
 * is left open.
 */
export async function createApiApp(
  config: AppConfig,
  options: ApiAppOptions = {},
): Promise<NestFastifyApplication> {
  const logger = options.logger ?? createLogger('api', config.logLevel);
  warnOfDisabledAuth(config, logger);
  // Beside a worker, that one has warned.
  if (options.module === undefined) warnOfMisspeltVariables(config.misspelt, logger);
  const app = await createHttpApp(options.module ?? ApiModule.forRoot(config, logger), config, logger);
  try {
    await checkDatabaseAtStart(app.get(DataSource), config.database, listedMigrations, logger);
    await app.get(QueueHealth).checkServer();
    await serve(app, config, logger);
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}

/** The application without its connections, to read its routes from. */
export async function createApiPreview(config: AppConfig, logger: Logger): Promise<NestFastifyApplication> {
  return createHttpApp(ApiModule.forRoot(config, logger), config, logger, { preview: true });
}

async function createHttpApp(
  module: DynamicModule,
  config: AppConfig,
  logger: Logger,
  mode: { preview?: boolean } = {},
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    ...GUARDED_SERVER,
    trustProxy: [...config.http.trustedProxies],
    routerOptions: { ignoreTrailingSlash: true },
    bodyLimit: MAX_BODY_BYTES,
    // A request that came in on an open connection while the server stops is answered like any other.
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: (request: IncomingMessage) => requestIdOf(request.headers),
    frameworkErrors: answerRouterFault,
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    ...mode,
    bodyParser: false,
    abortOnError: false,
    // What goes wrong here is thrown; whoever starts the process says it in one line.
    logger: false,
  });
  app.useLogger(new NestLogger(logger));
  return app;
}

async function serve(app: NestFastifyApplication, config: AppConfig, logger: Logger): Promise<void> {
  const instance = app.getHttpAdapter().getInstance();
  guardProtocol(instance);
  readJsonBodies(instance);
  takeForms(instance);
  allowLongBodies(instance);
  measureRequests(instance, app.get(HttpMetrics));
  answerRequestIds(instance);
  logAnswers(instance, logger);
  closeUnusedConnections(instance);
  sendSecurityHeaders(instance);
  await allowOrigins(instance, config.http.corsOrigins);
  answerUnchanged(instance);
  keepAnswers(instance, app.get(AnswerKeeper), logger);
  await compressAnswers(instance);
  app.get(RequestAuthenticator).guard(instance);
  // Built when somebody asks: it is a fifth of what an idle process holds. It depends on the code alone, and
  // `npm run check:openapi` builds it, so that what is wrong with it is not first noticed here.
  SwaggerModule.setup(DOCUMENT_PAGE_PATH, app, () => buildOpenApiDocument(app), {
    jsonDocumentUrl: DOCUMENT_PATH,
    raw: ['json'],
  });
  const refuseWrongMethods = watchRoutes(instance);
  await app.init();
  refuseWrongMethods();
  await instance.ready();
}
