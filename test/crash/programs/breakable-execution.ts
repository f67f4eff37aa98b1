import { AsyncLocalStorage } from 'node:async_hooks';
import {
  callName,
  ROOT,
  type Journal,
  type JournalBatch,
  type JournalEntry,
  type ModelPort,
  type OpenedModel,
  type ToolInvoker,
} from '#libs/agent-core';
import type {
  AttemptDependencies,
  ClaimStore,
  ModelFactory,
  RunExecution,
  RunExecutionDependencies,
} from '#libs/executions';
import { ExecutionWrites } from '#libs/persistence';
import type { DataSource, EntityManager } from 'typeorm';
import type { Departure, Failpoint, Failpoints } from './failpoints.js';
import { z } from 'zod';
import { withMethods } from './with-methods.js';

type Assignments = RunExecutionDependencies['assignments'];

const SETTLES = /SET status = fence\.ending/;

/** A job in progress; of several jobs for the same execution, all but one claim nothing. */
interface Job {
  readonly executionId: string;
  hasClaimed: boolean;
}

/** The ports of an execution to the outside, with a failpoint before and after each lasting effect. */
export class BreakableExecution {
  /** The execution of the current job, because the ports do not get its id. */
  private readonly current = new AsyncLocalStorage<Job>();

  constructor(private readonly failpoints: Failpoints) {}

  job(runExecution: RunExecution): RunExecution {
    return withMethods(runExecution, {
      execute: (executionId, drain, listener, assigned) => {
        const job = { executionId, hasClaimed: false };
        return this.current.run(job, async () => {
          try {
            await runExecution.execute(executionId, drain, listener, assigned);
          } finally {
            if (job.hasClaimed) await this.reach('attempt.after_end');
          }
        });
      },
    });
  }

  dependencies(deps: RunExecutionDependencies): RunExecutionDependencies {
    return {
      ...deps,
      claims: this.claims(deps.claims),
      assignments: this.assignments(deps.assignments),
      usecases: { runnerOf: (type) => this.runner(deps.usecases.runnerOf(type)) },
      models: this.models(deps.models),
      invokerOf: (claim, parts) => this.invoker(deps.invokerOf(claim, parts)),
      journalOf: (...call) => this.journal(deps.journalOf(...call)),
    };
  }

  /** Adds the failpoints right before and right after the commit of a settling transaction. */
  writes({ dataSource, endings }: ExecutionWrites): ExecutionWrites {
    const transaction = async (work: (manager: EntityManager) => Promise<unknown>): Promise<unknown> =>
      dataSource.transaction(async (manager) => {
        const ending: string[] = [];
        const done = await work(noteEndings(manager, ending));
        if (ending.length === 0) return done;
        await this.reachAll('settle.before_commit', ending);
        this.loseAnswerOfCommit(manager, ending);
        return done;
      });
    const query = (sql: string, parameters?: unknown[]): Promise<unknown> =>
      SETTLES.test(sql)
        ? transaction((manager) => manager.query(sql, parameters))
        : dataSource.query(sql, parameters);
    // Only the two methods that writes use: a whole data source would offer connections without these failpoints.
    const decorated = {
      query: query as DataSource['query'],
      // Changes of a domain share this transaction.
      transaction: transaction as DataSource['transaction'],
    };
    return new ExecutionWrites(decorated, endings);
  }

  private claims(claims: ClaimStore): ClaimStore {
    return withMethods(claims, {
      claim: async (executionId, options, token) => {
        await this.reach('claim.before');
        const result = await claims.claim(executionId, options, token);
        if (result.kind === 'claimed') {
          this.noteClaim();
          await this.reach('claim.after');
        }
        return result;
      },
      release: async (claim) => {
        const isReleased = await claims.release(claim);
        await this.reach('drain.after_give_back');
        return isReleased;
      },
    });
  }

  /** Executions that the API has claimed for this worker are taken at the points of a claim. */
  private assignments(assignments: Assignments): Assignments {
    return withMethods(assignments, {
      take: async (assignment, worker) => {
        await this.reach('claim.before');
        const result = await assignments.take(assignment, worker);
        if (result.kind === 'claimed') {
          this.noteClaim();
          await this.reach('claim.after');
        }
        return result;
      },
    });
  }

  private models(models: Pick<ModelFactory, 'of'>): Pick<ModelFactory, 'of'> {
    return withMethods(models, {
      of: (llm) => {
        const resolved = models.of(llm);
        return { ...resolved, model: this.model(resolved.model) };
      },
    });
  }

