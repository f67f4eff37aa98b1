import { AgentRunner, type PreparedByRunner } from './agent-runner.js';

/** `CUSTOM`: the steps of a pipeline are run, each as it says (S3-35). Nothing is looked for before. */
export class CustomRunner extends AgentRunner {
  override prepare(): Promise<PreparedByRunner> {
    return Promise.resolve({});
  }
}
