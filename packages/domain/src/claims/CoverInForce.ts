/** Whether a contract was in force at the instant of a loss. */
import type { CoverCheck } from "./CoverCheck.ts"
import { awaitsFirstPayment, termEnd } from "../policies/PolicyView.ts"
import type { PolicyState } from "../policies/PolicyState.ts"
import type { Product } from "../products/Product.ts"
import { type Instant, max } from "../values/Instant.ts"

interface Moment {
  readonly at: Instant
  readonly coveredWhileSuspended: boolean
  readonly firstPremiumInFlight: boolean
}

/**
 * Since when a contract has covered anything, in a state that holds from an instant on; `undefined` where it does
 * not, and while it waits for its first premium. A suspended contract has begun, too.
 */
export const begunFrom = (
  product: Pick<Product, "activation">,
  state: PolicyState,
  from: Instant
): Instant | undefined => {
  // What the worker recorded of a contract counts for nothing without the signature that it goes back to.
  if (state.signedAt === undefined || state.contract === "STOPPED") return undefined
  if (state.contract === "STARTED" || state.contract === "SUSPENDED") return from
  return awaitsFirstPayment(product, state) ? undefined : max(from, state.startedAt)
}

/**
 * By the state at the instant. A stop is in effect at its own instant. A contract begins at its planned start
 * by the calendar, also where the worker has not recorded it yet.
 */
export const inForce = (
  product: Pick<Product, "activation" | "timeZone">,
  state: PolicyState,
  { at, coveredWhileSuspended, firstPremiumInFlight }: Moment
): CoverCheck => {
  const say = (outcome: CoverCheck["outcome"], because: string): CoverCheck => ({
    id: "IN_FORCE",
    outcome,
    because,
    source: "POLICY"
  })
  if (state.signedAt === undefined) return say("FAIL", "The policy was not signed.")
  const isBeyondTerms = state.contract !== "STOPPED" && at >= termEnd(product, state)
  if (isBeyondTerms)
    return say("REFER", "The agreed term was over; what follows it is not recorded.")
  switch (state.contract) {
    case "STARTED":
      return say("PASS", "The contract was in force.")
    case "SUSPENDED":
      return coveredWhileSuspended
        ? say("PASS", "The contract was suspended, and the peril is covered all the same.")
        : say("FAIL", `Cover was suspended: ${state.suspension?.reason ?? "no reason given"}.`)
    case "STOPPED":
      return say("FAIL", `The contract had ended: ${state.stop?.reason ?? "no reason given"}.`)
    default: {
      if (state.startedAt > at) return say("FAIL", "Cover had not begun.")
      if (!awaitsFirstPayment(product, state)) return say("PASS", "The contract was in force.")
      return firstPremiumInFlight
        ? say("REFER", "Cover waits for the first premium, which was on its way.")
        : say("FAIL", "Cover waited for the first premium.")
    }
  }
}
