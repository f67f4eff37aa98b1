import {
  ExecutionMeter,
  type AttemptEnding,
  type ClaimOutcome,
  type MeasuredModelCall,
  type Measurement,
} from '#libs/executions';
import { ERROR_CATALOGUE } from '#libs/kernel';
import { EXECUTION_STATUSES, INCOMPLETE_REASONS, isSettled } from '#libs/payloads';
import { boundedLabel, modelLabel } from './bounded-label.js';
import type { Metrics } from './metrics.js';

const CLAIMS: readonly ClaimOutcome[] = [
  ...(['claimed', 'assigned', 'suspect', 'poisoned', 'not_now', 'not_runnable', 'error'] as const),
];
const ENDINGS: readonly AttemptEnding[] = [
  ...(['settled', 'parked', 'released', 'requeued', 'postponed', 'left'] as const),
  ...(['lease_lost', 'died', 'cut_off', 'broke_off', 'not_started'] as const),
];
const TOOL_OUTCOMES = ['succeeded', 'failed', 'refused', 'outcome_unknown'] as const;
const GIVEN_UP = ['summary', 'memory'] as const;
const POISONED = 'POISONED';

const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];
const FIRST_DELTA_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const reasonLabel = boundedLabel([...INCOMPLETE_REASONS, ...Object.keys(ERROR_CATALOGUE)]);
const purposeLabel = boundedLabel(['round', 'title', 'memory']);

/** Prometheus metrics of executions. */
export class ExecutionMetrics extends ExecutionMeter {
  private readonly claims;
  private readonly lostAttempts;
  private readonly attempts;
  private readonly settled;
  private readonly poisoned;
  private readonly wait;
  private readonly total;
  private readonly firstDelta;
  private readonly toolCalls;
  private readonly outcomesAsked;
  private readonly givenUp;
  private readonly models;

  /** @param models models with a label of their own; all others count as `other` */
  constructor(metrics: Metrics, models: Iterable<string>) {
    super();
    this.claims = metrics.counter(
      {
        name: 'capstan_claims_total',
        help: 'Claims of executions, by outcome; claimed, assigned, suspect and poisoned began an attempt.',
        labels: ['outcome'],
      },
      CLAIMS.map((outcome) => ({ outcome })),
    );
    this.lostAttempts = metrics.counter({
      name: 'capstan_lost_attempts_total',
      help: 'Attempts lost because their worker died; counted by the worker that takes over.',
    });
    this.attempts = metrics.counter(
      { name: 'capstan_attempts_total', help: 'Attempts, by their end.', labels: ['ending'] },
      ENDINGS.map((ending) => ({ ending })),
    );
    this.settled = metrics.counter(
      {
        name: 'capstan_executions_settled_total',
        help: 'Settled executions; reason is the reason of an incomplete one, or the error code.',
        labels: ['status', 'reason'],
      },
      [
        { status: 'completed', reason: '' },
        { status: 'cancelled', reason: 'CANCELLED' },
        { status: 'failed', reason: POISONED },
        { status: 'failed', reason: 'SDK_ERROR' },
        { status: 'failed', reason: 'other' },
        ...INCOMPLETE_REASONS.map((reason) => ({ status: 'incomplete', reason })),
      ],
    );
    this.poisoned = metrics.counter({
      name: 'capstan_executions_poisoned_total',
      help: 'Executions given up because they crashed the processes that ran them.',
    });
    this.wait = metrics.histogram({
      name: 'capstan_execution_wait_seconds',
      help: 'Seconds from the acceptance of an execution to its first claim; counted when it ends.',
      buckets: SECONDS,
    });
    this.total = metrics.histogram({
      name: 'capstan_execution_duration_seconds',
      help: 'Seconds from the acceptance of an execution to its end, without those that never ran.',
      labels: ['status'],
      buckets: SECONDS,
    });
    for (const status of EXECUTION_STATUSES.filter(isSettled)) this.total.zero({ status });
    this.firstDelta = metrics.histogram({
      name: 'capstan_first_delta_seconds',
      help: 'Seconds from the claim of a first attempt to its first delta of text or reasoning.',
      buckets: FIRST_DELTA_SECONDS,
    });
    this.toolCalls = metrics.counter(
      {
        name: 'capstan_tool_calls_total',
        help: 'Tool calls, by the outcome in the audit.',
        labels: ['outcome'],
      },
      TOOL_OUTCOMES.map((outcome) => ({ outcome })),
    );
    this.outcomesAsked = metrics.counter({
      name: 'capstan_outcomes_asked_total',
      help: 'Tool calls of unknown outcome for which a person was asked.',
    });
    this.givenUp = metrics.counter(
      {
        name: 'capstan_background_given_up_total',
        help: 'Session summaries and memory extractions given up after the last try.',
        labels: ['what'],
      },
      GIVEN_UP.map((what) => ({ what })),
    );
    this.models = new ModelCallMetrics(metrics, modelLabel(models));
  }

