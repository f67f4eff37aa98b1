/**
 * The first of these names that a reader, or a model, would take for an earlier one: they differ in case, in what stands
 * between their words, or by a plural alone (S2-1). Null where there is none. The same name twice is refused elsewhere.
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

/** What names have in common that are read as one. */
function formOf(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter((word) => word !== '');
  return words.map((word) => word.toLowerCase().replace(/s$/, '')).join('');
}
