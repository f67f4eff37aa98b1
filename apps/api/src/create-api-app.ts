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
  Metrics,
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
import { DOCUMENT_PATH } from './http/documents.js';
import { RequestAuthenticator } from './http/request-authenticator.js';
import { MAX_BODY_BYTES, readJsonBodies } from './http/json-body.js';
import { warnOfDisabledAuth } from './http/disabled-auth.js';
import { takeForms } from './http/multipart/take-forms.js';
import { answerRequestIds, logAnswers, requestIdOf } from './http/request-logging.js';
import { runPipesAtOnce } from './http/pipes-at-once.js';
import { answerRouterFault } from './http/problem-details.filter.js';
import { closeUnusedConnections } from './http/open-requests.js';
import { sendSecurityHeaders } from './http/security-headers.js';
import { watchRoutes } from './http/wrong-methods.js';
import { AnswerKeeper } from './idempotency/answer-keeper.js';
import { keepAnswers } from './idempotency/keep-answers.js';
import { measureRequests } from './metrics/measure-requests.js';
import { buildOpenApiDocument } from './openapi/build-document.js';
import { builtFolder } from './pages/built-folder.js';
import { serveConsole } from './pages/serve-console.js';
import { serveSite } from './pages/serve-site.js';

export interface ApiAppOptions {
  readonly logger?: Logger;
  /** Module to serve; `ApiModule` by default. */
  readonly module?: DynamicModule;
  /** Folder of the built console; that of this build by default. */
  readonly consoleFolder?: string;
  /** Folder of the built documentation site; that of this build by default. */
  readonly siteFolder?: string;
}

/**
 * Creates the API, connected and ready to `listen`. Throws, with nothing left open, when the database or the queue cannot be
 * used.
 */
export async function createApiApp(
  config: AppConfig,
  options: ApiAppOptions = {},
): Promise<NestFastifyApplication> {
  const logger = options.logger ?? createLogger('api', config.logLevel);
  warnOfDisabledAuth(config, logger);
  // Beside a worker, the worker has already logged this warning.
  if (options.module === undefined) warnOfMisspeltVariables(config.misspelt, logger);
  const app = await createHttpApp(options.module ?? ApiModule.forRoot(config, logger), config, logger);
  try {
    await checkDatabaseAtStart(app.get(DataSource), config.database, logger);
    await app.get(QueueHealth).checkServer();
    await serve(app, config, logger, options);
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}

/** The application without connections, from which tools read the routes. */
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
    // The longest name in a path is that of a skill.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    bodyLimit: MAX_BODY_BYTES,
    // While the server stops, a request on an open connection is still answered.
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: (request: IncomingMessage) => requestIdOf(request.headers),
    frameworkErrors: answerRouterFault,
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    ...mode,
    bodyParser: false,
    abortOnError: false,
    // Start-up errors are thrown; the caller logs them in one line.
    logger: false,
  });
  app.useLogger(new NestLogger(logger));
  return app;
}

async function serve(
  app: NestFastifyApplication,
  config: AppConfig,
  logger: Logger,
  { consoleFolder = builtFolder('apps/console'), siteFolder = builtFolder('site') }: ApiAppOptions,
): Promise<void> {
  const instance = app.getHttpAdapter().getInstance();
  guardProtocol(instance);
  readJsonBodies(instance);
  takeForms(instance);
  allowLongBodies(instance);
  measureRequests(instance, new HttpMetrics(app.get(Metrics)));
  answerRequestIds(instance);
  logAnswers(instance, logger);
  closeUnusedConnections(instance);
  sendSecurityHeaders(instance);
  await allowOrigins(instance, config.http.corsOrigins);
  answerUnchanged(instance);
  keepAnswers(instance, app.get(AnswerKeeper), logger);
  await compressAnswers(instance);
  app.get(RequestAuthenticator).guard(instance);
  // Built on demand, since the document takes a fifth of an idle process's memory. It depends on code alone, and `npm run
  // check:openapi` builds it, so its errors show up before a release.
  SwaggerModule.setup('', app, () => buildOpenApiDocument(app), {
    jsonDocumentUrl: DOCUMENT_PATH,
    ui: false,
    raw: ['json'],
  });
  runPipesAtOnce();
  const refuseWrongMethods = watchRoutes(instance);
  await app.init();
  // After Nest has set its error handler, which routes keep from the time when they are made.
  if (config.http.hasConsole) {
    await serveConsole(instance, consoleFolder);
    await serveSite(instance, siteFolder);
  }
  refuseWrongMethods();
  await instance.ready();
}
