import { AgentUsecaseFactory, type Retrieved } from '#libs/executions';
import type { JsonObject } from '#libs/kernel';
import { sha256 } from '../../../apps/worker/src/execute/attempt-parts.js';
import { aModelAnswer } from '../../support/builders/model-answer.js';
import { aPassage } from '../../support/builders/passage.js';
import { ScriptedModel } from '../../support/fakes/scripted-model.js';
import { ScriptedRetriever } from '../../support/fakes/scripted-retriever.js';
import { WorkerWorld } from './worker-world.js';

export const NOON = aPassage();
export const BOXES = aPassage({ chunk_id: 42, rank: 2, score: 0.5, text: 'Boxes are blue.', page: 3 });
export const FOUND: Retrieved = { passages: [NOON, BOXES], datasources: 1, totalCandidates: 9 };

/** The seeded agent with answers from documents, and a scripted retriever. */
export class DocumentsWorld {
  retriever = new ScriptedRetriever(() => Promise.resolve(FOUND));

  private constructor(readonly worker: WorkerWorld) {}

  static async open(): Promise<DocumentsWorld> {
    const world = new DocumentsWorld(await WorkerWorld.open());
    await world.reset();
    return world;
  }

  /** Sets the agent's config and usecase type, and a retriever that finds {@link FOUND}. */
  async reset(config: JsonObject = {}, usecaseType = 'RAG_CHAT'): Promise<void> {
    this.retriever = new ScriptedRetriever(() => Promise.resolve(FOUND));
    this.worker.usecases = new AgentUsecaseFactory(this.retriever, sha256);
    await this.worker.offer([], { datasource_ids: [3], ...config });
    await this.worker.dataSource.query(`UPDATE agent SET usecase_type = $1 WHERE id = 1`, [usecaseType]);
  }

  ask(input: string, more: object = {}): Promise<{ id: string; sessionId: string }> {
    return this.worker.submit({ request: { input, options: {}, additional_data: {} }, ...more });
  }

  factsOf(id: string): Promise<{ kind: string; data: JsonObject }[]> {
    return this.worker.dataSource.query(
      `SELECT kind, data FROM journal_entry WHERE execution_id = $1 ORDER BY sequence`,
      [id],
    );
  }
}

export const answering = (text = 'At noon.') => new ScriptedModel([aModelAnswer({ text })]);

/** Contents of the user messages in the model's first request. */
export function userTexts({ requests }: ScriptedModel): unknown[] {
  return (requests[0]?.messages ?? []).filter(({ role }) => role === 'user').map(({ content }) => content);
}
