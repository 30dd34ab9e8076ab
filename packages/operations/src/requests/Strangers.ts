/** Queries to the database that callers cause before they have authenticated. */
import * as Turns from "@quittance/domain/requests/Turns"
import { Effect } from "effect"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Of one tenant: few of its connections, and a line that ends long before that for connections. */
const limits = { atOnce: Infinity, each: 4, waiting: 60 }

/**
 * Runs queries in turns of the tenant, so that flooding one of its pages delays that page alone; a defect
 * `Busy`, at once, where too many wait.
 */
export const turns = () => {
  const line = Turns.make("TENANT", limits)
  return <A, E, R>(question: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | CurrentTenant> =>
    Effect.flatMap(CurrentTenant, (tenant) => line.run(tenant, question))
}
