/** From where the request comes that is being served, as far as it says so itself. */
import { Context } from "effect"

export interface Source {
  /** The address that called, or that a trusted proxy names; empty where there is none. */
  readonly address: string
  /** What the browser calls itself, as it was sent; empty where it doesn't. */
  readonly userAgent: string
}

export const RequestSource = Context.Reference<Source>("@quittance/domain/RequestSource", {
  defaultValue: () => ({ address: "", userAgent: "" })
})
