import { describe, expect, it } from '@jest/globals';
import { ScriptedRetriever } from '../../../../test/support/fakes/scripted-retriever.js';
import { AgentUsecaseFactory, PlainRunner, RUNNABLE_USECASES } from './agent-usecase-factory.js';
import { RagChatRunner } from './rag-chat-runner.js';

const retriever = new ScriptedRetriever(() => Promise.reject(new Error('nothing is looked for')));
const factory = new AgentUsecaseFactory(retriever, (text) => text);

describe('the runner of an agent', () => {
  it.each([
    ['BASIC_CHAT', PlainRunner],
    ['RAG_CHAT', RagChatRunner],
    ['CUSTOM', PlainRunner],
  ])('is of its type of usecase: %s (S3-36)', (usecase, runner) => {
    expect(factory.runnerOf(usecase)).toBeInstanceOf(runner);
  });

  it.each(['basic_chat', '', 'toString', 'LATER'])('does not exist for "%s" (S3-30, S3-36)', (usecase) => {
    expect(() => factory.runnerOf(usecase)).toThrow('Unsupported usecase_type');
  });

  it('is there for chat, then for documents, then for steps (S3-40)', () => {
    expect(RUNNABLE_USECASES).toEqual(['BASIC_CHAT', 'RAG_CHAT', 'CUSTOM']);
  });
});
