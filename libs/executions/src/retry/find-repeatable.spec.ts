import { describe, expect, it } from '@jest/globals';
import {
  aSubmitCommand,
  ExecutionsAtWork,
  UNLIMITED,
} from '../../../../test/support/fakes/executions-at-work.js';
import { SubmitExecution } from '../submit/submit-execution.js';
import { findRepeatable } from './find-repeatable.js';

const WEBHOOK = { url: 'https://example.org/hook', events: ['execution.completed'] as const };

async function aSubmittedExecution() {
  const work = new ExecutionsAtWork();
  const submit = new SubmitExecution(work.submitDependencies());
  const request = { ...aSubmitCommand().request, options: { temperature: 0 }, metadata: { order: '7' } };
  const webhook = { ...WEBHOOK, events: [...WEBHOOK.events] };
  const submitted = await submit.execute(aSubmitCommand({ request: { ...request, webhook } }), UNLIMITED);
  if (submitted.kind !== 'submitted') throw new Error('expected an execution');
  return { work, submit, request, view: submitted.view };
}

describe('repeating an execution', () => {
  it('submits what was asked for again, as the next turn of its conversation', async () => {
    const { work, submit, request, view } = await aSubmittedExecution();
    await work.cancellations.request('default', view.id);
    const found = await findRepeatable(work.executions, 'default', view.id);
    expect(found).toEqual({
      kind: 'found',
      agentId: 1,
      isCompleted: false,
      tokenNames: [],
      request: { ...request, session_uuid: view.session_uuid, webhook: WEBHOOK },
    });
    if (found.kind !== 'found') return;
    expect(await submit.execute(aSubmitCommand({ request: found.request }), UNLIMITED)).toMatchObject({
      kind: 'submitted',
      view: { session_uuid: view.session_uuid, turn_number: 2, metadata: { order: '7' } },
    });
  });

  it('names the tokens that it lacks by then: they have to be given again', async () => {
    const work = new ExecutionsAtWork();
    const request = { ...aSubmitCommand().request, tokens: { crm: 'secret' } };
    const submitted = await new SubmitExecution(work.submitDependencies()).execute(
      aSubmitCommand({ request }),
      UNLIMITED,
    );
    if (submitted.kind !== 'submitted') throw new Error('expected an execution');
    await work.cancellations.request('default', submitted.view.id);
    const found = await findRepeatable(work.executions, 'default', submitted.view.id);
    expect(found).toMatchObject({ kind: 'found', tokenNames: ['crm'] });
    if (found.kind === 'found') expect(Object.keys(found.request)).not.toContain('token_names');
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it('is refused while the execution has not ended, and to other tenants', async () => {
    const { work, view } = await aSubmittedExecution();
    expect(await findRepeatable(work.executions, 'default', view.id)).toEqual({ kind: 'not_settled' });
    await work.claim(view.id);
    expect(await findRepeatable(work.executions, 'default', view.id)).toEqual({ kind: 'not_settled' });
    expect(await findRepeatable(work.executions, 'other', view.id)).toEqual({ kind: 'not_found' });
  });
});
