const PURE_LIBRARIES = 'kernel|payloads|policy|tooling|config|concurrency|agent-core|executions';
const PURE_FILE = new RegExp(
  `^libs/(${PURE_LIBRARIES})/src/.*(?<!\\.(?:spec|suite|schema))(?<!/index)\\.ts$`,
);

/** Paths whose code StrykerJS may change: sources of the pure libraries, relative to the repository. Pure. */
export function pureFilesOf(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => PURE_FILE.test(path)).toSorted();
}
