/** The same object with some of its methods replaced; the original is left as it is. */
export function withMethods<T extends object>(original: T, replaced: Partial<T>): T {
  return Object.assign(Object.create(original) as T, replaced);
}
