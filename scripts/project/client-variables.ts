/** Address of the service that the commands ask without `CAPSTAN_BASE_URL`. */
const DEFAULT_ADDRESS = 'http://127.0.0.1:3000';

/**
 * Lines of `capstan dev` with the variables that commands in another terminal need to reach this service. Pure.
 * @param apiKey null where the service asks for none
 */
export function clientVariables({ api, apiKey }: { api: string; apiKey: string | null }): string[] {
  return [
    ...(api === DEFAULT_ADDRESS ? [] : [`  address  export CAPSTAN_BASE_URL=${api}`]),
    ...(apiKey === null ? [] : [`  key      export CAPSTAN_API_KEY=${apiKey}`]),
  ];
}
