import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FuzzWorld } from './fuzz-world.js';
import { AnswerValidator } from '../../support/openapi/answer-validator.js';
import { RUNS_ALL } from '../../support/selection.js';
import { operationsOf, readOpenApiDocument, type Operation } from '../../support/openapi/openapi-document.js';
import { hostileRequests, validRequests, type FuzzRequest } from './request-arbitrary.js';
import { sendRequest } from './send-request.js';

/** Seed of the requests; a failure reports it. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);
/** Factor on the default number of requests (default 1). */
const RUNS = Number(process.env.FUZZ_RUNS ?? 1);
/** Groups of requests for each operation: valid ones first, and more of them while a success has not been seen. */
const VALID_FIRST = RUNS_ALL ? 8 : 1;
const VALID_MORE = 8;
const HOSTILE = RUNS_ALL ? 16 : 2;
/** Maximum number of simultaneous requests of one operation, which may interfere with each other. */
const AT_ONCE = 6;

/** Successful answers that the fuzz never produces, with the spec that tests each. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'POST /api/agents/{id}/execute/ 200':
    'test/integration/api/executions/prefer-wait.spec.ts: a worker has to settle it',
  'GET /api/executions/{id}/events/ 204': 'test/integration/api/events/streams.spec.ts: after the last event',
  'GET /api/documents/{id}/events/ 204':
    'test/integration/api/documents/events.spec.ts: after the end, which a worker brings about',
  'DELETE /api/console-sessions/current/ 204':
    'test/integration/api/api-keys/console-sessions.spec.ts: only a browser with a cookie has a session',
  'POST /api/files/ 201': 'test/integration/api/files/files.spec.ts: takes nothing but a form',
  'PUT /api/sessions/{uuid}/files/{path}/ 200':
    'test/integration/api/sessions/session-files.spec.ts: takes nothing but a form',
  'PUT /api/sessions/{uuid}/files/{path}/ 201':
    'test/integration/api/sessions/session-files.spec.ts: takes nothing but a form',
  'POST /api/connections/ 201':
    'test/integration/tool-servers/connections.spec.ts: asks an authorization server',
  'POST /api/connections/callback/ 200':
    'test/integration/tool-servers/connections.spec.ts: needs its answer',
};

const document = readOpenApiDocument();
const validator = new AnswerValidator(document);
/** Operation and status, for example `GET /api/agents/ 200`. */
const produced = new Set<string>();
let world: FuzzWorld;
/** True if requests may have removed or ended resources since the last `refresh`. */
let isSpent = true;

beforeAll(async () => {
  world = await FuzzWorld.open();
});
afterAll(() => world.close());
beforeEach(async () => {
  if (isSpent) await world.refresh();
  isSpent = false;
});

/** Operation and status, for example `GET /api/agents/ 200`. */
function successesOf({ name, mediaTypes }: Operation): string[] {
  return [...mediaTypes.keys()].filter((status) => status < 300).map((status) => `${name} ${status}`);
}

function unseenOf(operation: Operation): string[] {
  return successesOf(operation).filter((success) => !produced.has(success) && !(success in ELSEWHERE));
}

/** Sends requests, and throws if an answer violates the OpenAPI document. */
async function examine(
  operation: Operation,
  requests: fc.Arbitrary<FuzzRequest>,
  numRuns: number,
): Promise<void> {
  isSpent = operation.method !== 'GET';
  const verdict = async (request: FuzzRequest): Promise<string[]> => {
    const answer = await sendRequest(world.api.url, request);
    if (!request.isOffRoute) produced.add(`${operation.name} ${answer.status}`);
    return request.isOffRoute ? validator.faultsOffRoute(answer) : validator.faultsOf(operation, answer);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(requests, { minLength: 1, maxLength: AT_ONCE, size: 'max' }),
      async (together) => {
        const faults = (await Promise.all(together.map(verdict))).flat();
        if (faults.length > 0) throw new Error(faults.join('\n'));
      },
    ),
    { seed: SEED, numRuns: numRuns * RUNS, endOnFailure: false },
  );
}

describe.each(operationsOf(document).map((operation) => [operation.name, operation] as const))(
  '%s',
  (_name, operation) => {
    it('answers valid requests as documented, some of them with success', async () => {
      const requests = validRequests(document, operation, world.stateFor(operation));

      await examine(operation, requests, VALID_FIRST);
      if (unseenOf(operation).length > 0) await examine(operation, requests, VALID_MORE);

      const succeeds = successesOf(operation).filter((success) => !(success in ELSEWHERE));
      expect(succeeds.filter((success) => produced.has(success)).length).toBeGreaterThanOrEqual(
        Math.min(1, succeeds.length),
      );
    });

    it('answers hostile requests as documented', async () => {
      await examine(operation, hostileRequests(document, operation, world.stateFor(operation)), HOSTILE);
    });
  },
);

it('has seen every success that is documented, or knows who does', () => {
  const operations = operationsOf(document);
  const documented = operations.flatMap(successesOf);

  expect(operations.flatMap(unseenOf)).toEqual([]);
  expect(Object.keys(ELSEWHERE).filter((success) => !documented.includes(success))).toEqual([]);
});
