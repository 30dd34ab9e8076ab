/** What areas do with records that fall due: the worker and the test clock run it. */
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { DueItemKind, DueItemOutcome } from "@quittance/domain/requests/DueItem"
import { Context, type Effect } from "effect"

export interface DueItemHandler {
  readonly kind: DueItemKind
  /**
   * Does what is due of a record, in transactions of its own, for some seconds at most. Two workers may
   * run it for one record at once, and a run may end anywhere: what was done is not done twice. A failure is a
   * defect; the record is then tried again later.
   */
  run(recordId: string): Effect.Effect<DueItemOutcome, never, CurrentTenant>
}

/** One for each kind, put together in `Wiring.ts`; kinds without one wait for a release that has it. */
export class DueItemHandlers extends Context.Service<
  DueItemHandlers,
  ReadonlyArray<DueItemHandler>
>()("@quittance/operations/DueItemHandlers") {}
