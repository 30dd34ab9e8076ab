/** How many connections of a program the tenants may use, and how many of them one tenant may. */
import { Context } from "effect"

/**
 * Set by the pool that serves requests. Without it nothing is shared out, as where one pool is made by
 * hand for a single tenant.
 */
export const ConnectionShare = Context.Reference<
  { readonly atOnce: number; readonly each: number } | undefined
>("@quittance/persistence/ConnectionShare", { defaultValue: () => undefined })
