/** That a customer was sent a document, was given it, has opened it, or says that they have it: never changed. */
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

/** What proves that a customer was given a document, the weakest first. */
export const DeliveryLevel = Schema.Literals([
  /** It was handed over. */
  "DELIVERED",
  /** Its bytes were sent to the customer at their own request. */
  "OPENED",
  /** The customer has said that they have it. */
  "ACKNOWLEDGED"
])
export type DeliveryLevel = typeof DeliveryLevel.Type

/** All that is on record: a link that was `SENT` proves nothing until it is opened. */
export const HandingLevel = Schema.Literals(["SENT", ...DeliveryLevel.literals])
export type HandingLevel = typeof HandingLevel.Type

export const Delivery = Schema.Struct({
  id: DeliveryId,
  documentId: DocumentId,
  /** Of the bytes that the customer was given. */
  sha256: FileHash,
  customerId: CustomerId,
  channel: DeliveryChannel,
  level: HandingLevel,
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
