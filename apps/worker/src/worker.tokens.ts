/** Injection tokens for values without a class. */
export const WORKER_CONFIG = Symbol('worker configuration');
export const LOGGER = Symbol('logger');
/** Token of the `AttemptDependencies`. */
export const ATTEMPT_DEPENDENCIES = Symbol('what an attempt touches');
/** Token of the `RunExecutionDependencies`. */
export const RUN_EXECUTION_DEPENDENCIES = Symbol('what running executions touches');
/** Token of the port for the worker's own health and metrics; null if the API of the same process serves them. */
export const HEALTH_PORT = Symbol('port of the health server');
/** Token of the `ToolServerDrivers`. */
export const TOOL_SERVER_DRIVERS = Symbol('what speaks to tool servers');
/** Token of the path of the program that runs a suspect. */
export const ISOLATION_PROGRAM = Symbol('program of an isolated attempt');
