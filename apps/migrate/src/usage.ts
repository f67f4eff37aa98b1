export const USAGE = `usage: migrate [--seed] [--check | --generate | --reseal-secrets | --create-api-key NAME | --create-tenant ID | …]
  (no option)            apply pending migrations
  --seed                 also create the example data and agents of the domains; changed rows stay
  --check                fail when migrations and entities disagree
  --generate             print the statements that a new migration would need
  --restored             after a restore, before any worker runs: mark unsettled executions (restored_at)
  --reseal-secrets       encrypt every stored secret again with the first key of ENCRYPTION_KEY
  --create-tenant ID     create a tenant, unless it exists
  --deactivate-tenant ID stop a tenant: its executions no longer run
  --activate-tenant ID   reactivate a tenant
  --create-api-key NAME  create an API key and print it once [--tenant ID] [--scopes a,b | --scopes all] [--expires-at TIME]; also creates
                         the tenant if it does not exist

These do not migrate:
  --list-api-keys        print all API keys without their secrets [--tenant ID]
  --rotate-api-key ID    replace an API key and print the new one once; the old one stays valid for 24 hours
                         [--overlap-hours N]
  --revoke-api-key ID    revoke an API key permanently; the last one with the scope admin only with --force`;
