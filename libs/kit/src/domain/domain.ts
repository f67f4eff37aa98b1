import type { z } from 'zod';
import type { Agent } from '../agent.js';
import type { Pipeline } from '../pipeline.js';
import type { AnyTool } from '../tool.js';
import type { Database } from './database.js';
import type { List, Route } from './route.js';
import type { Task } from './task.js';

/** Schemas by key; every key is optional in a message. */
export type DataSchemas = Readonly<Record<string, z.ZodType>>;

/** Data that messages carry beside their text. */
export interface MessageData {
  /** Version of `input` and `stored`; default 1. Increase it with any change that cannot read stored data. */
  readonly version?: number;
  /** Keys that clients may send in `additional_data`. */
  readonly input?: DataSchemas;
  /** Keys that the domain's tools may add to the next answer by `context.bake`. */
  readonly stored?: DataSchemas;
  /** All earlier versions, starting with 1. */
  readonly earlier?: readonly {
    readonly version: number;
    readonly keys: DataSchemas;
    /** Upgrades data to the next version. Pure. */
    upgrade(data: Record<string, unknown>): Record<string, unknown>;
  }[];
  /** Keys that the model never sees. */
  readonly hiddenFromModel?: readonly string[];
}

/** The execution that is being settled. */
export interface SettlingExecution {
  readonly tenantId: string;
  readonly executionId: string;
}

/** Kind of a change that tools stage by `context.stage`. `Handle` gives access to the database. */
export interface StagedChange<Data = unknown, Handle = Database> {
  readonly data: z.ZodType<Data>;
  /**
   * Applies the change in the transaction that settles the execution. It may be called again with equal data, and then
   * changes nothing.
   * @throws {Refusal} if the change no longer fits: the execution fails with its code
   */
  apply(database: Handle, data: Data, execution: SettlingExecution): Promise<void>;
}

/** Defines a kind of staged change. */
export function defineStagedChange<Data>(change: StagedChange<Data>): StagedChange {
  return change;
}

/** Tenant and user of a look-up, which reads no other tenant's data. */
export interface Asker {
  readonly tenantId: string;
  /** `user_id` of the request's executor; null if the request names none. */
  readonly userId: string | null;
  /** Aborted once the result is no longer needed. */
  readonly signal: AbortSignal;
}

/** Text that the model reads after a value of the message data; null for none. */
export type LookUp = (
  value: unknown,
  asker: Asker,
  dependencies: { readonly database: Database },
) => Promise<string | null>;

/** Error code of a domain, for clients. */
export interface ErrorDescription {
  /** Places where the code is seen: `answer` of a request, or error of an `execution`. */
  readonly seen: readonly ('answer' | 'execution')[];
  /** HTTP statuses of the answers. */
  readonly status: readonly number[];
  readonly meaning: string;
  readonly advice: string;
}

export interface DomainOptions {
  /** Name of its folder: lower-case words with `-` between. Its tables are in the schema of that name, with `_`. */
  readonly name: string;
  /** Tools that may stage changes, add message data and ask the database. */
  readonly tools?: readonly AnyTool[];
  readonly agents?: readonly Agent[];
  readonly pipelines?: readonly Pipeline[];
  readonly messageData?: MessageData;
  /** By key of `messageData`. */
  readonly lookUps?: Readonly<Record<string, LookUp>>;
  /** By kind, e.g. `parcel.booked`. */
  readonly stagedChanges?: Readonly<Record<string, StagedChange>>;
  readonly tasks?: readonly Task[];
  readonly routes?: readonly Route[];
  readonly lists?: readonly List[];
  /** Error codes beside those of the service. */
  readonly errors?: Readonly<Record<string, ErrorDescription>>;
  /** Writes example data of a tenant with `migrate --seed`; existing data stays. */
  seed?(dependencies: { readonly database: Database; readonly tenantId: string }): Promise<void>;
}

const KIND = 'capstan/domain';

/** A domain of a project; create it by {@link defineDomain}. */
export interface Domain extends DomainOptions {
  readonly kind: typeof KIND;
}

/**
 * Defines a domain: tables, routes, staged changes and data of messages. Export it from `domains/NAME/index.ts`; its
 * migrations are `domains/NAME/migrations/*.sql`.
 */
export function defineDomain(options: DomainOptions): Domain {
  return { ...options, kind: KIND };
}

/** True if the value was made by {@link defineDomain}, of this copy of the kit or another one. */
export function isDomain(value: unknown): value is Domain {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === KIND;
}
