import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { ToolReturn } from '#libs/tooling';
import { ExecutionDto, RunStepPageDto } from '../../../../apps/api/src/executions/executions.dto.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { InMemoryEventStream } from '../../../support/fakes/in-memory-event-stream.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../../worker/worker-world.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';

let world: WorkerWorld;
let api: RunningApi;
let id: string;

const TOOLS = [aTool('approve_me'), aTool('charge', { effect: 'unsafe', onUnknown: 'ask', run: overtaken })];
const model = () =>
  new ScriptedModel([
    aModelAnswer({ toolCalls: [aCall('charge', 'c1'), aCall('approve_me', 'c2')] }),
    aModelAnswer({ text: 'Done.' }),
  ]);

/** Lets another worker take over during the charge, so that the receipt comes too late. Events are not under test. */
async function overtaken(_input: unknown, { executionId }: { executionId: string }): Promise<ToolReturn> {
  await world.expireLease(executionId);
  await world.run(executionId, model(), TOOLS, { events: new InMemoryEventStream() });
  return { result: { status: 'success', result: { message: 'receipt 17' } } };
}

beforeAll(async () => {
  world = await WorkerWorld.open();
  api = await startApi({ DATABASE_URL: world.databaseUrl });
  await world.offer(TOOLS, { require_approval: ['approve_me'] });
});
afterAll(async () => {
  await api.app.close();
  await world.close();
});
beforeEach(async () => {
  id = (await world.submit()).id;
  await world.run(id, model(), TOOLS);
});

const decide = (json: unknown) => ask(api.url, `/api/executions/${id}/approvals/`, { json });
const approved = { call: '1.1', approved: true };

it('an execution says which call asks for what, and what was seen of it too late', async () => {
  const view = ExecutionDto.create((await ask(api.url, `/api/executions/${id}/`)).body);

  const output = '{"status":"success","result":{"message":"receipt 17"}}';
  expect(view.required_action?.calls).toEqual([
    {
      call: '1.0',
      asks: 'outcome',
      tool_name: 'charge',
      tool_input: {},
      late_evidence: [{ epoch: 1, status: 'succeeded', output, observed_at: expect.any(String) }],
    },
    { call: '1.1', asks: 'approval', tool_name: 'approve_me', tool_input: {} },
  ]);
  const steps = RunStepPageDto.create((await ask(api.url, `/api/executions/${id}/steps/`)).body);
  expect(steps.data).toMatchObject([
    { tool_name: 'charge', status: 'outcome_unknown', late_evidence: [{ epoch: 1, output, error: null }] },
  ]);
});

it('goes on when each call has what it asks for', async () => {
  const outcome = { call: '1.0', outcome: 'happened', output: 'paid, receipt 17', reason: 'bank statement' };
  const first = await decide({ person: 'ann@example.com', decisions: [outcome] });
  expect(first).toMatchObject({
    status: 200,
    body: { status: 'requires_action', required_action: { calls: [{ call: '1.1', asks: 'approval' }] } },
  });
  expect(await decide({ decisions: [approved] })).toMatchObject({ status: 200, body: { status: 'queued' } });

  expect(await world.run(id, model(), TOOLS)).toMatchObject({ status: 'completed' });
  const steps = RunStepPageDto.create((await ask(api.url, `/api/executions/${id}/steps/`)).body);
  expect(steps.data).toMatchObject([
    {
      status: 'succeeded',
      output: { result: { message: 'paid, receipt 17', reported_by: 'person' } },
      decisions: [
        {
          ...{ asked: 'outcome', approved: null, outcome: 'happened', reason: 'bank statement' },
          decided_by: { key_id: null, person: 'ann@example.com' },
        },
      ],
    },
    {
      status: 'succeeded',
      late_evidence: [],
      decisions: [{ asked: 'approval', approved: true, decided_by: { key_id: null, person: null } }],
    },
  ]);
});

it.each([
  ['unknown', 'failed', { code: 'TOOL_OUTCOME_UNKNOWN' }],
  ['happened', 'completed', null],
])('"%s" lets it end %s', async (outcome, status, error) => {
  const decisions = [{ call: '1.0', outcome }, approved];
  expect((await decide({ decisions })).status).toBe(200);
  expect(await world.run(id, model(), TOOLS)).toMatchObject({ status, error });
});

const kinds = 'happened, did_not_happen, unknown';
const only = 'is only allowed with `outcome` "happened"';
const eitherField = 'is required for a call that asks for approval; `outcome` for one that asks for it';

it.each<[name: string, decision: object, field: string, fault: string]>([
  ['neither answer', {}, 'approved', eitherField],
  ['an empty answer', { approved: null }, 'approved', 'must be true or false'],
  [
    'both answers',
    { approved: true, outcome: 'happened' },
    'outcome',
    'must not be there together with `approved`: a call asks for one of them',
  ],
  ['an unknown outcome', { outcome: 'perhaps' }, 'outcome', `must be one of ${kinds}`],
  ['an output of nothing', { outcome: 'did_not_happen', output: 'x' }, 'output', only],
  ['an output of an approval', { approved: true, output: 'x' }, 'output', only],
  ['an empty output', { outcome: 'happened', output: '' }, 'output', 'must not be empty'],
  [
    'an output too long',
    { outcome: 'happened', output: 'x'.repeat(65_537) },
    'output',
    'must be at most 65536 characters',
  ],
  ['an output that is no text', { outcome: 'happened', output: {} }, 'output', 'must be a text'],
  ['an unknown field', { outcome: 'happened', result: 'x' }, 'result', 'is not a known field'],
])('%s is refused and decides nothing', async (_name, decision, field, fault) => {
  const answer = await decide({ decisions: [{ call: '1.0', ...decision }] });

  expectProblem(answer, {
    status: 400,
    code: 'VALIDATION_ERROR',
    detail: `decisions.0.${field}: ${fault}`,
    places: [`pointer #/decisions/0/${field}`],
  });
  expect(await world.executions.find('default', id)).toMatchObject({ status: 'requires_action' });
});

it.each([
  ['an approval for a call that asks for its outcome', [{ call: '1.0', approved: true }, approved], '1.0'],
  ['an outcome for a call that asks for approval', [{ call: '1.1', outcome: 'happened' }], '1.1'],
])('%s is a conflict, and decides nothing', async (_name, decisions, call) => {
  expectProblem(await decide({ decisions }), {
    status: 409,
    code: 'WRONG_DECISION',
    detail: `\`required_action.calls\` says what each call asks for, \`approval\` or \`outcome\`; these ask for the other: ${call}`,
  });
  expect((await world.executions.find('default', id))?.required_action?.calls).toHaveLength(2);
});

it('a call that does not wait is named, and one that was decided stays as it was decided', async () => {
  expectProblem(await decide({ decisions: [{ call: '7.0', outcome: 'happened' }] }), {
    status: 400,
    code: 'VALIDATION_ERROR',
    detail: 'decisions.0.call: is not a call that waits for a decision, or is named twice',
    places: ['pointer #/decisions/0/call'],
  });
  const decisions = [{ call: '1.0', outcome: 'happened' }, approved];
  const first = await decide({ decisions });
  const again = await decide({ decisions });
  expect([again.status, again.body]).toEqual([200, first.body]);
  expectProblem(await decide({ decisions: [{ call: '1.0', outcome: 'unknown' }] }), {
    status: 409,
    code: 'ALREADY_DECIDED',
    detail: 'These calls already have another decision or reason: 1.0; read `decisions` of their steps',
  });
});
