import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { faultRuleSchema } from '../faults/fault-rule.js';
import type { FaultBook } from '../faults/fault-book.js';
import { explainIssue } from '../http/explain-issue.js';
import { jsonValue, readJsonBody } from '../http/json-body.js';
import type { ScriptBook } from '../models/script/script-book.js';
import { postedScriptSchema } from '../models/script/script-schema.js';
import type { RequestLedger } from './request-ledger.js';

const postedFaultsSchema = z.strictObject({
  key: z.string().min(1).max(200).optional(),
  faults: z.array(faultRuleSchema).min(1).max(500),
});

/** `?key=` selects requests without a key; without the parameter, all requests. */
const querySchema = z.strictObject({ key: z.string().optional() });

export interface ControlDependencies {
  readonly scripts: ScriptBook;
  readonly faults: FaultBook;
  readonly ledger: RequestLedger;
}

/** Adds the endpoints under `/__control`, by which tests configure and inspect this server. They need no key. */
export function addControlRoutes(
  server: FastifyInstance,
  { scripts, faults, ledger }: ControlDependencies,
): void {
  server.get('/__control/health', () => ({ status: 'ok' }));

  server.post('/__control/scripts', (request, reply) => {
    scripts.put(read(postedScriptSchema, request.body));
    return reply.status(201).send({ scripts: scripts.list().length });
  });
  server.get('/__control/scripts', () => ({ scripts: scripts.list() }));
  server.delete('/__control/scripts', (request, reply) => {
    scripts.clear(keyOf(request.query));
    return reply.status(204).send();
  });

  server.post('/__control/faults', (request, reply) => {
    const posted = read(postedFaultsSchema, request.body);
    faults.add(posted.key ?? null, posted.faults);
    return reply.status(201).send({ faults: posted.faults.length });
  });
  server.get('/__control/faults', (request) => ({ faults: faults.list(keyOf(request.query)) }));
  server.delete('/__control/faults', (request, reply) => {
    faults.clear(keyOf(request.query));
    return reply.status(204).send();
  });

  server.get('/__control/requests', (request, reply) =>
    reply.header('content-type', 'application/json').send(ledger.toJson(keyOf(request.query))),
  );
  server.delete('/__control/requests', (request, reply) => {
    ledger.clear(keyOf(request.query));
    return reply.status(204).send();
  });

  server.delete('/__control', (_request, reply) => {
    scripts.clear();
    faults.clear();
    ledger.clear();
    return reply.status(204).send();
  });
}

function keyOf(query: unknown): string | null | undefined {
  const parsed = querySchema.safeParse(query);
  if (!parsed.success) throw explainIssue(parsed.error, query);
  return parsed.data.key === '' ? null : parsed.data.key;
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const data = jsonValue(readJsonBody(body));
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw explainIssue(parsed.error, data);
  return parsed.data;
}
