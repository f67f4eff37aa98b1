const PURE_LIBRARIES = 'kernel|payloads|policy|tooling|config|concurrency|agent-core|executions';
const PURE_FILE = new RegExp(
  `^libs/(?:(?:${PURE_LIBRARIES})/src|model-providers/src/wire)/.*(?<!\\.(?:spec|suite|schema))(?<!/index)\\.ts$`,
);

/** Chooses the sources of the pure libraries, which StrykerJS may change. Paths are relative to the repository. Pure. */
export function pureFilesOf(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => PURE_FILE.test(path)).toSorted();
}
