export const USAGE = `usage: migrate [--seed] [--check | --generate | --reseal-secrets | --create-api-key NAME | --create-tenant ID | …]
  (nothing)              bring the database up to date
  --seed                 also make the example data and the agents of the domains; what was changed since stays
  --check                fail when migrations and entities disagree
  --generate             print the statements that a new migration would need
  --restored             after a restore, before any worker runs: mark the executions that were under way (restored_at)
  --reseal-secrets       seal every stored secret anew with the first key of ENCRYPTION_KEY
  --create-tenant ID     make a tenant, unless it is there
  --deactivate-tenant ID a tenant runs nothing any more
  --activate-tenant ID   a tenant runs again
  --create-api-key NAME  make an API key and print it, once [--tenant ID] [--scopes a,b | --scopes all] [--expires-at TIME]; a tenant
                         that is not there yet is made

These leave the database as it is otherwise:
  --list-api-keys        print every API key, without its secret [--tenant ID]
  --rotate-api-key ID    replace an API key and print the new one, once; the old one is good for 24 hours more
                         [--overlap-hours N]
  --revoke-api-key ID    end an API key at once and for good; the last one with the scope admin only with --force`;
