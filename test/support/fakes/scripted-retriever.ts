import { AgentUsecaseFactory, Retriever, type RetrievalQuery, type Retrieved } from '#libs/executions';
import { sha256 } from '../../../apps/worker/src/execute/sha256.js';

/** Finds what a test says, and keeps what it was asked. */
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

/** Where no agent answers from documents. */
export const BASIC_CHAT_ONLY = new AgentUsecaseFactory(
  new ScriptedRetriever(() => Promise.reject(new Error('nothing is to be looked for'))),
  sha256,
);
