import { z } from 'zod';
import { knowledgeVariables } from './knowledge-variables.js';
import { modelVariables } from './model-variables.js';
import { privateToolHosts } from './private-tool-hosts.js';
import { stdioServers } from './stdio-servers.js';
import { count, flag, optional } from './variable-kinds.js';

const port = z.coerce
  .number('a port number from 0 to 65535')
  .int('a port number from 0 to 65535')
  .min(0, 'a port number from 0 to 65535')
  .max(65_535, 'a port number from 0 to 65535');
const share = z.coerce
  .number('a number above 0, at most 1')
  .gt(0, 'a number above 0, at most 1')
  .max(1, 'a number above 0, at most 1');

const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'a URL like postgres://user:password@host:5432/name',
});

const ROLES = ['all', 'api', 'worker'] as const;

export const WORKER_ROLES = ['execute', 'webhooks', 'housekeeping', 'ingest'] as const;
export type WorkerRole = (typeof WORKER_ROLES)[number];

const ORIGIN = 'origins like https://app.example.com, in a list; each is named, so * is not one';
/** Origins as browsers send them: scheme, host, and a non-default port. */
const origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .pipe(z.array(z.string().refine(isOrigin, ORIGIN)));

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** A list of addresses and networks. */
const networks = z
  .string()
  .transform((text) => text.split(',').map((network) => network.trim()))
  .pipe(
    z.array(
      z.union(
        [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
        'addresses or networks like 10.0.0.0/8, in a list',
      ),
    ),
  );

const workerRoles = z
  .string()
  .transform((text) => text.split(',').map((role) => role.trim()))
  .pipe(z.array(z.enum(WORKER_ROLES)).min(1));

/** Every variable that the service reads, with its meaning. Nothing else reads the environment. */
export const envSchema = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('environment: development, test or production; production refuses unsafe settings'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('minimum level of log lines: fatal, error, warn, info, debug, trace or silent'),
  ROLE: z
    .enum(ROLES)
    .default('all')
    .describe('role of a process of apps/service: api, worker, or all for both; other programs ignore it'),
  HOST: z.string().min(1).default('127.0.0.1').describe('address that the servers listen on'),
  PORT: port.default(3000).describe('port of the API'),
  METRICS_PORT: optional(port).describe(
    'port of the API’s Prometheus metrics; none when unset. The worker serves its own on WORKER_PORT',
  ),
  AUTH: z
    .enum(['off', 'api-key'])
    .default('off')
    .describe(
      'off: no key is needed and every call acts for the tenant "default", on loopback only; api-key: a key is required',
    ),
  AUTH_OFF_IN_PRODUCTION: flag.default(false).describe('true: AUTH=off is allowed with NODE_ENV=production'),
  TRUSTED_PROXIES: optional(networks).describe(
    'comma-separated addresses and networks of proxies with a trusted X-Forwarded-For',
  ),
  CORS_ORIGINS: optional(origins).describe(
    'comma-separated origins of pages that may call the API with a key, such as https://app.example.com; needs AUTH=api-key',
  ),
  CONSOLE: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'off: the API serves no pages, neither the console at /console/ nor the documents at /docs/, and does not redirect browsers from / to the console',
    ),
  RATE_LIMIT_WINDOW_SECONDS: count(1, 86_400).default(60).describe('window of the rate limits, in seconds'),
  RATE_LIMIT_PER_KEY: count(0, 100_000_000)
    .default(60_000)
    .describe('maximum requests per API key and window; 0: unlimited'),
  RATE_LIMIT_PER_TENANT: count(0, 100_000_000)
    .default(120_000)
    .describe('maximum requests per tenant and window; 0: unlimited'),
  RATE_LIMIT_PER_ADDRESS: count(0, 100_000_000)
    .default(60_000)
    .describe('maximum requests per client address and window, loopback excepted; 0: unlimited'),
  RATE_LIMIT_FAILURES_PER_ADDRESS: count(0, 100_000_000)
    .default(100)
    .describe('maximum requests without a valid API key per client address and window; 0: unlimited'),
  DATABASE_URL: databaseUrl.describe(
    'URL of the PostgreSQL database; capstan dev, npm run quickstart and npm run dev start one when unset',
  ),
  DATABASE_DIRECT_URL: optional(databaseUrl).describe(
    'URL of the same database without the connection pooler; needed only if DATABASE_URL is a pooler',
  ),
  DATABASE_POOL_SIZE: count(2, 200).default(8).describe('maximum database connections per process'),
  DATABASE_PREPARED_STATEMENTS: flag
    .default(true)
    .describe('false: no prepared statements; always false with DATABASE_DIRECT_URL'),
  DATABASE_STATEMENT_SECONDS: count(1, 600)
    .default(20)
    .describe('maximum time of a database statement, in seconds; then its connection is replaced'),
  CONNECTION_PING_SECONDS: count(1, 60)
    .default(5)
    .describe(
      'interval of the health check of an idle database connection, in seconds; a Redis connection without an answer is replaced after three times as long',
    ),
  REDIS_URL: optional(z.url({ protocol: /^rediss?$/, error: 'a URL like redis://host:6379' })).describe(
    'URL of Redis for queue and live events; PostgreSQL is used for both when unset',
  ),
  REDIS_NAMESPACE: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'up to 64 letters, digits, and _ . -')
    .default('capstan')
    .describe('prefix of all Redis keys; installations that share a Redis need different ones'),
  ...modelVariables,
  OPENAI_GPT5_AUDIT_LOG: flag
    .default(false)
    .describe('true: log the settings of each model request, never its content'),
  ENCRYPTION_KEY: optional(z.string().min(1)).describe(
    'keys that encrypt stored secrets: <id>:<base64 of 32 bytes>, comma-separated, the active one first; required for keys of model configurations and for webhooks',
  ),
  PROJECT: optional(z.string()).describe(
    'comma-separated folders of projects with `tools/*.ts`, `agents/*.ts` and `domains/*/`, which API, worker and migrate load at their start; none when unset, except by npm run quickstart and npm run dev, which load those of the examples',
  ),
  DEFAULT_PROVIDER: z
    .enum(['openai', 'openai_compatible', 'anthropic', 'bedrock'])
    .default('openai')
    .describe('model provider of agents from the seed data: openai or openai_compatible'),
  DEFAULT_MODEL: z.string().min(1).default('gpt-5-mini').describe('model of agents from the seed data'),
  WORKER_ROLES: workerRoles
    .default([...WORKER_ROLES])
    .describe('comma-separated roles of a worker process: execute, webhooks, housekeeping, ingest'),
  WORKER_ENGINE_RUNS: z
    .enum(['any', 'none', 'only'])
    .default('any')
    .describe(
      'executions by an engine, such as the Claude Agent SDK, that a worker process takes: any, none of them, or only them',
    ),
  WORKER_CONCURRENCY: count(1, 10_000)
    .default(50)
    .describe('maximum concurrent executions per worker process'),
  WORKER_RESERVE: count(0, 1_000)
    .default(10)
    .describe(
      'additional concurrent executions of a full worker process, for tenants below their fair share',
    ),
  WORKER_HANG_LIMIT_SECONDS: count(1, 600)
    .default(30)
    .describe(
      'maximum time that the event loop of a worker process may be blocked, in seconds; then it exits',
    ),
  ISOLATION_CONCURRENCY: count(1, 100)
    .default(4)
    .describe('maximum concurrent suspects per worker process, each in a child process'),
  ISOLATION_HEAP_MB: count(96, 65_536)
    .default(512)
    .describe('maximum JavaScript heap of the child process of a suspect, in MB'),
  WORKER_PORT: port.default(3001).describe('port of the worker’s health checks and metrics'),
  EXECUTION_TIMEOUT_SECONDS: count(1, 86_400)
    .default(300)
    .describe('default wall time of an execution from its first claim, in seconds'),
  EXECUTION_TIMEOUT_MAX_SECONDS: count(1, 86_400)
    .default(3_600)
    .describe('maximum timeout_seconds of an agent, a request or a step'),
  MAXIMUM_ITERATIONS_MAX: count(6, 1_000)
    .default(30)
    .describe('maximum maximum_iterations (rounds) of an agent, a request or a step'),
  APPROVAL_TIMEOUT_HOURS: count(1, 8_760)
    .default(24)
    .describe('time to decide over a tool call, in hours; then it counts as refused'),
  TITLES: z
    .enum(['model', 'input'])
    .default('input')
    .describe(
      'title of a new session: input, the first words of its input; or model, by a call of its agent’s model. `title_llm` of a tenant takes precedence',
    ),
  FILES_ROOT: optional(z.string().startsWith('/', 'an absolute path')).describe(
    'folder with a subfolder per tenant and conversation, which its agents see as /files; unset: agents write no files',
  ),
  ...knowledgeVariables,
  LEASE_SECONDS: count(2, 600)
    .default(45)
    .describe('lease of an execution, in seconds; another worker takes over when it is not renewed in time'),
  HANDOVER: z
    .enum(['direct', 'queue'])
    .default('direct')
    .describe(
      'direct: an accepted execution is given to a worker with a free slot at once, over HTTP on WORKER_PORT; queue: all go through the queue',
    ),
  DISPATCH_INTERVAL_MS: count(10, 60_000)
    .default(1_000)
    .describe('interval of the search for lost and due work, in ms'),
  TENANT_IN_FLIGHT_CAP: count(1, 100_000)
    .default(1_000)
    .describe('maximum dispatched or running executions per tenant'),
  TENANT_SLOT_SHARE: share
    .default(0.5)
    .describe(
      'maximum share (0–1) of all execution slots that a tenant holds while a tenant with less waits',
    ),
  TENANT_QUEUE_SHARE: share.default(0.5).describe('maximum share (0–1) of DISPATCH_QUEUE_TARGET per tenant'),
  TENANT_QUEUE_LIMIT: count(1, 10_000_000)
    .default(100_000)
    .describe('maximum waiting executions per tenant; further ones are refused with 429'),
  QUEUE_LIMIT: count(1, 10_000_000)
    .default(1_000_000)
    .describe('maximum waiting executions of all tenants; further ones are refused with 503'),
  QUEUE_WAIT_LIMIT_SECONDS: count(1, 86_400)
    .default(3_600)
    .describe(
      'maximum age of a tenant’s oldest waiting execution, in seconds; beyond it further ones are refused with 503',
    ),
  DISPATCH_AGAIN_SECONDS: count(1, 3_600)
    .default(30)
    .describe('time after which an unclaimed job is sent again, in seconds'),
  DISPATCH_QUEUE_TARGET: count(1, 100_000)
    .default(200)
    .describe(
      'maximum waiting jobs in the queue; about twice the executions that all workers run concurrently',
    ),
  SHUTDOWN_GRACE_SECONDS: count(1, 600)
    .default(20)
    .describe('time that a stopping process has to finish its work, in seconds'),
  WEBHOOK_ALLOW_LOOPBACK: flag
    .default(false)
    .describe('true: webhooks may target this machine, for development'),
  WEBHOOK_ENDPOINT_CONCURRENCY: count(1, 1_000)
    .default(4)
    .describe('maximum concurrent requests per webhook receiver'),
  WEBHOOK_TENANT_CONCURRENCY: count(1, 10_000)
    .default(16)
    .describe('maximum concurrent or queued webhook requests per tenant'),
  LISTED_TOOLS_MAX: count(4, 128)
    .default(128)
    .describe('maximum tools described to a model; an agent with more searches its tools'),
  STDIO_SERVERS: optional(stdioServers).describe(
    'command lines that tool servers of the type stdio may run: semicolon-separated tenant: command line, with * for every tenant; a trailing * allows further arguments; none when unset',
  ),
  STDIO_UNSAFE: flag
    .default(false)
    .describe(
      'true: these processes run without isolation, as the user of the worker and with its environment; otherwise a worker with STDIO_SERVERS refuses to start on a system without isolation',
    ),
  PRIVATE_TOOL_HOSTS: optional(privateToolHosts).describe(
    'hosts in private networks that tool servers may use: comma-separated tenant:host:port, with * for every tenant or port; none when unset',
  ),
  EVENT_RETENTION_HOURS: count(1, 720)
    .default(24)
    .describe('time for which live events can be replayed, in hours'),
  EVENT_STALL_SECONDS: count(1, 3_600)
    .default(30)
    .describe(
      'time after which a client that does not read its events is disconnected, in seconds; it may resume',
    ),
  EVENT_STREAMS_MAX: count(1, 100_000).default(2_000).describe('maximum open event streams per API process'),
  EVENT_STREAMS_PER_TENANT: count(1, 100_000)
    .default(1_000)
    .describe('maximum open event streams per tenant and API process'),
  EVENT_STREAMS_PER_KEY: count(1, 100_000)
    .default(500)
    .describe('maximum open event streams per API key and API process'),
  WAITING_SUBMITS_PER_TENANT: count(1, 100_000)
    .default(1_000)
    .describe('maximum submits of a tenant that wait for their result, per API process'),
  WAITING_SUBMITS_PER_KEY: count(1, 100_000)
    .default(500)
    .describe('maximum submits of an API key that wait for their result, per API process'),
});
