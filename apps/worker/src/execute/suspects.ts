/** Consecutive lost attempts that make an execution a suspect, which runs in a process of its own. */
export const SUSPECT_AFTER_LOSSES = 2;
/** Crashes of such processes that make the execution poisoned. */
export const MAX_ISOLATED_DEATHS = 2;
