/**
 * Takes the place of the package `@jest/globals`: modules are loaded once for a worker process, and the functions of Jest
 * are others for each spec file. Each export calls the one of the file that runs.
 */
type Callable = (...args: unknown[]) => unknown;

export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const describe = current('describe');
export const expect = current('expect');
export const it = current('it');
export const jest = current('jest');
export const test = current('test');

function current(name: string): Callable {
  const found = () => Reflect.get(globalThis, name) as Callable;
  return new Proxy<Callable>(() => undefined, {
    apply: (_target, _this, args: unknown[]) => found()(...args),
    get: (_target, property) => Reflect.get(found(), property) as unknown,
  });
}
