/** Work touched the value more often than its limit. */
class TooManyTouches extends Error {
  override readonly name = 'TooManyTouches';
}

/** A value with a count of the accesses to it. */
export interface CountedTouches<Value> {
  readonly value: Value;
  /** Runs work that may touch the value `limit` times; throws `TooManyTouches` at the first touch beyond. */
  within<Result>(limit: number, work: () => Result): Result;
}

/**
 * Wraps a value to count accesses: each field or item that is read or tested is a touch, and so is each name when the names
 * of an object are listed. This measures work without a clock.
 */
export function countedTouches<Value extends object>(value: Value): CountedTouches<Value> {
  let left = Infinity;
  const take = (touches: number): void => {
    left -= touches;
    if (left < 0) throw new TooManyTouches();
  };
  const known = new WeakMap<object, object>();
  const wrap = <Inner>(inner: Inner): Inner => {
    if (typeof inner !== 'object' || inner === null) return inner;
    const before = known.get(inner);
    if (before !== undefined) return before as Inner;
    const wrapped = new Proxy<object>(inner, {
      get: (target, key) => {
        take(1);
        return wrap(Reflect.get(target, key) as unknown);
      },
      has: (target, key) => {
        take(1);
        return Reflect.has(target, key);
      },
      getOwnPropertyDescriptor: (target, key) => {
        take(1);
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
      ownKeys: (target) => {
        const keys = Reflect.ownKeys(target);
        take(keys.length);
        return keys;
      },
    });
    known.set(inner, wrapped);
    return wrapped as Inner;
  };
  const within = <Result>(limit: number, work: () => Result): Result => {
    left = limit;
    try {
      return work();
    } finally {
      left = Infinity;
    }
  };
  return { value: wrap(value), within };
}
