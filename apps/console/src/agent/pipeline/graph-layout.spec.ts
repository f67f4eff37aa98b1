import { describe, expect, it } from '@jest/globals';
import { GAP, layoutGraph } from './graph-layout.js';
import { pipelineGraphOf, type PipelineGraph } from './pipeline-graph.js';

const branch = (name: string, to: string) => ({
  ...{ name, kind: 'branch', cases: [{ when: { value: '/input', exists: true }, then: to }] },
});
const step = (name: string) => ({ name, kind: 'llm', prompt: 'p' });

function graphOf(...steps: object[]): PipelineGraph {
  const graph = pipelineGraphOf({ steps });
  if (graph === null) throw new Error('there are no steps');
  return graph;
}

describe('the layout of a pipeline', () => {
  it('puts the input, the steps and the answer below each other', () => {
    const { rows, straightFrom, jumps, height } = layoutGraph(graphOf(step('a'), step('b')));
    expect(rows.map(({ top }) => top)).toEqual([0, 60, 120, 180]);
    expect(rows.every(({ height: each }) => each === 60 - GAP)).toBe(true);
    expect([[...straightFrom], jumps, height]).toEqual([[0, 1, 2], [], 216]);
  });

  it('makes a step as high as its lines', () => {
    const { rows } = layoutGraph(
      graphOf(step('a'), { ...step('b'), prompt: '{{/steps/a}}', when: { value: '/input', exists: true } }),
    );
    expect(rows.map(({ height }) => height)).toEqual([36, 36, 76, 36]);
  });

  it('draws an exit past other steps beside its own line, in a lane', () => {
    const { rows, jumps, lanes } = layoutGraph(graphOf(branch('a', 'c'), step('b'), step('c')));
    // The second of three lines: a branch has one for each exit below its name.
    expect(jumps).toEqual([
      { from: 1, to: 3, lane: 0, fromY: (rows[1]?.top ?? 0) + 38, toY: (rows[3]?.top ?? 0) + 18 },
    ]);
    expect(lanes).toBe(1);
  });

  it('gives edges a lane of their own only where they run beside each other', () => {
    const { jumps, lanes } = layoutGraph(
      graphOf(branch('a', 'c'), step('b'), branch('c', 'e'), branch('d', 'end'), step('e')),
    );
    expect(jumps.map(({ from, to, lane }) => `${from}-${to} in ${lane}`)).toEqual([
      '1-3 in 0',
      '3-5 in 0',
      '4-6 in 1',
    ]);
    expect(lanes).toBe(2);
  });

  it('leads from a branch to the next step only where one of its exits does', () => {
    const { straightFrom } = layoutGraph(graphOf({ ...branch('a', 'end'), otherwise: 'end' }, step('b')));
    expect([...straightFrom]).toEqual([0, 2]);
  });
});
