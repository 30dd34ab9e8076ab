/** An event as its row reads, whichever stream it is read of. */
import { EventId } from "@quittance/domain/events/Event"
import { Environment, TenantId } from "@quittance/domain/requests/Tenancy"
import { Schema } from "effect"
import type { EventPayload } from "@quittance/domain/requests/Event"
import { InstantColumn } from "../sql/Columns.ts"

/** A column of `jsonb`, which holds nothing but JSON: its members are read by the schema of the kind. */
const Payload = Schema.declare(
  (value): value is EventPayload => typeof value === "object" && value !== null
)

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
  payload: Payload
})

/** The events of rows that say all of one. */
export const decodeStoredEvents = Schema.decodeUnknownEffect(Schema.Array(EventRow))
