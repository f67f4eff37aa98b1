import { describe, expect, it } from '@jest/globals';
import {
  defineTool,
  type Database,
  ToolFailure,
  ToolNotBegun,
  ToolOutcomeUnknown,
  type ToolContext,
} from '#libs/kit';
import * as tooling from '#libs/tooling';
import { z } from 'zod';
import { toResult, toToolDefinition } from './tool-definition.js';

const database: Database = {
  query: () => Promise.resolve([]),
  transaction: (work) => work(database),
};
const secrets = { read: () => Promise.resolve(null) };
const facilities = { database, secrets, fetchFor: () => fetch };

const call: tooling.ToolContext = {
  tenantId: 't1',
  executionId: 'e1',
  sessionId: 's1',
  scope: '',
  executor: null,
  idempotencyKey: 'e1.1',
  signal: new AbortController().signal,
  events: { progress: () => undefined },
};

function tool(run: (input: { city: string }, context: ToolContext) => unknown) {
  return defineTool({
    name: 'find_city',
    description: 'Finds a city.',
    input: z.object({ city: z.string() }),
    effect: 'unsafe',
    onUnknown: 'ask',
    approval: ({ city }) => city === 'Paris',
    limits: { timeoutMs: 1_000, maxOutputBytes: 2_048 },
    run,
  });
}

describe('definition of a project’s tool', () => {
  it('carries effect, approval and limits over, and derives the label and the schema', () => {
    const definition = toToolDefinition(
      tool(() => 'found'),
      undefined,
    );
    expect(definition).toMatchObject({
      name: 'find_city',
      label: 'find city',
      effect: 'unsafe',
      onUnknown: 'ask',
      timeoutMs: 1_000,
      maxOutputBytes: 2_048,
      inputSchema: { type: 'object', required: ['city'], additionalProperties: false },
    });
    const approval = definition.approval as (input: unknown) => boolean;
    expect([approval({ city: 'Paris' }), approval({ city: 'Rome' })]).toEqual([true, false]);
    expect(definition.readInput?.({ city: 1 })).toMatchObject({ success: false });
  });

  it('gives the call its facts and the guarded fetch of its tenant', async () => {
    const seen: ToolContext[] = [];
    const guarded = () => Promise.resolve(new Response());
    const asked: string[] = [];
    const definition = toToolDefinition(
      tool((_input, context) => void seen.push(context)),
      {
        database,
        secrets,
        fetchFor: (tenantId) => {
          asked.push(tenantId);
          return guarded;
        },
      },
    );
    await definition.run({ city: 'Rome' }, call);
    expect(seen[0]).toMatchObject({
      tenantId: 't1',
      idempotencyKey: 'e1.1',
      fetch: guarded,
      database,
      secrets,
    });
    expect(asked).toEqual(['t1']);
  });

  it('reports a failure to the model with its message', async () => {
    const definition = toToolDefinition(
      tool(() => {
        throw new ToolFailure('There is no such city.');
      }),
      facilities,
    );
    expect(await definition.run({ city: 'x' }, call)).toEqual({
      result: { status: 'error', result: { message: 'There is no such city.' } },
    });
  });

  it.each([
    [new ToolOutcomeUnknown('cut off'), tooling.ToolOutcomeUnknown],
    [new ToolNotBegun('no key'), tooling.ToolNotBegun],
    // Another copy of the kit has other classes; the mark is equal.
    [Object.assign(new Error('cut off'), { capstanError: 'outcome_unknown' }), tooling.ToolOutcomeUnknown],
    [new RangeError('as it is'), RangeError],
  ])('passes %s on as the error that the service knows', async (thrown, expected) => {
    const definition = toToolDefinition(
      tool(() => {
        throw thrown;
      }),
      facilities,
    );
    await expect(definition.run({ city: 'x' }, call)).rejects.toThrow(expected);
  });

  it('stages changes and adds data in the order of the calls', async () => {
    const definition = toToolDefinition(
      tool((_input, { stage, bake }) => {
        stage('city.found', { id: 1 });
        stage('city.found', { id: 2 });
        bake({ found: 1, last: 1 });
        bake({ last: 2 });
        return 'found';
      }),
      facilities,
    );
    expect(await definition.run({ city: 'Rome' }, call)).toEqual({
      result: { status: 'success', result: { message: 'found' } },
      staged: [
        { kind: 'city.found', data: { id: 1 } },
        { kind: 'city.found', data: { id: 2 } },
      ],
      bake: { found: 1, last: 2 },
    });
  });

  it('does not run in a process that runs no tools', async () => {
    const definition = toToolDefinition(
      tool(() => 'ran'),
      undefined,
    );
    await expect(definition.run({ city: 'Rome' }, call)).rejects.toThrow('this process runs no tools');
  });

  it('refuses limits that the service does not allow, with the field', () => {
    const odd = { ...tool(() => 1), limits: { maxOutputBytes: 1 } };
    expect(() => toToolDefinition(odd, undefined)).toThrow(
      /"find_city".*maxOutputBytes must be at least 1024/,
    );
  });
});

describe('result of a project’s tool', () => {
  it.each([
    [undefined, { message: 'Done.' }],
    [null, { message: 'Done.' }],
    ['found', { message: 'found' }],
    [3, { value: 3 }],
    [[1, 2], { value: [1, 2] }],
    [{ id: 1 }, { id: 1 }],
    [{ at: new Date(0), nothing: undefined }, { at: '1970-01-01T00:00:00.000Z' }],
    [new Map([[1, 2]]), {}],
  ])('for the answer %j is JSON that the model reads', (answer, result) => {
    expect(toResult(answer)).toEqual({ status: 'success', result });
  });

  it('leaves a value without JSON as it is, so that the service reports it after the effect', () => {
    expect(toResult(1n)).toEqual({ status: 'success', result: { value: 1n } });
  });
});
