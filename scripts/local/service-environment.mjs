const HOST = '127.0.0.1';
const SIMULATED_MODEL = 'sim-order-clerk';

/**
 * Whether a real model provider is to be used; without one the simulator answers.
 * @param {Readonly<Record<string, string>>} settings
 */
export function hasModelProvider(settings) {
  return settings.OPENAI_API_KEY !== undefined || settings.OPENAI_BASE_URL !== undefined;
}

/**
 * The environment of every program of this command: what the user has set, and over it what the command has decided.
 * @param {Readonly<Record<string, string>>} settings
 * @param {string} databaseUrl
 * @param {string} encryptionKey used where the user has set none
 * @returns {Record<string, string>}
 */
export function programEnvironment(settings, databaseUrl, encryptionKey) {
  return {
    // Ctrl-C shall not take long; what is cut off is taken up again by the next start.
    SHUTDOWN_GRACE_SECONDS: '5',
    ENCRYPTION_KEY: encryptionKey,
    // A model server of one's own is most likely on this machine.
    MODEL_ALLOW_PRIVATE_HOSTS: 'true',
    ...settings,
    HOST,
    AUTH: 'off',
    DATABASE_URL: databaseUrl,
    // The webhook receiver of the quickstart lives on this machine.
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    ...(hasModelProvider(settings) ? {} : { DEFAULT_MODEL: SIMULATED_MODEL }),
  };
}

/**
 * What the services need on top of it: where to listen, and where the model is.
 * @param {Readonly<Record<string, string>>} settings
 * @param {import('./port-plan.mjs').PortPlan} ports
 * @returns {Record<string, string>}
 */
export function serviceEnvironment(settings, ports) {
  const simulator = { OPENAI_BASE_URL: `http://${HOST}:${ports.simulator}/v1`, OPENAI_API_KEY: 'simulator' };
  return {
    PORT: String(ports.api),
    WORKER_PORT: String(ports.worker),
    SIMULATOR_HOST: HOST,
    SIMULATOR_PORT: String(ports.simulator),
    ...(hasModelProvider(settings) ? {} : simulator),
  };
}
