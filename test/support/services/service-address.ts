/** The variables by which the global setup passes the addresses of this run's services to test files. */
type ServiceVariable = 'CAPSTAN_TEST_POSTGRES_URL' | 'CAPSTAN_TEST_REDIS_URL' | 'CAPSTAN_TEST_RUN_FOLDER';

/** The address from the global setup; undefined if it started no such service. */
export function serviceAddress(variable: ServiceVariable): string | undefined {
  return process.env[variable];
}

/** The address of a service that must exist; throws in projects that start no services. */
export function requireServiceAddress(variable: ServiceVariable): string {
  const address = serviceAddress(variable);
  if (address === undefined) {
    throw new Error(`${variable} is not set: the jest projects "unit" and "architecture" start no services.`);
  }
  return address;
}