  private runner(runner: ReturnType<AttemptDependencies['usecases']['runnerOf']>): typeof runner {
    return withMethods(runner, {
      prepare: async (run, signal) => {
        await this.reach('retrieval.before_call');
        const prepared = await runner.prepare(run, signal);
        if (prepared.retrieval !== undefined) await this.reach('retrieval.after_call_before_pin');
        return prepared;
      },
    });
  }

  private model(model: ModelPort): ModelPort {
    const open = (): OpenedModel | undefined => {
      const opened = model.open?.();
      return opened && withMethods(opened, { call: this.callOf(opened) });
    };
    return withMethods<Pick<ModelPort, 'call'> & { open?(): OpenedModel | undefined }>(model, {
      ...{ call: this.callOf(model), open },
    }) as ModelPort;
  }

  private callOf(model: Pick<ModelPort, 'call'>): ModelPort['call'] {
    return async (request, onDelta, signal, limits) => {
      await this.reach('model.before_call');
      let midStream: Promise<unknown> | undefined;
      const hear: typeof onDelta = (delta) => {
        midStream ??= this.reach('model.mid_stream').catch(() => undefined);
        onDelta(delta);
      };
      const answer = await model.call(request, hear, signal, limits);
      // Waits for a failpoint inside the stream, so that a process that dies there does not get beyond it.
      await midStream;
      await this.reach('model.after_response_before_commit');
      return answer;
    };
  }

  private invoker(invoker: ToolInvoker): ToolInvoker {
    return withMethods(invoker, {
      invoke: async (invocation, signal) => {
        const about = [callName(invocation.scope, invocation)];
        await this.reach('tool.after_intent_before_call', about);
        const answer = await invoker.invoke(invocation, signal);
        await this.reach('tool.after_effect_before_commit', about);
        return answer;
      },
    });
  }

  private journal(journal: Journal): Journal {
    return withMethods(journal, {
      append: async (batch) => {
        await this.committing(batch, () => journal.append(batch));
        if (batch.entries.some(isPinned)) await this.reach('retrieval.after_pin');
        if (batch.entries.some((entry) => entry.kind === 'tool_call_settled'))
          await this.reach('tool.after_commit', callsOf(batch));
      },
      park: (batch, calls) => this.committing(batch, () => journal.park(batch, calls)),
      settle: async (batch, settlement) => {
        const view = await this.committing(batch, () => journal.settle(batch, settlement));
        await this.reach('settle.after_commit_before_events');
        return view;
      },
    });
  }

  /** Breaks the connection of a worker that was held after it had sent the commit, so that it gets no acknowledgement. */
  private loseAnswerOfCommit(manager: EntityManager, executionIds: readonly string[]): void {
    const runner = manager.queryRunner;
    if (!runner) throw new Error('a transaction has a query runner');
    const commit = runner.commitTransaction.bind(runner);
    runner.commitTransaction = async () => {
      await commit();
      const departures = await this.reachAll('settle.commit_sent_no_ack', executionIds);
      if (departures.some(({ held }) => held)) throw new Error('Connection terminated unexpectedly');
    };
  }

  private async committing<T>(batch: JournalBatch, commit: () => Promise<T>): Promise<T> {
    const about = callsOf(batch);
    await this.reach('journal.before_commit', about);
    const done = await commit();
    await this.reach('journal.after_commit', about);
    return done;
  }

  private reachAll(point: Failpoint, executionIds: readonly string[]): Promise<Departure[]> {
    return Promise.all(executionIds.map((id) => this.failpoints.reach(point, id)));
  }

  private noteClaim(): void {
    const job = this.current.getStore();
    if (job) job.hasClaimed = true;
  }

  private async reach(point: Failpoint, about?: readonly string[]): Promise<Departure> {
    const job = this.current.getStore();
    return job === undefined ? { held: false } : this.failpoints.reach(point, job.executionId, about);
  }
}

/** Collects the executions that this transaction settles, which all visit its failpoints. */
function noteEndings(manager: EntityManager, ending: string[]): EntityManager {
  const query = (sql: string, parameters?: unknown[]): Promise<unknown> => {
    if (SETTLES.test(sql)) ending.push(...z.array(z.string()).parse(parameters?.[1]));
    return manager.query(sql, parameters);
  };
  return withMethods(manager, { query: query as EntityManager['query'] });
}

const isPinned = (entry: JournalEntry): boolean =>
  entry.kind === 'execution_prepared' && entry.retrieval !== undefined;

/** Each fact about a call, as `<kind> <call>`. */
function callsOf({ entries }: JournalBatch): string[] {
  return entries.flatMap((entry) =>
    'position' in entry ? [`${entry.kind} ${callName(entry.scope ?? ROOT, entry)}`] : [],
  );
}
