import { expect, it } from '@jest/globals';
import { aRunnableCall } from '../../../../test/support/builders/tool-call.js';
import { aModelAnswer } from '../../../../test/support/builders/model-answer.js';
import { RecordingSink } from '../../../../test/support/fakes/recording-sink.js';
import type { ToolCallOutcome } from '../journal-entry.js';
import { StrategyReporter } from './strategy-reporter.js';

function aReporter(sink: RecordingSink): StrategyReporter {
  return new StrategyReporter(
    sink,
    { now: () => 0, monotonic: () => 0 },
    {
      executionId: '0190a000-0000-7000-8000-000000000001',
      attempt: 1,
      model: 'a-model',
      provider: 'a-provider',
      isStreamed: true,
      emitIntermediateThoughts: true,
      maximumIterations: 6,
      usageOf: () => null,
    },
  );
}

it.each<[string, ToolCallOutcome['status']]>([
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['was refused', 'refused'],
])(
  'no event and no log of a call that %s holds what its result says to the model (S2-20)',
  (_name, status) => {
    const sink = new RecordingSink();
    const reporter = aReporter(sink);
    const output = '{"status":"success","result":{"message":"Ask for the date next.","id":7}}';
    const outcome = { status, output, result: null, error: 'for the audit' } as ToolCallOutcome;
    const call = aRunnableCall();
    reporter.modelCallBegins(1);
    reporter.callBegins(call);
    reporter.callEnds(call, outcome, []);
    const answer = aModelAnswer({ toolCalls: [call] });
    reporter.roundEnds({ number: 1, answer, latencyMs: 1, tryNumber: 1, calls: [{ ...call, outcome }] });

    const finished = sink.events.filter(({ event, data }) => event === 'log' && data.status !== 'start');
    expect(finished.map(({ data }) => 'label' in data && data.label)).toEqual(['CALL look', 'ROUND 1']);
    expect(JSON.stringify(sink.events)).not.toContain('Ask for the date');
    expect(JSON.stringify(finished)).toContain(
      JSON.stringify('{"status":"success","result":{"id":7}}').slice(1, -1),
    );
  },
);

it.each([
  ['success', 'success'],
  ['error', 'error'],
] as const)(
  'the log of a call whose tool answered with status %s has the status %s (S4-26)',
  (answered, status) => {
    const sink = new RecordingSink();
    const reporter = aReporter(sink);
    const call = aRunnableCall();
    const outcome = {
      status: 'succeeded',
      output: 'It is.',
      result: { status: answered, result: {} },
    } as const;
    reporter.callBegins(call);
    reporter.callEnds(call, outcome, []);
    const finished = sink.events.filter(({ event, data }) => event === 'log' && data.status !== 'start');
    expect(finished).toMatchObject([
      { data: { label: 'CALL look', status, error: answered === 'error' ? 'It is.' : null } },
    ]);
  },
);
