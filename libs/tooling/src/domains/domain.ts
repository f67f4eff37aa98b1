import type { DataSchemas, MessageData as KitMessageData } from '#libs/kit';
import type { ErrorDescription, JsonObject } from '#libs/kernel';
import type { DomainDependencies, ToolDependencies } from './domain-dependencies.js';
import type { DomainList } from './domain-list.js';
import type { DomainRoute } from './domain-route.js';
import type { BackgroundTask } from './background-task.js';
import type { LookUp } from './look-up.js';
import type { ToolDefinition } from '../tool-definition.js';
import type { StagedChangeKind } from './staged-change-kind.js';

/**
 * Message data as an earlier release declared it. Messages store no version: the newest version that accepts all of the
 * domain's data in the message applies. A key that changes its meaning but not its shape therefore needs a new name.
 */
export interface EarlierData {
  readonly version: number;
  /** All stored keys: sent by the front end or baked by tools. */
  readonly keys: DataSchemas;
  /** Upgrades parsed data to the next version. Pure. */
  upgrade(data: JsonObject): JsonObject;
}

/** Data that a domain stores with messages of a conversation, beside their text (S2-22, S2-23). */
export interface MessageData extends Omit<KitMessageData, 'earlier'> {
  /** All earlier versions, starting with 1. */
  readonly earlier?: readonly EarlierData[];
}

export interface SeedDependencies<Manager> extends DomainDependencies<Manager> {
  readonly tenantId: string;
}

/** An agent that seeding creates or updates, by its name. */
export interface DomainAgent {
  readonly name: string;
  readonly usecaseType: 'BASIC_CHAT' | 'CUSTOM';
  readonly systemPrompt: string;
  /** Name of a model configuration, or of a model; default: the configuration `default`. */
  readonly model?: string;
  /** Tool names, each defined by a domain. */
  readonly tools: readonly string[];
  /** Names of agents that this agent calls; each is listed before it, in its own or an earlier domain. */
  readonly calls?: readonly string[];
  /**
   * Agent configuration; default empty.
   *
   * @param idOf agent ids of `calls`, by name
   */
  readonly config?: (idOf: (agent: string) => number) => JsonObject;
}

/** A migration class; its name ends with the 13-digit timestamp that orders migrations. */
export type DomainMigration = new () => {
  readonly name?: string;
  /** Present in a migration that is made of a file; `checksum` is that of its text. */
  readonly source?: { readonly file: string; readonly checksum: string };
  up(queryRunner: never): Promise<unknown>;
  down(queryRunner: never): Promise<unknown>;
};

/**
 * A product's extension of the service. `Manager` is the database handle: TypeORM's `EntityManager` here, left generic
 * because this library has no database dependency.
 */
export interface Domain<Manager = unknown> {
  /** Lower-case words with hyphens, e.g. `a-product`. */
  readonly name: string;
  /** Called once per process. */
  tools(dependencies: ToolDependencies<Manager>): readonly ToolDefinition[];
  readonly migrations: readonly DomainMigration[];
  readonly messageData: Required<MessageData>;
  /** Look-ups by key of `messageData`; they run when a model is about to read a message (S2-26). */
  readonly lookUps: Readonly<Record<string, LookUp<Manager>>>;
  /** Staged changes that the domain's tools may make, by kind; created by `defineStagedChange`. */
  readonly stagedChanges: Readonly<Record<string, StagedChangeKind<Manager>>>;
  /** Background tasks with effects outside the database, ordered by the domain's routes. */
  readonly tasks: readonly BackgroundTask<Manager>[];
  readonly agents: readonly DomainAgent[];
  /** Endpoints below `/api/`. */
  readonly routes: readonly DomainRoute<Manager>[];
  /** Paged lists below `/api/`. */
  readonly lists: readonly DomainList<Manager>[];
  /**
   * Error codes of the domain, beside those of the service; `docs/reference/errors.md` and `openapi.json` list them.
   */
  readonly errors: Readonly<Record<string, ErrorDescription>>;
  /** Writes example data for a tenant. Repeatable: existing data stays. */
  seed(dependencies: SeedDependencies<Manager>): Promise<void>;
}

/** A domain as it is written; unused parts may be omitted. */
export type DomainDefinition<Manager> = Pick<Domain<Manager>, 'name'> &
  Partial<Omit<Domain<Manager>, 'messageData'>> & { readonly messageData?: MessageData };

/** Fills in defaults. `DomainCatalogue` later checks for conflicts between domains. */
export function defineDomain<Manager = unknown>(definition: DomainDefinition<Manager>): Domain<Manager> {
  return {
    tools: () => [],
    migrations: [],
    lookUps: {},
    stagedChanges: {},
    tasks: [],
    agents: [],
    routes: [],
    lists: [],
    errors: {},
    seed: () => Promise.resolve(),
    ...definition,
    messageData: {
      ...{ version: 1, input: {}, stored: {}, earlier: [], hiddenFromModel: [] },
      ...definition.messageData,
    },
  };
}
