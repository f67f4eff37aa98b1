/** A series of a chart. */
export interface ChartSeries {
  readonly name: string;
  /** A CSS colour, which may name a variable. */
  readonly colour: string;
  /** One for each time; null where it is unknown. */
  readonly values: readonly (number | null)[];
}

/**
 * Heights of stacked series: each one's own amount on top of those before it. Unknown amounts have no height. Pure.
 * @param series amounts, from the bottom of the stack upwards
 */
export function stackSeries(series: readonly (readonly (number | null)[])[]): number[][] {
  const heights: number[][] = [];
  for (const values of series) {
    const below = heights.at(-1);
    heights.push(values.map((value, index) => (below?.[index] ?? 0) + (value ?? 0)));
  }
  return heights;
}

/** Sum of the known amounts of a series; null where only unknown ones could be more than nothing. Pure. */
export function knownSum(values: readonly (number | null)[]): number | null {
  const sum = values.reduce<number>((before, value) => before + (value ?? 0), 0);
  return sum === 0 && values.includes(null) ? null : sum;
}
