/** More than a bounded number of looks at a value. */
class TooManyTouches extends Error {
  override readonly name = 'TooManyTouches';
}

/** A value and the count of looks at it. */
export interface CountedTouches<Value> {
  readonly value: Value;
  /** Runs work that looks at the value at most `limit` times; throws `TooManyTouches` as soon as it looks more often. */
  within<Result>(limit: number, work: () => Result): Result;
}

/**
 * The same value, which counts how often it is looked at: each field and item that is read or asked for is a touch, and
 * so is each name of an object whose names are listed. Work on it is measured without a clock.
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
