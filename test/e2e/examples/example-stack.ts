import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { openWhole } from '../../support/services/open-whole.js';

/** The API and worker of the examples, which run one after the other; each creates agents and servers of its own. */
export class ExampleStack {
  private constructor(
    readonly api: ApiClient,
    /** The URL without a trailing slash. */
    readonly simulatorUrl: string,
    private readonly deployment: Deployment,
    private readonly folder: string,
  ) {}

  static open(backend: QueueBackend): Promise<ExampleStack> {
    return openWhole(async (begun) => {
      const folder = await mkdtemp(join(tmpdir(), 'examples-'));
      begun({ close: () => rm(folder, { recursive: true, force: true }) });
      const settings = { DOCUMENTS_ROOT: folder, PRIVATE_TOOL_HOSTS: '*:127.0.0.1:*' };
      const deployment = begun(await Deployment.open(backend, settings));
      const [{ url }] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
      return new ExampleStack(new ApiClient(url), deployment.simulatorUrl, deployment, folder);
    });
  }

  async close(): Promise<void> {
    await this.deployment.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
