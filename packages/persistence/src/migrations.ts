import migration0001 from "./migrations/0001_create_tenants.ts"
import migration0010 from "./migrations/0010_create_brokerage_firms.ts"
import migration0011 from "./migrations/0011_create_users.ts"
import migration0012 from "./migrations/0012_create_clients.ts"
import migration0013 from "./migrations/0013_create_signing_keys.ts"
import migration0014 from "./migrations/0014_create_anonymous_sessions.ts"
import migration0015 from "./migrations/0015_create_permission_grants.ts"
import migration0016 from "./migrations/0016_create_authorization_codes.ts"
import migration0017 from "./migrations/0017_create_refresh_tokens.ts"
import migration0018 from "./migrations/0018_create_rate_limits.ts"
import migration0019 from "./migrations/0019_create_revoked_tokens.ts"

/** Every migration in order. A released migration is never edited. */
export const migrations = {
  "0001_create_tenants": migration0001,
  "0010_create_brokerage_firms": migration0010,
  "0011_create_users": migration0011,
  "0012_create_clients": migration0012,
  "0013_create_signing_keys": migration0013,
  "0014_create_anonymous_sessions": migration0014,
  "0015_create_permission_grants": migration0015,
  "0016_create_authorization_codes": migration0016,
  "0017_create_refresh_tokens": migration0017,
  "0018_create_rate_limits": migration0018,
  "0019_create_revoked_tokens": migration0019
}
