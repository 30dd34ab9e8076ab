/** Traces of what follows from an event refer to the trace in which it was recorded. */
import type { Id } from "@quittance/domain/values/PrefixedId"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { linkTo, recorded } from "@quittance/domain/telemetry/CurrentTrace"
import { EventTracesRepo } from "@quittance/persistence/requests/EventTracesRepo"
import { Context, Effect, Layer } from "effect"

export class EventCauses extends Context.Service<
  EventCauses,
  {
    /** Links the span under way to what caused the events. It asks for nothing where none is recorded. */
    link(ids: ReadonlyArray<Id<"event">>): Effect.Effect<void, never, CurrentTenant>
    /** The same to what caused the newest event of a record. */
    linkToNewest(subject: string): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/EventCauses") {
  static readonly layer = Layer.effect(
    EventCauses,
    Effect.map(EventTracesRepo, (traces) => {
      const linked = (causes: Effect.Effect<ReadonlyArray<string>, never, CurrentTenant>) =>
        Effect.flatMap(recorded, (place) =>
          place === undefined ? Effect.void : Effect.flatMap(causes, linkTo)
        ).pipe(
          // Without its links nothing is the worse.
          Effect.catchCause((cause) => Effect.logDebug("No links to causes of events", cause))
        )
      return EventCauses.of({
        link: (ids) => linked(traces.of(ids)),
        linkToNewest: (subject) => linked(traces.newestOf(subject))
      })
    })
  ).pipe(Layer.provide(EventTracesRepo.layer))
}
