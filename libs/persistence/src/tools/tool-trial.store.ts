import type { DataSource, Repository } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import { ToolTrialEntity } from '../entities/tool-trial.entity.js';
import { changeRow, insertRow } from '../rows/versioned-repository.js';

/** `tool_name` and `input` are null for a probe, `user_id` without a user. */
export type ToolTrial = Pick<
  ToolTrialEntity,
  'id' | 'tenantId' | 'serverId' | 'toolName' | 'input' | 'tokensSealed' | 'userId'
>;

/** Days that trials are kept. */
const KEPT_DAYS = 90;
/** Minutes after which no client waits for the answer any more. */
const FORGOTTEN_AFTER_MINUTES = 10;

/** Trials and probes of tool servers. */
export class ToolTrialStore {
  private readonly trials: Repository<ToolTrialEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.trials = dataSource.getRepository(ToolTrialEntity);
  }

  async begin(trial: ToolTrial & { readonly askedBy: string | null }): Promise<void> {
    await insertRow(this.trials, trial);
  }

  /** Takes it, once: a job that comes twice runs no tool twice. Its tokens are kept no longer. Null if it is taken. */
  async take(tenantId: string, id: string): Promise<ToolTrial | null> {
    return this.dataSource.transaction(async (manager) => {
      const held = { where: { tenantId, id, status: 'asked' }, lock: { mode: 'pessimistic_write' } } as const;
      const trial = await manager.findOne(ToolTrialEntity, held);
      if (trial !== null)
        await manager.update(ToolTrialEntity, { id }, { status: 'running', tokensSealed: null });
      return trial;
    });
  }

  async finish(tenantId: string, id: string, answer: JsonObject): Promise<void> {
    const values = { status: 'done' as const, answer, finishedAt: () => 'now()' };
    await changeRow(this.trials, { tenantId, id, status: 'running' }, values);
  }

  /** Records that the client no longer waits: no worker claims it from now on. True if none had claimed it. */
  async abandon(tenantId: string, id: string): Promise<boolean> {
    return (await changeRow(this.trials, { tenantId, id, status: 'asked' }, ABANDONED)) !== null;
  }

  /** Null until there is one. */
  async readAnswer(tenantId: string, id: string): Promise<JsonObject | null> {
    const trial = await this.trials.findOne({ select: { answer: true }, where: { tenantId, id } });
    return trial?.answer ?? null;
  }

  /** Removes old trials, and the tokens of trials that no API process waits for. Answers how many rows that were. */
  async expire(): Promise<number> {
    const old = this.trials.createQueryBuilder().delete();
    const removed = await old.where(`created_at < now() - interval '${KEPT_DAYS} days'`).execute();
    const asked = this.trials.createQueryBuilder().update().set(ABANDONED).where({ status: 'asked' });
    const isForgotten = `created_at < now() - interval '${FORGOTTEN_AFTER_MINUTES} minutes'`;
    const forgotten = await asked.andWhere(isForgotten).execute();
    return (removed.affected ?? 0) + (forgotten.affected ?? 0);
  }
}

const ABANDONED = { status: 'abandoned' as const, tokensSealed: null, finishedAt: () => 'now()' };
