/** Injection token of the process's `AppConfig`. */
export const API_CONFIG = Symbol('api configuration');
/** Injection token of the process's `Logger`. */
export const API_LOGGER = Symbol('api logger');
