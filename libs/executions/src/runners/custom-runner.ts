import { AgentRunner, type PreparedByRunner } from './agent-runner.js';

/** `CUSTOM`: runs the steps of a pipeline (S3-35), without retrieval. */
export class CustomRunner extends AgentRunner {
  override prepare(): Promise<PreparedByRunner> {
    return Promise.resolve({});
  }
}
