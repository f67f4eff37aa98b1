import { AgentUsecaseFactory, Retriever, type RetrievalQuery, type Retrieved } from '#libs/executions';
import { sha256 } from '../../../apps/worker/src/execute/attempt-parts.js';

/** Answers what a test says, and records the queries. */
export class ScriptedRetriever extends Retriever {
  readonly asked: RetrievalQuery[] = [];

  constructor(public find: (query: RetrievalQuery, signal: AbortSignal) => Promise<Retrieved>) {
    super();
  }

  override retrieve(query: RetrievalQuery, signal: AbortSignal): Promise<Retrieved> {
    this.asked.push(query);
    return this.find(query, signal);
  }
}

/** The use cases without retrieval from documents. */
export const BASIC_CHAT_ONLY = new AgentUsecaseFactory(
  new ScriptedRetriever(() => Promise.reject(new Error('nothing is to be looked for'))),
  sha256,
);
