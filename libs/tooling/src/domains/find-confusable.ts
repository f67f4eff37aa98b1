/**
 * Finds the first name that a reader or model could mistake for an earlier one: they differ only in case, separators or
 * plural (S2-1). Null if there is none. Exact duplicates are rejected elsewhere.
 */
export function findConfusable(
  names: readonly string[],
): { readonly name: string; readonly like: string } | null {
  const earlier = new Map<string, string>();
  for (const name of names) {
    const form = formOf(name);
    const like = earlier.get(form);
    if (like !== undefined && like !== name) return { name, like };
    earlier.set(form, name);
  }
  return null;
}

/** Normal form that is equal for confusable names. */
function formOf(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter((word) => word !== '');
  return words.map((word) => word.toLowerCase().replace(/s$/, '')).join('');
}
