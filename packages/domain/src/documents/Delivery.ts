/** That a customer was given a document, has opened it, or says that they have it: a proof that never changes. */
import { Schema } from "effect"
import { FileHash } from "../products/documents/DocumentDefinition.ts"
import { CustomerId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { DocumentAuthor, DocumentId } from "./Document.ts"

export const DeliveryId = PrefixedId.schema("delivery")
export type DeliveryId = typeof DeliveryId.Type

export const DeliveryChannel = Schema.Literals([
  /** Shown by a program in which the customer acts. */
  "SCREEN",
  /** By a link that works without a token. */
  "LINK",
  "EMAIL",
  "PAPER"
])
export type DeliveryChannel = typeof DeliveryChannel.Type

export const DeliveryLevel = Schema.Literals([
  /** It was handed over. */
  "DELIVERED",
  /** Its bytes were sent to the customer at their own request. */
  "OPENED",
  /** The customer has said that they have it. */
  "ACKNOWLEDGED"
])
export type DeliveryLevel = typeof DeliveryLevel.Type

export const Delivery = Schema.Struct({
  id: DeliveryId,
  documentId: DocumentId,
  /** Of the bytes that the customer was given. */
  sha256: FileHash,
  customerId: CustomerId,
  channel: DeliveryChannel,
  level: DeliveryLevel,
  /** When it happened, as those say who have recorded it. */
  at: Instant,
  /** When it was recorded: what counts where something had to be given before a step. */
  recordedAt: Instant,
  /** Who has recorded it; of what a customer does themselves, they. */
  actor: DocumentAuthor,
  /** From where the request came. */
  address: Schema.optionalKey(Schema.String),
  userAgent: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Delivery" })
export type Delivery = typeof Delivery.Type
