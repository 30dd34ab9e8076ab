/** What follows at once where nothing more is collected by a mandate. An area above this one does it; `Wiring` provides it. */
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { MandateId } from "@quittance/domain/values/Ids"
import { Context, type Effect } from "effect"
import type { Actor } from "../requests/Actor.ts"

export class MandateEnds extends Context.Service<
  MandateEnds,
  {
    /**
     * Part of the transaction that withdraws or blocks the mandate, and has locked it: what is planned on it is
     * cancelled, and its invoices are to be transferred. What a file has stays.
     */
    ended(id: MandateId, actor: Actor): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/MandateEnds") {}
