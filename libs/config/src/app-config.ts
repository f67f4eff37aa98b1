import type { BlobsConfig } from './blobs-config.js';
import type { EmbeddingsConfig } from './embeddings-config.js';
import type { WorkerRole } from './env.schema.js';
import type { FilesConfig } from './files-config.js';
import type { KnowledgeConfig } from './knowledge-config.js';
import type { MisspeltVariable } from './misspelt-variables.js';
import type { AliasesByProvider } from './model-aliases.js';
import type { PrivateToolHost } from './private-tool-hosts.js';
import type { StdioLine } from './stdio-servers.js';

/** A model server of the operator; null for values that are not set. */
interface ModelServer {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
}

/** The frozen configuration of a process. Times are in milliseconds. */
export interface AppConfig {
  readonly environment: 'development' | 'test' | 'production';
  readonly logLevel: string;
  /** The role of a process that can be API, worker or both. */
  readonly role: 'all' | 'api' | 'worker';
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** Port of the metrics endpoint; null if it is not served. */
    readonly metricsPort: number | null;
    readonly auth: 'off' | 'api-key';
    /** Whether `auth` may be off in production. */
    readonly isOpenInProduction: boolean;
    /** Addresses and networks of proxies that are trusted to forward a client's address. */
    readonly trustedProxies: readonly string[];
    /** CORS origins that may call the API. */
    readonly corsOrigins: readonly string[];
    /** Whether the console is served at `/console/`. */
    readonly hasConsole: boolean;
  };
  readonly database: {
    readonly url: string;
    /** URL that bypasses the pooler, for session state like an advisory lock or a LISTEN. */
    readonly directUrl: string;
    /** True if `url` leads to a pooler. */
    readonly isPooled: boolean;
    readonly poolSize: number;
    readonly isPreparing: boolean;
    readonly queryTimeoutMs: number;
    readonly pingEveryMs: number;
  };
  readonly redis: { readonly url: string; readonly silenceMs: number; readonly namespace: string } | null;
  readonly models: {
    /** Configured model servers, by provider name. */
    readonly connections: Readonly<Record<string, ModelServer>>;
    /** Ids of models by alias, by provider name; beside the providers' own. */
    readonly aliases: AliasesByProvider;
    readonly isAudited: boolean;
    readonly allowPrivateHosts: boolean;
    /** The engine that a provider runs in processes. */
    readonly engine: {
      readonly folder: string;
      /** Engines at once in a process; null for as many as its memory allows. */
      readonly processes: number | null;
    };
  };
  readonly encryptionKey: string | null;
  /** The model of the seeded agents. */
  readonly defaultModel: { readonly provider: string; readonly model: string };
  readonly worker: {
    readonly roles: readonly WorkerRole[];
    /** Executions by an engine that this process takes. */
    readonly engineRuns: 'any' | 'none' | 'only';
    readonly concurrency: number;
    /** Additional slots for tenants below their share when all `concurrency` slots are taken. */
    readonly reserve: number;
    /** Time without a turn of the event loop after which a process ends itself. */
    readonly hangLimitMs: number;
    /** Isolated attempts of suspects, each in a process of its own; heap in MB. */
    readonly isolation: { readonly concurrency: number; readonly heapMb: number };
    readonly healthPort: number;
    readonly shutdownGraceMs: number;
  };
  readonly execution: {
    readonly timeoutMs: number;
    /** Maximum values that an agent, a request or a step may set. */
    readonly maxima: { readonly timeoutSeconds: number; readonly iterations: number };
    readonly leaseMs: number;
    readonly approvalTimeoutMs: number;
    /** Maximum tools described in a prompt; beyond it the model searches for tools. */
    readonly mostListedTools: number;
  };
  /** The source of a session's title after its first turn. */
  readonly titles: 'model' | 'input';
  readonly filesRoot: string | null;
  /** Store for original documents and uploads; null if neither is accepted. */
  readonly blobs: BlobsConfig | null;
  /** Maximum bytes of concurrent uploads into one API process. */
  readonly mostUploadBytes: number;
  /** Maximum bytes of the files in all sessions of a tenant. */
  readonly mostWorkspaceBytes: number;
  /** Null if no documents are accepted. */
  readonly knowledge: KnowledgeConfig | null;
  readonly embeddings: EmbeddingsConfig;
  /** Null if no uploads are accepted. */
  readonly files: FilesConfig | null;
  readonly dispatch: {
    /** `direct`: a worker with a free slot gets an execution as it is accepted; `queue`: all go through the queue. */
    readonly handover: 'direct' | 'queue';
    readonly intervalMs: number;
    readonly tenantInFlightCap: number;
    readonly queueTarget: number;
    readonly redispatchAfterMs: number;
    /** Maximum shares of one tenant in slots and queue: 0 < share ≤ 1. */
    readonly tenantSlotShare: number;
    readonly tenantQueueShare: number;
  };
  /** Limits at which submits are rejected. */
  readonly admission: {
    readonly queued: number;
    readonly tenantQueued: number;
    readonly tenantWaitMs: number;
  };
  readonly webhooks: {
    readonly allowLoopback: boolean;
    readonly receiverConcurrency: number;
    readonly tenantConcurrency: number;
  };
  /** Tool servers that run as child processes of the worker. */
  readonly stdio: {
    /** Permitted command lines; none by default. */
    readonly lines: readonly StdioLine[];
    /** Whether they run as the worker's user, without isolation. */
    readonly isUnsafe: boolean;
  };
  /** Private addresses at which tool servers may be called; none by default. */
  readonly privateToolHosts: readonly PrivateToolHost[];
  readonly events: {
    readonly retentionMs: number;
    /** Time after which a client that reads none of its pending events is disconnected. */
    readonly stallMs: number;
    readonly maxStreams: number;
    readonly tenantStreams: number;
    readonly keyStreams: number;
  };
  /** Maximum requests per window; 0 for no limit. */
  readonly rateLimits: {
    readonly windowSeconds: number;
    readonly key: number;
    readonly tenant: number;
    readonly address: number;
    readonly addressFailures: number;
  };
  /** Maximum concurrent submits that wait for their result, per process. */
  readonly waitingSubmits: { readonly tenant: number; readonly key: number };
  /** Environment variables that are set but never read; the process warns of them at startup. */
  readonly misspelt: readonly MisspeltVariable[];
}
