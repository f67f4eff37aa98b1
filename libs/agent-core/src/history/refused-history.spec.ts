import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../../test/support/builders/model-answer.js';
import { LoopWorld, rulesOf, succeeded } from '../../../../test/support/fakes/loop-world.js';
import { SequenceModel } from '../../../../test/support/fakes/scripted-model.js';
import type { ExecutionContext } from '../execution-context.js';
import { ModelCallError } from '../ports/model-call-error.js';
import { runAgentLoop } from '../run-agent-loop.js';
import { SHORTENED_BYTES } from './shorten-history.js';

const refusal = (reason: string, message = '[400] messages[2] is wrong', status = 400) =>
  new ModelCallError({ reason, message, retryable: false, details: { status } });
const asks = aModelAnswer({
  text: 'I look.',
  toolCalls: [aCall('search', 'id with spaces', { q: 'y'.repeat(9_000) }), aCall('search', 'c2')],
  providerItems: [{ type: 'reasoning', encrypted_content: 'x' }],
});
const done = aModelAnswer({ text: 'done' });
const SEARCH = {
  name: 'search',
  description: 'Searches.',
  parameters: { type: 'object' },
  strict: false,
} as const;
const EARLIER = [
  { role: 'user', content: 'first' },
  { role: 'assistant', content: 'one' },
  { role: 'user', content: 'second' },
  { role: 'assistant', content: 'two' },
] as const;

async function run(
  answers: (ReturnType<typeof aModelAnswer> | Error)[],
  context: Partial<ExecutionContext> = {},
) {
  const model = new SequenceModel(answers);
  const world = new LoopWorld(model);
  const mark = '0123456789abcdef01234567';
  world.tools.onRun = ({ position }) =>
    position === 0 ? succeeded('z'.repeat(60_000), { foreign: mark }) : succeeded('short');
  const result = await runAgentLoop(
    anExecutionContext({ tools: [SEARCH], ...context }),
    rulesOf({ maxModelRetries: 0 }),
    world.ports,
    world.signals,
  );
  return { result, model, world };
}

describe('a conversation that a provider refuses', () => {
  it('is sent once more, shortened and plain, and so is every later one', async () => {
    const { result, model, world } = await run([asks, refusal('invalid_request'), asks, done]);
    expect(result).toMatchObject({ outcome: { status: 'completed', text: 'done' } });
    expect(model.requests).toHaveLength(4);
    expect(world.waits).toEqual([]);
    const [, refused, again, later] = model.requests.map(({ messages }) => messages);
    expect(JSON.stringify(refused)).toContain('z'.repeat(60_000));
    const [answer, output, other] = again?.slice(1) ?? [];
    expect(answer).toEqual({
      role: 'assistant',
      content: 'I look.',
      toolCalls: [
        { id: 'c00100000', name: 'search', arguments: expect.stringContaining('shortened_arguments') },
        { id: 'c00100001', name: 'search', arguments: '{}' },
      ],
    });
    expect(other).toEqual({ role: 'tool', toolCallId: 'c00100001', content: 'short' });
    const content = output?.role === 'tool' ? output.content : '';
    expect(content.length).toBeLessThan(SHORTENED_BYTES + 100);
    expect(content.split('\n').at(-1)).toBe('[end of foreign content 0123456789abcdef01234567]');
    expect(JSON.stringify(later).length).toBeLessThan(25_000);
    expect(JSON.stringify(later)).not.toContain('encrypted_content');
    expect(world.journal.settlements[0]?.metadata.warnings).toEqual([
      'the provider refused the conversation in round 2, which was sent again shortened: [400] messages[2] is wrong',
    ]);
  });

  it('is sent as text where no tool is offered any more', async () => {
    const { result, model } = await run([asks, refusal('invalid_request'), done], { tools: [] });
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
    const sent = model.requests[2]?.messages.slice(1) ?? [];
    expect(sent).toMatchObject([
      { role: 'assistant', content: 'I look.' },
      { role: 'user', content: expect.stringContaining('search({}) answered:\nshort') },
    ]);
    expect(JSON.stringify(sent)).toContain('[end of foreign content');
  });

  it.each<[string, (ReturnType<typeof aModelAnswer> | Error)[], Partial<ExecutionContext>]>([
    ['where it is refused again', [asks, refusal('invalid_request'), refusal('invalid_request')], {}],
    ['before anything was taken', [refusal('invalid_request')], { history: EARLIER }],
    ['for another reason', [asks, refusal('invalid_credentials')], {}],
    ['by another status', [asks, refusal('invalid_request', 'no', 307)], {}],
    ['where there is nothing to shorten', [refusal('context_length_exceeded')], {}],
  ])('ends the execution %s', async (_name, answers, context) => {
    const asked = answers.length;
    const { result, model } = await run(answers, context);
    expect(result).toMatchObject({ outcome: { status: 'failed', error: { code: 'SDK_ERROR' } } });
    expect(model.requests).toHaveLength(asked);
  });

  it.each([
    ['by its code', refusal('context_length_exceeded')],
    ['in words', refusal('invalid_request', "[400] This model's maximum context length is 4096 tokens.")],
  ])('is shown without its older half where it is too long, %s', async (_name, tooLong) => {
    const { result, model } = await run([tooLong, done], { history: EARLIER });
    expect(result).toMatchObject({ outcome: { status: 'completed' } });
    expect(model.requests[1]?.messages).toEqual([
      { role: 'user', content: 'second' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'hello' },
    ]);
  });
});
