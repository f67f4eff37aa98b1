/** Injection tokens of values that are not classes. */
export const WORKER_CONFIG = Symbol('worker configuration');
export const LOGGER = Symbol('logger');
