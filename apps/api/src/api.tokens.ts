/** Injection token of the process's `AppConfig`. */
export const API_CONFIG = Symbol('api configuration');
