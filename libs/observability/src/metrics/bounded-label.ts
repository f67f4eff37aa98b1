/** What stands for every value that is not known beforehand. */
const OTHER = 'other';

/** Values of a label that are known, the others as one: so that no client decides how many series there are. */
export function boundedLabel(known: Iterable<string>): (value: string) => string {
  const values = new Set(known);
  return (value) => (values.has(value) ? value : OTHER);
}

const DATE_OF_SNAPSHOT = /-\d{4}-\d{2}-\d{2}$/;

/** The same of models, of which providers answer the snapshot: `gpt-5-mini-2025-08-07` is `gpt-5-mini`. */
export function modelLabel(known: Iterable<string>): (model: string) => string {
  const bounded = boundedLabel(known);
  return (model) => {
    const exact = bounded(model);
    return exact === OTHER ? bounded(model.replace(DATE_OF_SNAPSHOT, '')) : exact;
  };
}
