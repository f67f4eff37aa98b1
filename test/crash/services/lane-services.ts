import { ApiClient } from '../../support/services/api-client.js';
import type { Deployment } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import type { WebhookReceiver } from '../../support/services/webhook-receiver.js';
import { CRASH_API, CRASH_WORKER } from './crash-programs.js';

const WEBHOOK_EVENTS = ['execution.completed', 'execution.incomplete', 'execution.failed'];

export interface RunningApi {
  readonly client: ApiClient;
  readonly process: ServiceProcess;
  /** Aborted to make clients stop waiting for its answers. */
  readonly abandoned: AbortController;
}

export async function startApi(deployment: Deployment): Promise<RunningApi> {
  const { url, process } = await deployment.startApi({}, CRASH_API);
  return { client: new ApiClient(url), process, abandoned: new AbortController() };
}

export function startWorker(deployment: Deployment): Promise<ServiceProcess> {
  return deployment.startWorker({}, CRASH_WORKER);
}

/** Registers the receiver for every ending; returns the secret of its endpoint. */
export async function registerReceiver(api: ApiClient, receiver: WebhookReceiver): Promise<string> {
  const response = await api.post('/api/webhook-endpoints/', { url: receiver.url, events: WEBHOOK_EVENTS });
  return ((await response.json()) as { secret: string }).secret;
}
