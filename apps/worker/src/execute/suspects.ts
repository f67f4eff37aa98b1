/** So many attempts in a row that are lost make an execution a suspect, to be run in a process of its own. */
export const SUSPECT_AFTER_LOSSES = 2;
/** So many of those processes that die of it make it poisoned. */
export const MAX_ISOLATED_DEATHS = 2;
