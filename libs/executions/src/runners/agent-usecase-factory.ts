import { AppError } from '#libs/kernel';
import type { Retriever } from '../ports/retriever.js';
import { AgentRunner, type PreparedByRunner } from './agent-runner.js';
import { RagChatRunner } from './rag-chat-runner.js';

/** Use case types with a runner. */
export const RUNNABLE_USECASES = ['BASIC_CHAT', 'RAG_CHAT', 'CUSTOM'] as const;
export type RunnableUsecase = (typeof RUNNABLE_USECASES)[number];

/** Selects the runner of an agent by its use case type (S3-36). */
export class AgentUsecaseFactory {
  private readonly runners: Readonly<Record<RunnableUsecase, AgentRunner>>;

  /** @param sha256 in hexadecimal */
  constructor(retriever: Retriever, sha256: (text: string) => string) {
    const plain = new PlainRunner();
    this.runners = { BASIC_CHAT: plain, RAG_CHAT: new RagChatRunner(retriever, sha256), CUSTOM: plain };
  }

  /** Throws `UNSUPPORTED_USECASE_TYPE` for a type without a runner (S3-30). */
  runnerOf(usecaseType: string): AgentRunner {
    const type = RUNNABLE_USECASES.find((runnable) => runnable === usecaseType);
    const runner = type && this.runners[type];
    if (runner) return runner;
    throw new AppError({
      code: 'UNSUPPORTED_USECASE_TYPE',
      kind: 'unprocessable',
      message: 'Unsupported usecase_type',
    });
  }
}

/** The model gets the user's input without preparation: `BASIC_CHAT`, and `CUSTOM` for its pipeline (S3-35). */
export class PlainRunner extends AgentRunner {
  override readonly prepares = false;

  override prepare(): Promise<PreparedByRunner> {
    return Promise.resolve({});
  }
}
