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
    .describe('what kind of surroundings this is'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('the least severe log line to write'),
  ROLE: z
    .enum(ROLES)
    .default('all')
    .describe(
      'what a process of apps/service is: api, worker, or all, which is both in one; other programs are what they are',
    ),
  HOST: z.string().min(1).default('127.0.0.1').describe('the address that the servers listen on'),
  PORT: port.default(3000).describe('the port of the API'),
  METRICS_PORT: optional(port).describe(
    'the port on which the API shows its metrics to Prometheus; on none when left out; the worker shows its own on WORKER_PORT',
  ),
  AUTH: z
    .enum(['off', 'api-key'])
    .default('off')
    .describe('off: every call acts for the tenant "default", allowed on loopback only'),
  AUTH_OFF_IN_PRODUCTION: flag
    .default(false)
    .describe('true: AUTH=off is meant also where NODE_ENV is production'),
  TRUSTED_PROXIES: optional(networks).describe(
    'proxies whose X-Forwarded-For names the address of a client: a list of addresses and networks, with commas between',
  ),
  CORS_ORIGINS: optional(origins).describe(
    'origins whose web pages may call the API with a key, with commas between; none unless set',
  ),
  CONSOLE: z
    .enum(['on', 'off'])
    .default('on')
    .describe('off: the API serves no console at /console/, and no browser is sent there from /'),
  RATE_LIMIT_WINDOW_SECONDS: count(1, 86_400)
    .default(60)
    .describe('the window in which the rate limits count'),
  RATE_LIMIT_PER_KEY: count(0, 100_000_000)
    .default(60_000)
    .describe('requests of one API key in a window; 0 for no limit'),
  RATE_LIMIT_PER_TENANT: count(0, 100_000_000)
    .default(120_000)
    .describe('requests of one tenant in a window; 0 for no limit'),
  RATE_LIMIT_PER_ADDRESS: count(0, 100_000_000)
    .default(60_000)
    .describe('requests from one address in a window, loopback excepted; 0 for no limit'),
  RATE_LIMIT_FAILURES_PER_ADDRESS: count(0, 100_000_000)
    .default(100)
    .describe('requests without a valid API key from one address in a window; 0 for no limit'),
  DATABASE_URL: databaseUrl.describe('the PostgreSQL database'),
  DATABASE_DIRECT_URL: optional(databaseUrl).describe(
    'the same database past the connection pooler, where DATABASE_URL leads to one',
  ),
  DATABASE_POOL_SIZE: count(2, 200).default(8).describe('database connections of each process'),
  DATABASE_PREPARED_STATEMENTS: flag
    .default(true)
    .describe('false: statements are parsed each time; so they are beside DATABASE_DIRECT_URL'),
  DATABASE_STATEMENT_SECONDS: count(1, 600)
    .default(20)
    .describe('a database connection that leaves a statement unanswered for so long is replaced'),
  CONNECTION_PING_SECONDS: count(1, 60)
    .default(5)
    .describe(
      'a database connection that is idle is asked so often whether it is still there; one to Redis that owes an answer is replaced after three times as long',
    ),
  REDIS_URL: optional(z.url({ protocol: /^rediss?$/, error: 'a URL like redis://host:6379' })).describe(
    'queue and live events go through Redis when set, through PostgreSQL when not',
  ),
  REDIS_NAMESPACE: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'up to 64 letters, digits, and _ . -')
    .default('capstan')
    .describe(
      'what the keys in Redis begin with: services with a database each may share a Redis, under names of their own',
    ),
  ...modelVariables,
  OPENAI_GPT5_AUDIT_LOG: flag
    .default(false)
    .describe('true: log what was asked of the provider, never its content'),
  ENCRYPTION_KEY: optional(z.string().min(1)).describe(
    'what secrets are sealed with: <id>:<base64 of 32 bytes>, the active key first, old ones after a comma',
  ),
  DOMAINS: optional(z.string()).describe(
    'the domains that are loaded, by their names, with commas between; none unless set',
  ),
  DEFAULT_PROVIDER: z
    .enum(['openai', 'openai_compatible', 'anthropic', 'bedrock'])
    .default('openai')
    .describe('the model provider of the seeded agent'),
  DEFAULT_MODEL: z
    .string()
    .min(1)
    .default('gpt-5-mini')
    .describe('the model of agents made by the seed data'),
  WORKER_ROLES: workerRoles
    .default([...WORKER_ROLES])
    .describe(`what a worker process does: a list of ${WORKER_ROLES.join(', ')}`),
  WORKER_CONCURRENCY: count(1, 10_000)
    .default(50)
    .describe('executions that one worker process runs at once'),
  WORKER_RESERVE: count(0, 1_000)
    .default(10)
    .describe(
      'executions that a worker process runs beside those when it has no place left, of tenants that hold less than their share',
    ),
  WORKER_HANG_LIMIT_SECONDS: count(1, 600)
    .default(30)
    .describe('a worker process that computes for so long without a pause ends itself'),
  ISOLATION_CONCURRENCY: count(1, 100)
    .default(4)
    .describe('suspects that one worker process runs at once, each in a process of its own'),
  ISOLATION_HEAP_MB: count(96, 65_536)
    .default(512)
    .describe('the most JavaScript memory that a process with a suspect may take'),
  WORKER_PORT: port.default(3001).describe('the port of the worker’s health and metrics'),
  EXECUTION_TIMEOUT_SECONDS: count(1, 86_400)
    .default(300)
    .describe('wall time of an execution from its first claim'),
  EXECUTION_TIMEOUT_MAX_SECONDS: count(1, 86_400)
    .default(3_600)
    .describe('the longest wall time that an agent, a request or a step may ask for (timeout_seconds)'),
  MAXIMUM_ITERATIONS_MAX: count(6, 1_000)
    .default(30)
    .describe('the most rounds that an agent, a request or a step may ask for (maximum_iterations)'),
  APPROVAL_TIMEOUT_HOURS: count(1, 8_760)
    .default(24)
    .describe('how long a person may take to decide over a tool call'),
  TITLES: z
    .enum(['model', 'input'])
    .default('input')
    .describe(
      'the name of a session after its first turn: the first words of its input, or by a call of the model of its agent; `title_llm` of a tenant wins',
    ),
  FILES_ROOT: optional(z.string().startsWith('/', 'an absolute path')).describe(
    'the folder with a folder per tenant with a folder per conversation that stands for its /files; none lets no file out',
  ),
  ...knowledgeVariables,
  LEASE_SECONDS: count(2, 600)
    .default(45)
    .describe('how long a worker may be silent before another takes over'),
  DISPATCH_INTERVAL_MS: count(10, 60_000)
    .default(1_000)
    .describe('how often lost and due work is looked for'),
  TENANT_IN_FLIGHT_CAP: count(1, 100_000)
    .default(1_000)
    .describe('executions of one tenant that may be sent or running at once'),
  TENANT_SLOT_SHARE: share
    .default(0.5)
    .describe('how much of all places one tenant may hold while another one waits that holds less'),
  TENANT_QUEUE_SHARE: share
    .default(0.5)
    .describe('how much of DISPATCH_QUEUE_TARGET the jobs of one tenant may take'),
  TENANT_QUEUE_LIMIT: count(1, 10_000_000)
    .default(100_000)
    .describe('executions of one tenant that may wait; more are refused with 429'),
  QUEUE_LIMIT: count(1, 10_000_000)
    .default(1_000_000)
    .describe('executions of all tenants that may wait; more are refused with 503'),
  QUEUE_WAIT_LIMIT_SECONDS: count(1, 86_400)
    .default(3_600)
    .describe(
      'how long an execution may have waited for a worker before its tenant is refused more, with 503',
    ),
  DISPATCH_AGAIN_SECONDS: count(1, 3_600)
    .default(30)
    .describe('after how long a job that no worker has claimed is sent again'),
  DISPATCH_QUEUE_TARGET: count(1, 100_000)
    .default(200)
    .describe('jobs that may wait in the queue, about twice the executions that all workers run at once'),
  SHUTDOWN_GRACE_SECONDS: count(1, 600)
    .default(20)
    .describe('how long a process that was asked to stop may finish its work'),
  WEBHOOK_ALLOW_LOOPBACK: flag
    .default(false)
    .describe('true: webhooks may go to this machine, for development'),
  WEBHOOK_ENDPOINT_CONCURRENCY: count(1, 1_000)
    .default(4)
    .describe('requests that one webhook receiver gets at once'),
  WEBHOOK_TENANT_CONCURRENCY: count(1, 10_000)
    .default(16)
    .describe('webhook requests of one tenant that may be sent or waited for at once'),
  LISTED_TOOLS_MAX: count(4, 128)
    .default(128)
    .describe('tools that a model is given the descriptions of; an agent that has more searches for them'),
  STDIO_SERVERS: optional(stdioServers).describe(
    'the command lines that tool servers of tenants may be processes by: a list of tenant: command line, separated by semicolons, with * for every tenant; one that ends in * may have more arguments; none unless set',
  ),
  STDIO_UNSAFE: flag
    .default(false)
    .describe(
      'true: these processes run as the user of the worker, without isolation, and can read its environment; else a worker with STDIO_SERVERS does not start where the system offers no isolation',
    ),
  PRIVATE_TOOL_HOSTS: optional(privateToolHosts).describe(
    'hosts in private networks that tool servers of tenants may have: a list of tenant:host:port, with * for every tenant or every port; none unless set',
  ),
  EVENT_RETENTION_HOURS: count(1, 720).default(24).describe('how long live events can be replayed'),
  EVENT_STALL_SECONDS: count(1, 3_600)
    .default(30)
    .describe('a client that takes none of its waiting events for so long is disconnected, and may resume'),
  EVENT_STREAMS_MAX: count(1, 100_000)
    .default(2_000)
    .describe('event streams that one API process holds open at once'),
  EVENT_STREAMS_PER_TENANT: count(1, 100_000)
    .default(1_000)
    .describe('event streams of one tenant that one API process holds open at once'),
  EVENT_STREAMS_PER_KEY: count(1, 100_000)
    .default(500)
    .describe('event streams of one API key that one API process holds open at once'),
  WAITING_SUBMITS_PER_TENANT: count(1, 100_000)
    .default(1_000)
    .describe('submits of one tenant that wait for their result at one API process at once'),
  WAITING_SUBMITS_PER_KEY: count(1, 100_000)
    .default(500)
    .describe('submits of one API key that wait for their result at one API process at once'),
});
