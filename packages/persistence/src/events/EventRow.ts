/** An event as its row reads, whichever stream it is read of. */
import { EventId } from "@quittance/domain/events/Event"
import { Environment, TenantId } from "@quittance/domain/requests/Tenancy"
import { Schema } from "effect"
import { InstantColumn } from "../sql/Columns.ts"

export const EventRow = Schema.Struct({
  id: EventId,
  kind: Schema.String,
  tenant: TenantId,
  environment: Environment,
  subject: Schema.String,
  sequence: Schema.Int,
  previousSequence: Schema.Int,
  policyId: Schema.NullOr(Schema.String),
  timestamp: InstantColumn,
  recordedAt: InstantColumn,
  payload: Schema.Record(Schema.String, Schema.Json)
})

/** The events of rows that say all of one. */
export const decodeStoredEvents = Schema.decodeUnknownEffect(Schema.Array(EventRow))
