/** A path with its parameters, in order, and a query; fields that are undefined or null are left out. */
export function pathOf(
  path: string,
  place: readonly unknown[],
  query: Readonly<Record<string, unknown>> = {},
): string {
  let next = 0;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = place[next];
    next += 1;
    // An empty parameter would lead to another route.
    if (value === undefined || value === null || value === '')
      throw new TypeError(`${name} is missing in ${path}.`);
    return encodeURIComponent(textOf(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'object') search.append(name, textOf(value));
    else for (const [key, part] of Object.entries(value)) search.append(`${name}[${key}]`, String(part));
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

/** A field of a query or a form as text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
