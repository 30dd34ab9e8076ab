import { Context } from "effect"

/** The identifier of the request that is being served, as its answer names it; `none` outside of one. */
export const RequestId = Context.Reference<string>("@quittance/domain/RequestId", {
  defaultValue: () => "none"
})
