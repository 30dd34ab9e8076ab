import { Context } from "effect"

/** What a command has to know about the request that asks for it, and what it tells back. */
export class CurrentRequest extends Context.Service<
  CurrentRequest,
  {
    readonly id: string
    /** The caller's key, and a digest of all that makes the request the same one. */
    readonly idempotency?: { readonly key: string; readonly fingerprint: string }
    /** The strong etag that the caller has read. */
    readonly ifMatch?: string
    /** Run everything, write nothing. */
    readonly dryRun: boolean
    readonly address: string
    readonly userAgent: string
    /** What the answer's headers say; set by the command that served the request. */
    readonly answer: { replayed: boolean; etag?: string }
  }
>()("@quittance/domain/CurrentRequest") {}
