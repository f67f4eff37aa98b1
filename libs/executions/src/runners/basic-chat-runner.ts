import { AgentRunner, type PreparedByRunner } from './agent-runner.js';

/** `BASIC_CHAT`: the model is asked what the user asks. */
export class BasicChatRunner extends AgentRunner {
  override prepare(): Promise<PreparedByRunner> {
    return Promise.resolve({});
  }
}
