/** Injection token of the process's `AppConfig`. */
export const API_CONFIG = Symbol('api configuration');
/** Injection token of the process's `Logger`. */
export const API_LOGGER = Symbol('api logger');
/** Injection token of the worker in the API's own process, as `WorkerDoors`; absent without one. */
export const NEAR_WORKER = Symbol('worker in the process of the api');
