import { AppError } from '#libs/kernel';
import type { z } from 'zod';
import type { AppConfig } from './app-config.js';
import { blobFaults, toBlobsConfig } from './blobs-config.js';
import { toEmbeddingsConfig } from './embeddings-config.js';
import { placeholderKeys } from './placeholder-keys.js';
import { envSchema } from './env.schema.js';
import { toFilesConfig } from './files-config.js';
import { toKnowledgeConfig } from './knowledge-config.js';
import { misspeltVariables } from './misspelt-variables.js';

/** A program with all roles in one process, as `ROLE` says, or with one; the latter ignores `ROLE`. */
type Program = 'of_all_roles' | 'of_one_role';

/** Parses the whole configuration, or throws one error that lists every fault with the variable's meaning. Pure. */
export function parseEnv(env: Environment, program: Program = 'of_one_role'): AppConfig {
  const parsed = envSchema.safeParse(env);
  const issues = parsed.success ? [] : parsed.error.issues.map((issue) => describeIssue(issue, env));
  const faults = [...issues, ...crossChecks(env, program), ...placeholderKeys(env)];
  if (parsed.success && faults.length === 0) return toConfig(parsed.data, env);
  throw new AppError({
    code: 'INVALID_CONFIGURATION',
    kind: 'invalid_input',
    message: `the environment is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
  });
}

/**
 * Ping intervals of silence after which a Redis connection is replaced; by default longer than BullMQ's blocking wait.
 */
const SILENT_PINGS = 3;

type Environment = Readonly<Record<string, string | undefined>>;
type Env = z.infer<typeof envSchema>;

function describeIssue(issue: z.core.$ZodIssue, env: Environment): string {
  const name = String(issue.path[0]);
  const meaning = (envSchema.shape as Record<string, z.ZodType | undefined>)[name]?.description ?? '';
  return `${name} (${meaning}): ${env[name] === undefined ? 'is missing' : issue.message}`;
}

function crossChecks(env: Environment, program: Program): string[] {
  return [
    ...openDoors(env),
    ...formerDomains(env),
    ...(program === 'of_all_roles' ? halfRoles(env) : []),
    ...longDefaults(env),
    ...blobFaults(env),
  ];
}

/** Without this, routes and tables would be gone after an upgrade that leaves the variable as it was. */
function formerDomains({ DOMAINS = '' }: Environment): string[] {
  if (DOMAINS === '') return [];
  return [
    'DOMAINS: domains are projects; leave it out, and name their folders in PROJECT (docs/guides/upgrade.md)',
  ];
}

/** A single process for all roles that runs no executions is a mistake: executions would wait forever. */
function halfRoles({
  ROLE = 'all',
  WORKER_ROLES: roles = 'execute',
  WORKER_ENGINE_RUNS: engineRuns = 'any',
}: Environment): string[] {
  if (ROLE !== 'all') return [];
  if (engineRuns !== 'any')
    return ['WORKER_ENGINE_RUNS: ROLE=all runs all executions; leave WORKER_ENGINE_RUNS out'];
  if (roles.includes('execute')) return [];
  return [`WORKER_ROLES: ROLE=all runs executions, but "${roles}" has no execute; leave WORKER_ROLES out`];
}

/** A default must not exceed the maximum that agents may set. */
function longDefaults({
  EXECUTION_TIMEOUT_SECONDS: seconds = '300',
  EXECUTION_TIMEOUT_MAX_SECONDS: most = '3600',
}: Environment): string[] {
  if (!(Number(seconds) > Number(most))) return [];
  return [`EXECUTION_TIMEOUT_SECONDS: ${seconds} is above EXECUTION_TIMEOUT_MAX_SECONDS, ${most}`];
}

function openDoors({ AUTH = 'off', HOST = '127.0.0.1', CORS_ORIGINS = '' }: Environment): string[] {
  if (AUTH !== 'off') return [];
  return [
    ...(isLoopback(HOST)
      ? []
      : [`AUTH: "off" is allowed on loopback only, but HOST is "${HOST}"; set AUTH=api-key`]),
    ...(CORS_ORIGINS === ''
      ? []
      : ['CORS_ORIGINS: pages of other origins are let in with a key only; set AUTH=api-key']),
  ];
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function toConfig(env: Env, given: Environment): AppConfig {
  const blobs = toBlobsConfig(env);
  return Object.freeze({
    environment: env.NODE_ENV,
    logLevel: env.LOG_LEVEL,
    role: env.ROLE,
    http: {
      host: env.HOST,
      port: env.PORT,
      metricsPort: env.METRICS_PORT ?? null,
      auth: env.AUTH,
      isOpenInProduction: env.AUTH_OFF_IN_PRODUCTION,
      trustedProxies: env.TRUSTED_PROXIES ?? [],
      corsOrigins: env.CORS_ORIGINS ?? [],
      hasConsole: env.CONSOLE === 'on',
    },
    database: {
      url: env.DATABASE_URL,
      directUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
      isPooled: env.DATABASE_DIRECT_URL !== undefined,
      poolSize: env.DATABASE_POOL_SIZE,
      isPreparing: env.DATABASE_PREPARED_STATEMENTS && env.DATABASE_DIRECT_URL === undefined,
      queryTimeoutMs: env.DATABASE_STATEMENT_SECONDS * 1_000,
      pingEveryMs: env.CONNECTION_PING_SECONDS * 1_000,
    },
    redis:
      env.REDIS_URL === undefined
        ? null
        : {
            url: env.REDIS_URL,
            silenceMs: env.CONNECTION_PING_SECONDS * SILENT_PINGS * 1_000,
            namespace: env.REDIS_NAMESPACE,
          },
    models: {
      connections: {
        openai: { apiKey: env.OPENAI_API_KEY ?? null, baseUrl: env.OPENAI_BASE_URL ?? null },
        openai_compatible: {
          apiKey: env.OPENAI_COMPATIBLE_API_KEY ?? null,
          baseUrl: env.OPENAI_COMPATIBLE_BASE_URL ?? null,
        },
        anthropic: { apiKey: env.ANTHROPIC_API_KEY ?? null, baseUrl: env.ANTHROPIC_BASE_URL ?? null },
        bedrock: { apiKey: env.BEDROCK_KEY ?? null, baseUrl: env.BEDROCK_BASE_URL ?? null },
      },
      aliases: env.MODEL_ALIASES ?? {},
      isAudited: env.OPENAI_GPT5_AUDIT_LOG,
      allowPrivateHosts: env.MODEL_ALLOW_PRIVATE_HOSTS,
      engine: { folder: env.CLAUDE_AGENT_SDK, processes: env.CLAUDE_AGENT_SDK_PROCESSES ?? null },
    },
    encryptionKey: env.ENCRYPTION_KEY ?? null,
    defaultModel: { provider: env.DEFAULT_PROVIDER, model: env.DEFAULT_MODEL },
    worker: {
      roles: env.WORKER_ROLES,
      engineRuns: env.WORKER_ENGINE_RUNS,
      concurrency: env.WORKER_CONCURRENCY,
      reserve: env.WORKER_RESERVE,
      hangLimitMs: env.WORKER_HANG_LIMIT_SECONDS * 1_000,
      isolation: { concurrency: env.ISOLATION_CONCURRENCY, heapMb: env.ISOLATION_HEAP_MB },
      healthPort: env.WORKER_PORT,
      shutdownGraceMs: env.SHUTDOWN_GRACE_SECONDS * 1_000,
    },
    execution: {
      timeoutMs: env.EXECUTION_TIMEOUT_SECONDS * 1_000,
      maxima: {
        timeoutSeconds: env.EXECUTION_TIMEOUT_MAX_SECONDS,
        iterations: env.MAXIMUM_ITERATIONS_MAX,
      },
      leaseMs: env.LEASE_SECONDS * 1_000,
      approvalTimeoutMs: env.APPROVAL_TIMEOUT_HOURS * 3_600_000,
      mostListedTools: env.LISTED_TOOLS_MAX,
    },
    titles: env.TITLES,
    filesRoot: env.FILES_ROOT ?? null,
    blobs,
    mostUploadBytes: env.UPLOADS_MB * 1_048_576,
    mostWorkspaceBytes: env.WORKSPACE_BYTES_PER_TENANT,
    knowledge: blobs === null ? null : toKnowledgeConfig(blobs, env),
    embeddings: toEmbeddingsConfig(env),
    files: blobs === null ? null : toFilesConfig(blobs, env),
    dispatch: {
      handover: env.HANDOVER,
      intervalMs: env.DISPATCH_INTERVAL_MS,
      tenantInFlightCap: env.TENANT_IN_FLIGHT_CAP,
      queueTarget: env.DISPATCH_QUEUE_TARGET,
      redispatchAfterMs: env.DISPATCH_AGAIN_SECONDS * 1_000,
      tenantSlotShare: env.TENANT_SLOT_SHARE,
      tenantQueueShare: env.TENANT_QUEUE_SHARE,
    },
    admission: {
      queued: env.QUEUE_LIMIT,
      tenantQueued: env.TENANT_QUEUE_LIMIT,
      tenantWaitMs: env.QUEUE_WAIT_LIMIT_SECONDS * 1_000,
    },
    webhooks: {
      allowLoopback: env.WEBHOOK_ALLOW_LOOPBACK,
      receiverConcurrency: env.WEBHOOK_ENDPOINT_CONCURRENCY,
      tenantConcurrency: env.WEBHOOK_TENANT_CONCURRENCY,
    },
    stdio: { lines: env.STDIO_SERVERS ?? [], isUnsafe: env.STDIO_UNSAFE },
    privateToolHosts: env.PRIVATE_TOOL_HOSTS ?? [],
    events: {
      retentionMs: env.EVENT_RETENTION_HOURS * 3_600_000,
      stallMs: env.EVENT_STALL_SECONDS * 1_000,
      maxStreams: env.EVENT_STREAMS_MAX,
      tenantStreams: env.EVENT_STREAMS_PER_TENANT,
      keyStreams: env.EVENT_STREAMS_PER_KEY,
    },
    rateLimits: {
      windowSeconds: env.RATE_LIMIT_WINDOW_SECONDS,
      key: env.RATE_LIMIT_PER_KEY,
      tenant: env.RATE_LIMIT_PER_TENANT,
      address: env.RATE_LIMIT_PER_ADDRESS,
      addressFailures: env.RATE_LIMIT_FAILURES_PER_ADDRESS,
    },
    waitingSubmits: { tenant: env.WAITING_SUBMITS_PER_TENANT, key: env.WAITING_SUBMITS_PER_KEY },
    misspelt: misspeltVariables(given, Object.keys(envSchema.shape)),
  });
}
