import type { ApiCaller } from './api-caller.js';
import type { Tenant } from './load-client.js';
import type { WebhookSink } from './webhook-sink.js';

/** Registers the sink for all endings of each tenant. Returns the endpoints' secrets by tenant. */
export async function registerEndpoints(
  caller: ApiCaller,
  tenants: readonly Tenant[],
  sink: WebhookSink,
): Promise<ReadonlyMap<string, string>> {
  const secrets = new Map<string, string>();
  for (const { tenantId, apiKey } of tenants) {
    const body = { url: sink.urlOf(tenantId) };
    const answer = await caller.call(apiKey, 'POST', '/api/webhook-endpoints/', { body });
    const secret = (answer?.body as { secret?: string } | null)?.secret;
    if (answer?.status !== 201 || secret === undefined)
      throw new Error(
        `no webhook endpoint: ${answer?.status ?? 'no answer'} ${JSON.stringify(answer?.body)}`,
      );
    sink.expect(tenantId, secret);
    secrets.set(tenantId, secret);
  }
  return secrets;
}
