// @ts-check
/** The names of the tools of `bench/project`. */
export const WAIT_TOOL = 'bench_wait';
export const LOOKUP_TOOL = 'lookup';
