import { describe, expect, it } from '@jest/globals';
import { ExecutionMetrics } from './execution-metrics.js';
import { HttpMetrics } from './http-metrics.js';
import { Metrics } from './metrics.js';
import { modelLabel } from './bounded-label.js';
import { WorkMetrics, type WorkReading } from './work-metrics.js';

async function linesOf(metrics: Metrics, name: string): Promise<string[]> {
  const text = await metrics.read();
  return text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

describe('metrics of executions', () => {
  const call = { purpose: 'round', state: 'known', costUsd: '0.25', tokens: null } as const;

  it('know few models by name, with their snapshots; all configured ones share one series', async () => {
    const label = modelLabel(['gpt-5-mini', 'gpt-5']);
    expect(['gpt-5-mini', 'gpt-5-2026-01-31', 'gpt-5-mini-2026', 'mine', ''].map(label)).toEqual([
      'gpt-5-mini',
      'gpt-5',
      'other',
      'other',
      'other',
    ]);
    const metrics = new Metrics();
    const executions = new ExecutionMetrics(metrics, ['gpt-5']);
    const calls = ['gpt-5', 'a', 'b'].map((model) => ({ ...call, model }));
    executions.record({ kind: 'model_calls', calls });
    expect(await linesOf(metrics, 'capstan_model_cost_dollars_total')).toEqual([
      'capstan_model_cost_dollars_total{model="gpt-5"} 0.25',
      'capstan_model_cost_dollars_total{model="other"} 0.5',
    ]);
  });

  it('know few reasons by name: a code that a provider or a domain made up is one series', async () => {
    const metrics = new Metrics();
    const executions = new ExecutionMetrics(metrics, []);
    const failed = { kind: 'settled', status: 'failed', waitSeconds: null, totalSeconds: null } as const;
    for (const reason of ['POISONED', 'MADE_UP_1', 'MADE_UP_2']) executions.record({ ...failed, reason });
    const lines = await linesOf(metrics, 'capstan_executions_settled_total');
    expect(lines).toEqual(
      expect.arrayContaining([
        'capstan_executions_settled_total{status="failed",reason="POISONED"} 1',
        'capstan_executions_settled_total{status="failed",reason="other"} 2',
      ]),
    );
    expect(lines.join()).not.toContain('MADE_UP');
    expect(await linesOf(metrics, 'capstan_executions_poisoned_total')).toEqual([
      'capstan_executions_poisoned_total 1',
    ]);
  });

  it('are there at 0 before anything happened, so that the first one is an increase', async () => {
    const metrics = new Metrics();
    new ExecutionMetrics(metrics, []);
    const names = [
      'capstan_lost_attempts_total',
      'capstan_executions_poisoned_total',
      'capstan_outcomes_asked_total',
      'capstan_tool_calls_total{outcome="outcome_unknown"}',
      'capstan_attempts_total{ending="lease_lost"}',
    ];
    const text = await metrics.read();
    for (const name of names) expect(text).toContain(`\n${name} 0\n`);
  });

  it('are separate in two processes', async () => {
    const [one, other] = [new Metrics(), new Metrics()];
    new ExecutionMetrics(one, []).record({ kind: 'outcomes_asked', count: 3 });
    new ExecutionMetrics(other, []);
    expect(await linesOf(one, 'capstan_outcomes_asked_total')).toEqual(['capstan_outcomes_asked_total 3']);
    expect(await linesOf(other, 'capstan_outcomes_asked_total')).toEqual(['capstan_outcomes_asked_total 0']);
  });
});

describe('metrics of requests', () => {
  it('set failures of executions apart from those of the server', async () => {
    const metrics = new Metrics();
    const http = new HttpMetrics(metrics);
    const failure = { method: 'POST', route: '/api/agents/:id/execute', status: 500, seconds: 1 };
    http.record({ ...failure, cause: 'execution' });
    http.record(failure);
    const labels = 'method="POST",route="/api/agents/:id/execute",status="500"';
    expect(await linesOf(metrics, 'capstan_http_request_duration_seconds_count')).toEqual([
      `capstan_http_request_duration_seconds_count{${labels},cause="execution"} 1`,
      `capstan_http_request_duration_seconds_count{${labels}} 1`,
    ]);
  });

  it('have no label that a client can make up', async () => {
    const metrics = new Metrics();
    const http = new HttpMetrics(metrics);
    http.record({ method: 'MKCALENDAR', route: undefined, status: 404, seconds: 1 });
    http.record({ method: 'SOURCE', route: undefined, status: 404, seconds: 1 });
    expect(await linesOf(metrics, 'capstan_http_request_duration_seconds_count')).toEqual([
      'capstan_http_request_duration_seconds_count{method="other",route="none",status="404"} 2',
    ]);
  });
});

describe('metrics of what there is to do', () => {
  const READING: WorkReading = {
    lines: [{ kind: 'execution', state: 'due', depth: 3, oldestSeconds: 7 }],
    suspects: 1,
    workers: 2,
    places: 100,
  };

  function world() {
    const metrics = new Metrics();
    const state = { now: 0, reads: 0, isAway: false, errors: 0 };
    const read = (): Promise<WorkReading> => {
      state.reads += 1;
      return state.isAway ? Promise.reject(new Error('away')) : Promise.resolve(READING);
    };
    new WorkMetrics(metrics, read, { monotonic: () => state.now }, () => (state.errors += 1));
    return { metrics, state };
  }

  it('are read once for all of them, and once in ten seconds for any number of scrapes', async () => {
    const { metrics, state } = world();
    await Promise.all([metrics.read(), metrics.read(), metrics.read()]);
    state.now = 9_999;
    expect(await linesOf(metrics, 'capstan_queue_depth')).toEqual([
      'capstan_queue_depth{kind="execution",state="due"} 3',
    ]);
    expect(state.reads).toBe(1);
    state.now = 10_000;
    await metrics.read();
    expect(state.reads).toBe(2);
  });

  it('are absent while the database does not say them, and the rest is there', async () => {
    const { metrics, state } = world();
    await metrics.read();
    Object.assign(state, { isAway: true, now: 10_000 });
    const text = await metrics.read();
    for (const name of ['capstan_queue_depth', 'capstan_worker_places', 'capstan_suspect_executions'])
      expect(text).not.toMatch(new RegExp(`^${name}[ {]`, 'm'));
    expect(state.errors).toBe(1);
    expect(await linesOf(metrics, 'capstan_work_reading_failures_total')).toEqual([
      'capstan_work_reading_failures_total 1',
    ]);
    Object.assign(state, { isAway: false, now: 20_000 });
    expect(await linesOf(metrics, 'capstan_worker_places')).toEqual(['capstan_worker_places 100']);
  });
});
