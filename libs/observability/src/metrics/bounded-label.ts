/** The label value of all unknown values. */
const OTHER = 'other';

/** Keeps known label values and maps all others to `other`, so that clients cannot create series. */
export function boundedLabel(known: Iterable<string>): (value: string) => string {
  const values = new Set(known);
  return (value) => (values.has(value) ? value : OTHER);
}

const DATE_OF_SNAPSHOT = /-\d{4}-\d{2}-\d{2}$/;

/** Bounds model labels. Providers report dated snapshots: `gpt-5-mini-2025-08-07` counts as `gpt-5-mini`. */
export function modelLabel(known: Iterable<string>): (model: string) => string {
  const bounded = boundedLabel(known);
  return (model) => {
    const exact = bounded(model);
    return exact === OTHER ? bounded(model.replace(DATE_OF_SNAPSHOT, '')) : exact;
  };
}
