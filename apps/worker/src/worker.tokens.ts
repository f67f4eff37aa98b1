/** Injection tokens of what has no class. */
export const WORKER_CONFIG = Symbol('worker configuration');
export const LOGGER = Symbol('logger');
/** Of the `AttemptDependencies`. */
export const ATTEMPT_DEPENDENCIES = Symbol('what an attempt touches');
/** Of the `RunExecutionDependencies`. */
export const RUN_EXECUTION_DEPENDENCIES = Symbol('what running executions touches');
/** Of the port of the worker's own health and metrics; null where the API of the same process answers for it. */
export const HEALTH_PORT = Symbol('port of the health server');
/** Of the `ToolServerDrivers`. */
export const TOOL_SERVER_DRIVERS = Symbol('what speaks to tool servers');
/** Of the path of the program that runs a suspect. */
export const ISOLATION_PROGRAM = Symbol('program of an isolated attempt');
