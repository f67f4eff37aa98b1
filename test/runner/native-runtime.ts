import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Jest } from '@jest/environment';
import type { ScriptTransformer } from '@jest/transform';
import { importBy } from './module-hooks.ts';
import type NativeEnvironment from './native-environment.ts';

const require = createRequire(import.meta.url);
/** Key under which the copies of jest-circus share their event handlers. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

let files = 0;

/**
 * Stands in for `jest-runtime`, which loads every module anew for every spec file, in a realm of its own. Here Node loads
 * each module once for a worker process. Workers, limits of time and memory, names, order and reports are Jest's own.
 */
export default class NativeRuntime {
  private readonly environment: NativeEnvironment;
  private readonly sourceMaps: Map<string, string>;

  constructor(
    _config: unknown,
    environment: NativeEnvironment,
    _resolver: unknown,
    transformer: ScriptTransformer,
  ) {
    this.environment = environment;
    this.sourceMaps = importBy(transformer);
  }

  /** jest-circus keeps the tests of one file in its module: each file gets a new copy. */
  requireInternalModule(path: string): unknown {
    Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
    Reflect.deleteProperty(require.cache, path);
    return require(path);
  }

  setGlobalsForRuntime(): void {
    Object.assign(globalThis, { jest: mocksOf(this.environment) });
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  /** A spec file runs again where it is imported again, as one process does for `--watch`. */
  async unstable_importModule(path: string): Promise<unknown> {
    files += 1;
    return import(`${pathToFileURL(path).href}?file=${files}`);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  getSourceMaps(): Map<string, string> {
    return this.sourceMaps;
  }

  /** Coverage is what `NODE_V8_COVERAGE` writes; Jest collects none of modules that it has not loaded. */
  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }

  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}
}

/** The members of `jest` that make sense where modules are loaded once: none replaces a module. */
function mocksOf({ moduleMocker: mocker, fakeTimersModern: timers }: NativeEnvironment): Partial<Jest> {
  const mocks: Partial<Jest> = {
    fn: mocker.fn.bind(mocker),
    spyOn: mocker.spyOn.bind(mocker),
    restoreAllMocks: () => {
      mocker.restoreAllMocks();
      return mocks as Jest;
    },
    useFakeTimers: (config) => {
      timers.useFakeTimers(config as Parameters<typeof timers.useFakeTimers>[0]);
      return mocks as Jest;
    },
    useRealTimers: () => {
      timers.useRealTimers();
      return mocks as Jest;
    },
    advanceTimersByTime: (ms) => {
      timers.advanceTimersByTime(ms);
    },
    advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
    getTimerCount: () => timers.getTimerCount(),
  };
  return mocks;
}
