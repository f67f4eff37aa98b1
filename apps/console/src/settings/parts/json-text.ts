/** Reads an object that a person typed as JSON; an empty text is `empty`. Pure. */
export function objectOf<Empty>(
  text: string,
  empty: Empty,
): { readonly value: Readonly<Record<string, unknown>> | Empty } | { readonly fault: string } {
  if (text.trim() === '') return { value: empty };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { value: value as Readonly<Record<string, unknown>> };
    }
    return { fault: 'must be a JSON object, such as {"temperature": 0.2}' };
  } catch (error) {
    return { fault: `is no JSON: ${error instanceof Error ? error.message : ''}` };
  }
}

/** An object as JSON to edit; none, and an empty one, as an empty text. Pure. */
export function textOf(value: object | null): string {
  return value === null || Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2);
}
