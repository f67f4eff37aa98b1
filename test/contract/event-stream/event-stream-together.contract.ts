import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventStreamConflictError, type EventStream } from '#libs/executions';
import type { ExecutionEvent } from '#libs/payloads';
import { textDelta, textDeltas } from './sample-events.js';

/** The part of the contract about simultaneous appends of one process to the streams of many executions. */
export function describeAppendingTogether(open: () => EventStream): void {
  describe('appending the events of many executions at once', () => {
    let stream: EventStream;
    let executionIds: string[];
    beforeEach(() => {
      stream = open();
      executionIds = Array.from({ length: 200 }, () => randomUUID());
    });

    const append = (executionId: string, firstId: number, events: ExecutionEvent[]) =>
      stream.append(executionId, firstId, events).then(
        () => 'appended',
        (error: unknown) => error,
      );
    const contentsOf = async (executionId: string): Promise<unknown[]> =>
      (await stream.readAfter(executionId, 0, 100)).map(({ id, data }) => [id, data]);

    it('gives each its own', async () => {
      const outcomes = await Promise.all(
        executionIds.map((id, index) => append(id, 1, textDeltas(1 + (index % 3), id))),
      );

      expect(new Set(outcomes)).toEqual(new Set(['appended']));
      for (const [index, id] of executionIds.entries()) {
        const own = textDeltas(1 + (index % 3), id).map(({ data }, offset) => [offset + 1, data]);
        expect(await contentsOf(id)).toEqual(own);
      }
    });

    it('refuses those whose numbers are taken, and none beside them', async () => {
      const isTaken = (index: number): boolean => index % 10 === 3;
      const taken = executionIds.filter((_id, index) => isTaken(index));
      await Promise.all(taken.map((id) => append(id, 1, textDeltas(2, 'owner'))));

      const outcomes = await Promise.all(executionIds.map((id) => append(id, 2, textDeltas(2, 'late'))));

      for (const [index, outcome] of outcomes.entries()) {
        if (isTaken(index)) expect(outcome).toBeInstanceOf(EventStreamConflictError);
        else expect(outcome).toBe('appended');
      }
      const [free = '', , , refused = ''] = executionIds;
      expect(await contentsOf(refused)).toEqual(textDeltas(2, 'owner').map(({ data }, at) => [at + 1, data]));
      expect(await contentsOf(free)).toEqual(textDeltas(2, 'late').map(({ data }, at) => [at + 2, data]));
    });

    it('lets one writer of each execution win, where many processes write the same ones at once', async () => {
      const writers = Array.from({ length: 4 }, open);
      const few = executionIds.slice(0, 50);
      for (let round = 0; round < 3; round += 1) {
        const outcomes = await Promise.all(
          writers.flatMap((writer, at) =>
            (at % 2 === 0 ? few : few.toReversed()).map(async (id) => {
              const [outcome] = await Promise.allSettled([
                writer.append(id, round + 1, [textDelta(`${at}`)]),
              ]);
              return { id, outcome };
            }),
          ),
        );
        for (const executionId of few) {
          const own = outcomes.filter(({ id }) => id === executionId).map(({ outcome }) => outcome);
          expect(own.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
          const refusals = own.filter(({ status }) => status === 'rejected').map((refusal) => refusal);
          for (const refusal of refusals)
            expect(refusal).toMatchObject({ reason: expect.any(EventStreamConflictError) });
          expect(await stream.lastId(executionId)).toBe(round + 1);
        }
      }
    });

    it('wakes the followers of each', async () => {
      const reader = open();
      const watches = executionIds.map((id) => reader.watch(id));
      const seen = Promise.all(
        watches.map(async (watch, index) => {
          do await watch.wait(2_147_483_647, 120_000, new AbortController().signal);
          while ((await reader.lastId(executionIds[index] ?? '')) === 0);
          watch.close();
        }),
      );
      await Promise.all(executionIds.map((id) => append(id, 1, [textDelta('news')])));
      expect(await seen).toHaveLength(executionIds.length);
    });
  });
}
