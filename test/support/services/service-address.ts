/** The variables by which the global setup says to test files where the services of this run are. */
type ServiceVariable = 'CAPSTAN_TEST_POSTGRES_URL' | 'CAPSTAN_TEST_REDIS_URL' | 'CAPSTAN_TEST_RUN_FOLDER';

/** What the global setup has put there; undefined where it started no such service. */
export function serviceAddress(variable: ServiceVariable): string | undefined {
  return process.env[variable];
}

/** The same where the service must exist; throws when the test runs outside the projects that start services. */
export function requireServiceAddress(variable: ServiceVariable): string {
  const address = serviceAddress(variable);
  if (address === undefined) {
    throw new Error(`${variable} is not set: the jest projects "unit" and "architecture" start no services.`);
  }
  return address;
}
