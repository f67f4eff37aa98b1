import { AgentRunner, type PreparedByRunner } from './agent-runner.js';

/** `BASIC_CHAT`: the model gets the user's input without preparation. */
export class BasicChatRunner extends AgentRunner {
  override prepare(): Promise<PreparedByRunner> {
    return Promise.resolve({});
  }
}