  override record(measurement: Measurement): void {
    switch (measurement.kind) {
      case 'claim':
        this.claims.inc({ outcome: measurement.outcome });
        if (measurement.followsLoss) this.lostAttempts.inc();
        return;
      case 'attempt':
        this.attempts.inc({ ending: measurement.ending });
        return;
      case 'first_delta':
        this.firstDelta.observe(measurement.seconds);
        return;
      case 'tool_calls':
        for (const outcome of measurement.outcomes) this.toolCalls.inc({ outcome });
        return;
      case 'outcomes_asked':
        this.outcomesAsked.inc(measurement.count);
        return;
      case 'model_calls':
        for (const call of measurement.calls) this.models.count(call);
        return;
      case 'given_up':
        this.givenUp.inc({ what: measurement.what });
        return;
      case 'settled':
        this.countEnding(measurement);
    }
  }

  private countEnding(ending: Extract<Measurement, { kind: 'settled' }>): void {
    const { status, reason, waitSeconds, totalSeconds } = ending;
    this.settled.inc({ status, reason: reason === null ? '' : reasonLabel(reason) });
    if (reason === POISONED) this.poisoned.inc();
    if (waitSeconds !== null) this.wait.observe(waitSeconds);
    if (totalSeconds !== null) this.total.observe({ status }, totalSeconds);
  }
}

/** Metrics of model calls, their tokens and costs. */
class ModelCallMetrics {
  private readonly calls;
  private readonly tokens;
  private readonly cost;
  private readonly unpriced;

  constructor(
    metrics: Metrics,
    private readonly label: (model: string) => string,
  ) {
    this.calls = metrics.counter({
      name: 'capstan_model_calls_total',
      help: 'Model calls, by whether their usage is known; counted when the execution ends.',
      labels: ['model', 'purpose', 'state'],
    });
    const tokens = (name: `capstan_${string}`, help: string) =>
      metrics.counter({ name, help, labels: ['model'] });
    this.tokens = {
      input: tokens('capstan_model_input_tokens_total', 'Input tokens of model calls.'),
      cached: tokens(
        'capstan_model_cached_input_tokens_total',
        'Input tokens read from the cache of the provider.',
      ),
      output: tokens('capstan_model_output_tokens_total', 'Output tokens of model calls.'),
      reasoning: tokens('capstan_model_reasoning_tokens_total', 'Output tokens used for reasoning.'),
    };
    this.cost = metrics.counter({
      name: 'capstan_model_cost_dollars_total',
      help: 'Known cost of model calls, in US dollars.',
      labels: ['model'],
    });
    this.unpriced = metrics.counter({
      name: 'capstan_model_unpriced_calls_total',
      help: 'Model calls of unknown cost.',
      labels: ['model'],
    });
  }

  count({ purpose, state, model: name, tokens, costUsd }: MeasuredModelCall): void {
    const model = this.label(name);
    this.calls.inc({ model, purpose: purposeLabel(purpose), state });
    if (tokens !== null) {
      this.tokens.input.inc({ model }, tokens.input_tokens);
      this.tokens.cached.inc({ model }, tokens.cached_input_tokens);
      this.tokens.output.inc({ model }, tokens.output_tokens);
      this.tokens.reasoning.inc({ model }, tokens.reasoning_tokens);
    }
    if (costUsd === null) this.unpriced.inc({ model });
    else this.cost.inc({ model }, Number(costUsd));
  }
}
