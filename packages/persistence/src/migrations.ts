import migration0001 from "./migrations/0001_create_tenants.ts"

/** Every migration in order. A released migration is never edited. */
export const migrations = {
  "0001_create_tenants": migration0001
}
