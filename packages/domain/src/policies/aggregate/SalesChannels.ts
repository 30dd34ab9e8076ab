/** How a policy was sold: as it says itself, else at a distance to a visitor, else as its product says. */
import { AnonymousSessionId } from "../../requests/Caller.ts"
import type { SalesChannel } from "../../products/sale/Withdrawal.ts"
import { Schema } from "effect"
import type { PolicyAggregate } from "./PolicyAggregate.ts"

const isSession = Schema.is(AnonymousSessionId)

/** Absent where none of them says it. */
export const salesChannelOf = ({
  changes,
  product,
  state
}: Pick<PolicyAggregate, "changes" | "product" | "state">): SalesChannel | undefined => {
  if (state.salesChannel !== undefined) return state.salesChannel
  const opened = changes.find(({ kind }) => kind === "CREATE")
  return isSession(opened?.author) ? "DISTANCE" : product.salesChannel
}
