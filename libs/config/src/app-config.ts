import type { BlobsConfig } from './blobs-config.js';
import type { EmbeddingsConfig } from './embeddings-config.js';
import type { WorkerRole } from './env.schema.js';
import type { FilesConfig } from './files-config.js';
import type { KnowledgeConfig } from './knowledge-config.js';
import type { MisspeltVariable } from './misspelt-variables.js';
import type { PrivateToolHost } from './private-tool-hosts.js';
import type { StdioLine } from './stdio-servers.js';

/** A model server of the operator's; null where none was set. */
interface ModelServer {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
}

/** The configuration of a process, frozen. Times are milliseconds. */
export interface AppConfig {
  readonly environment: 'development' | 'test' | 'production';
  readonly logLevel: string;
  /** The role of a process that can be API, worker or both. */
  readonly role: 'all' | 'api' | 'worker';
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** The port of the metrics; null where none are served. */
    readonly metricsPort: number | null;
    readonly auth: 'off' | 'api-key';
    /** Whether `auth` off is meant in production too. */
    readonly isOpenInProduction: boolean;
    /** Addresses and networks whose word about the address of a client counts. */
    readonly trustedProxies: readonly string[];
    /** Origins whose web pages may call the API. */
    readonly corsOrigins: readonly string[];
  };
  readonly database: {
    readonly url: string;
    /** Leads past a pooler: for what lives as long as its session, such as a lock or a LISTEN. */
    readonly directUrl: string;
    /** True where `url` leads to a pooler. */
    readonly isPooled: boolean;
    readonly poolSize: number;
    readonly isPreparing: boolean;
    readonly queryTimeoutMs: number;
    readonly pingEveryMs: number;
  };
  readonly redis: { readonly url: string; readonly silenceMs: number; readonly namespace: string } | null;
  readonly models: {
    /** The servers that the operator set up, by the name of their provider. */
    readonly connections: Readonly<Record<string, ModelServer>>;
    readonly isAudited: boolean;
    readonly allowPrivateHosts: boolean;
  };
  readonly encryptionKey: string | null;
  /** The model of the seeded agents. */
  readonly defaultModel: { readonly provider: string; readonly model: string };
  readonly worker: {
    readonly roles: readonly WorkerRole[];
    readonly concurrency: number;
    /** Executions beside those when there is no place left, of tenants below their share. */
    readonly reserve: number;
    /** A process that does not come to look at its events for so long ends itself. */
    readonly hangLimitMs: number;
    /** Attempts of suspects, each in a process of its own; heap in MB. */
    readonly isolation: { readonly concurrency: number; readonly heapMb: number };
    readonly healthPort: number;
    readonly shutdownGraceMs: number;
  };
  readonly execution: {
    readonly timeoutMs: number;
    /** The most that an agent, a request or a step may ask for. */
    readonly maxima: { readonly timeoutSeconds: number; readonly iterations: number };
    readonly leaseMs: number;
    readonly approvalTimeoutMs: number;
    /** Tools that a model is given the descriptions of. */
    readonly mostListedTools: number;
  };
  /** The source of a session's title after its first turn. */
  readonly titles: 'model' | 'input';
  readonly filesRoot: string | null;
  /** The store of originals of documents and uploads; null where none are taken in. */
  readonly blobs: BlobsConfig | null;
  /** Bytes of uploads on their way into one API process at once. */
  readonly mostUploadBytes: number;
  /** Null where no documents are taken in. */
  readonly knowledge: KnowledgeConfig | null;
  readonly embeddings: EmbeddingsConfig;
  /** Null where no files are taken. */
  readonly files: FilesConfig | null;
  readonly dispatch: {
    readonly intervalMs: number;
    readonly tenantInFlightCap: number;
    readonly queueTarget: number;
    readonly redispatchAfterMs: number;
    /** Shares of a tenant in the slots and in the queue: 0 < share ≤ 1. */
    readonly tenantSlotShare: number;
    readonly tenantQueueShare: number;
  };
  /** Limits at which nothing more is accepted. */
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
  /** Tool servers of tenants that are processes of the worker. */
  readonly stdio: {
    /** The command lines that are permitted; none by default. */
    readonly lines: readonly StdioLine[];
    /** Whether they run as the user of the worker, without isolation. */
    readonly isUnsafe: boolean;
  };
  /** Private addresses at which tool servers may be called; none by default. */
  readonly privateToolHosts: readonly PrivateToolHost[];
  readonly events: {
    readonly retentionMs: number;
    /** Time in which a client may take none of the events that wait for it. */
    readonly stallMs: number;
    readonly maxStreams: number;
    readonly tenantStreams: number;
    readonly keyStreams: number;
  };
  /** Requests in a window; 0 for no limit. */
  readonly rateLimits: {
    readonly windowSeconds: number;
    readonly key: number;
    readonly tenant: number;
    readonly address: number;
    readonly addressFailures: number;
  };
  /** Submits that may wait for their result at once, in one process. */
  readonly waitingSubmits: { readonly tenant: number; readonly key: number };
  /** Variables that are set and read by nothing; a process warns of them when it starts. */
  readonly misspelt: readonly MisspeltVariable[];
}
