const BEGIN = `import { Capstan } from 'capstan/client';\nconst capstan = new Capstan();\n`;

/** Programs of users that compile under \`strict\`, by what they do. */
export const RIGHT_PROGRAMS: Readonly<Record<string, string>> = {
  'makes-a-client': `
    import { Capstan, type CapstanOptions } from 'capstan/client';
    const options: CapstanOptions = { apiKey: process.env['KEY'], baseUrl: 'https://capstan.example', maxRetries: 5, timeout: 10_000 };
    export const url: string = new Capstan({ ...options, fetch: (...request) => fetch(...request) }).baseUrl;`,
  'runs-an-agent': `${BEGIN}
    const result = await capstan.run(7, 'Where is my parcel?');
    if (result.status === 'completed') console.log(result.output.toUpperCase(), result.execution.usage?.total_tokens);
    else console.log(result.calls.map(({ tool_name }) => tool_name.length));`,
  'runs-for-a-typed-value': `import { z } from 'zod';\n${BEGIN}
    const output = z.object({ total: z.number(), lines: z.array(z.string()) });
    const result = await capstan.run(7, { input: 'Add it up', metadata: { ticket: 'T-1' } }, { output, wait: 20 });
    if (result.status === 'completed') console.log(result.output.total.toFixed(2), result.output.lines[0]?.length);`,
  'handles-executions-that-end-otherwise': `
    import { Capstan, ExecutionCancelledError, ExecutionFailedError, ExecutionIncompleteError, OutputError } from 'capstan/client';
    try { await new Capstan().run(1, 'x'); } catch (error) {
      if (error instanceof ExecutionFailedError) console.log(error.code.length, error.execution.id);
      else if (error instanceof ExecutionIncompleteError) console.log(error.reason === 'budget', error.execution.result?.message.content);
      else if (error instanceof ExecutionCancelledError || error instanceof OutputError) console.log(error.message);
      else throw error;
    }`,
  'handles-refusals': `
    import { ApiError, Capstan, ConnectionError, placeOf, RateLimitError } from 'capstan/client';
    try { await new Capstan().agents.get(1); } catch (error) {
      if (error instanceof RateLimitError) console.log((error.retryAfterMs ?? 0) / 1000);
      else if (error instanceof ApiError && error.code === 'NOT_FOUND') console.log(error.requestId?.length);
      else if (error instanceof ApiError) for (const fault of error.errors) console.log(placeOf(fault), fault.detail);
      else if (error instanceof ConnectionError) console.log(error.cause);
    }`,
  'submits-and-keeps-its-own-key': `${BEGIN}
    const body = { input: 'x', session_uuid: crypto.randomUUID(), executor: { user_id: 'anna' } };
    const { data, requestId, isReplayed, response } = await capstan.executions.submit(7, body, { idempotencyKey: 'order-7' }).withResponse();
    console.log(data.id, requestId, isReplayed, response.headers.get('location'));`,
  follows: `${BEGIN}
    for await (const event of capstan.executions.follow('id', { after: 12, onConnection: (connection) => console.log(connection) })) {
      switch (event.event) {
        case 'text_delta': console.log(event.data.content); break;
        case 'tool_use': console.log(event.data.tool_name, event.data.tool_input); break;
        case 'result': console.log(event.data.status, event.data.usage?.total_cost_usd); break;
        default: console.log(event.event);
      }
    }`,
  'ends-a-follow': `${BEGIN}
    const stop = AbortSignal.timeout(1_000);
    for await (const { event } of capstan.executions.follow('id', { signal: stop })) if (event === 'error') break;`,
  'waits-and-decides': `${BEGIN}
    const execution = await capstan.executions.wait('id');
    if (execution.status === 'requires_action') {
      await capstan.executions.approve(execution.id, { person: 'anna' });
      await capstan.executions.decide(execution.id, { decisions: [{ call: '1.0', outcome: 'happened', reason: 'seen', output: 'done' }] });
      await capstan.executions.wait(execution.id);
    }`,
  'goes-over-a-list': `${BEGIN}
    let cost = 0;
    for await (const run of capstan.executions.list({ status: 'completed,failed', from: '2026-11-01' })) cost += Number(run.usage?.total_cost_usd ?? 0);
    console.log(cost);`,
  'goes-over-pages': `${BEGIN}
    const first = await capstan.agents.list({ limit: 10, include_inactive: 'true' });
    for (const agent of first.data) console.log(agent.id, agent.name);
    console.log(first.nextCursor, (await first.next())?.data.length);
    for await (const page of capstan.agents.list().pages()) console.log(page.requestId);`,
  'makes-an-agent': `${BEGIN}
    const llm = await capstan.llms.create({ name: 'My model', model: 'gpt-5' });
    const agent = await capstan.agents.create({ name: 'Greeter', usecase_type: 'BASIC_CHAT', llm: llm.id, system_prompt: 'You greet.' });
    await capstan.agents.update(agent.id, { name: 'Greeter 2' }, { headers: { 'If-Match': '"1"' } });
    await capstan.agents.restoreVersion(agent.id, 1);`,
  uploads: `${BEGIN}
    const file = new File(['# Handbook'], 'handbook.md');
    const kept = await capstan.files.upload({ file }, { onProgress: ({ sentBytes, totalBytes }) => console.log(sentBytes / totalBytes) });
    const document = await capstan.documents.upload({ datasource_id: 3, title: 'Handbook', file });
    for await (const { event } of capstan.documents.follow(document.id)) console.log(event);
    console.log(await (await capstan.files.download(kept.id)).text());`,
  'searches-documents': `${BEGIN}
    const answer = await capstan.datasources.search(3, { question: 'opening hours' });
    console.log(JSON.stringify(answer));`,
  'takes-webhooks': `
    import { unwrapWebhook, WebhookError } from 'capstan/client';
    export async function POST(request: Request): Promise<Response> {
      try {
        const event = await unwrapWebhook(await request.text(), request.headers, ['whsec_a', 'whsec_b']);
        if (event.type === 'execution.completed') console.log(event.data.result?.message.content);
        return new Response(null, { status: 204 });
      } catch (error) {
        if (error instanceof WebhookError) return new Response(error.message, { status: 400 });
        throw error;
      }
    }`,
  'takes-webhooks-of-node': `import type { IncomingHttpHeaders } from 'node:http';\n${BEGIN}
    export const read = (body: Buffer, headers: IncomingHttpHeaders) => capstan.webhooks.unwrap(body, headers, 'whsec_x');`,
  'sums-usage': `${BEGIN}
    for await (const row of capstan.usage.list({ group_by: 'day', agent_id: 7 })) console.log(row.day, row.calls, row.total_cost_usd);`,
  'looks-after-webhooks': `${BEGIN}
    const endpoint = await capstan.webhookEndpoints.create({ url: 'https://example.com/hook', events: ['execution.failed'] });
    console.log(endpoint.secret);
    for await (const { id } of capstan.webhookDeliveries.list({ endpoint_id: endpoint.id, status: 'exhausted' })) await capstan.webhookDeliveries.redeliver(id);`,
  'asks-a-route-of-a-domain': `${BEGIN}
    const orders = await capstan.request<{ data: { id: number }[] }>('GET', '/api/order-requests/');
    console.log(orders.data[0]?.id);`,
  'makes-keys-of-tenants': `${BEGIN}
    const key = await capstan.apiKeys.create({ name: 'CI', scopes: ['executions:write'], tenant_id: 'acme', expires_at: null });
    console.log(key.key, (await capstan.consoleSessions.getCaller()).scopes);
    await capstan.apiKeys.revoke(key.id);`,
  'types-its-own-functions': `
    import type { Capstan, ErrorCode, Execution, ExecutionEvent, Schemas } from 'capstan/client';
    export const codes: ErrorCode[] = ['NOT_FOUND', 'RATE_LIMITED'];
    export const nameOf = (agent: Schemas['Agent']): string => agent.name;
    export const isText = (event: ExecutionEvent): boolean => event.event === 'text_delta';
    export const last = async (capstan: Capstan): Promise<Execution['status'] | undefined> => (await capstan.executions.list({ limit: 1 })).data[0]?.status;`,
  'shows-an-execution-in-react': `
    import { useExecution } from 'capstan/react';
    export function Answer({ id, token }: { id: string; token: string }): string {
      const { text, status, calls, connection, error } = useExecution(id, { streamToken: token, baseUrl: 'https://capstan.example' });
      return error === null ? \`\${status ?? connection}: \${text} \${calls.length}\` : String(error);
    }`,
  'lists-the-chats-of-a-user': `${BEGIN}
    const chats = await capstan.sessions.list({ metadata: { customer: 'C-7' }, limit: 20 });
    await capstan.sessions.update(chats.data[0]?.uuid ?? '', { title: 'Parcels', metadata: { customer: 'C-8' } });
    for await (const row of capstan.usage.list({ group_by: 'day,metadata.customer', metadata: { channel: 'web' } })) console.log(row.metadata_value);`,
  'applies-an-agent-by-its-name': `${BEGIN}
    const { outcome, resource } = await capstan.agents.apply('Parcel desk', { usecase_type: 'BASIC_CHAT', llm: 1, managed_by: 'shop' });
    console.log(outcome, resource?.id, (await capstan.llms.apply('Ours', { model: 'my-model', dry_run: true })).changed_fields);`,
  'is-a-transport-of-a-chat': `
    import { Capstan, chatTurns } from 'capstan/client';
    import { ChatTransport } from 'capstan/react';
    const capstan = new Capstan();
    const turns = chatTurns(capstan, 7);
    export const transport = new ChatTransport({
      submit: async (turn) => {
        const { id } = await turns.submit(turn);
        return { id, streamToken: (await capstan.executions.createStreamToken(id)).token };
      },
      findOpen: turns.findOpen,
    });`,
};
