import { Schema } from "effect"
import { CustomField } from "../values/CustomField.ts"
import { Instant } from "../values/Instant.ts"
import { BrokerageFirmId } from "../values/Ids.ts"

/** A wholesaler sells through other firms, a retailer to customers. */
export const FirmType = Schema.Literals(["WHOLESALE", "RETAIL"])
export type FirmType = typeof FirmType.Type

/** A brokerage firm. Firms form a tree: a grant on a firm also covers the firms below it. */
export const Firm = Schema.Struct({
  id: BrokerageFirmId,
  name: Schema.NonEmptyString,
  firmType: FirmType,
  parentBrokerageFirmId: Schema.optionalKey(BrokerageFirmId),
  customFields: Schema.optionalKey(Schema.Array(CustomField)),
  createdAt: Instant
}).annotate({ identifier: "BrokerageFirm" })
export type Firm = typeof Firm.Type

/** How many levels of firms are allowed, the topmost included. */
export const maximumDepth = 20

export class BrokerageFirmNotFound extends Schema.TaggedError<BrokerageFirmNotFound>()(
  "BrokerageFirmNotFound",
  { brokerageFirmId: BrokerageFirmId }
) {
  override get message() {
    return `Brokerage firm ${this.brokerageFirmId} does not exist; check the identifier and the tenant.`
  }
}

export class FirmTreeTooDeep extends Schema.TaggedError<FirmTreeTooDeep>()("FirmTreeTooDeep", {
  /** How many levels of firms are allowed. */
  maximum: Schema.Int
}) {
  override get message() {
    return `At most ${this.maximum} levels of firms are allowed; choose a parent further up.`
  }
}
