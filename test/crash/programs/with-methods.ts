/** A proxy of the object with some methods replaced; both share one state. */
export function withMethods<T extends object>(original: T, replaced: Partial<T>): T {
  return new Proxy(original, {
    get: (target, name) => {
      if (Object.hasOwn(replaced, name)) return replaced[name as keyof T];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
