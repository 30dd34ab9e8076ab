/**
 * Gates on what customers have to be given before a step: every policyholder of the branch needs a delivery of
 * the document in the branch's version of the product. It counts from when it was recorded, whatever day it says.
 */
import type { DeliveryLevel } from "../documents/Delivery.ts"
import type { DocumentDefinition, DocumentKind } from "../products/documents/DocumentDefinition.ts"
import type { GateKind } from "../policies/Compliance.ts"
import type { CustomerId } from "../values/Ids.ts"
import { type Instant, max } from "../values/Instant.ts"
import type { Gate } from "./Gate.ts"

/** A document of a branch, and its deliveries. */
export interface GivenDocument {
  readonly documentId: string
  readonly definitionId: string
  readonly kind: DocumentKind
  readonly productVersion: string
  /** Whether it belongs to an offer that has changed since. */
  readonly isVoid: boolean
  /** Whom it is for; absent where it is for all of the policy. */
  readonly recipientId?: CustomerId | undefined
  readonly deliveries: ReadonlyArray<{
    readonly customerId: CustomerId
    readonly level: DeliveryLevel
    readonly recordedAt: Instant
  }>
}

interface Facts {
  readonly product: { readonly version: string }
  readonly now: Instant
  readonly holders: ReadonlyArray<{ readonly id: CustomerId }>
  readonly documents: ReadonlyArray<GivenDocument>
}

const rank: Record<DeliveryLevel, number> = { DELIVERED: 0, OPENED: 1, ACKNOWLEDGED: 2 }

/** A duty to give a document of a kind that does not depend on the offer, such as the IPID. */
export const kindGate = (facts: Facts, kind: DocumentKind & GateKind): Gate =>
  given(facts, {
    gate: { kind },
    proof: "DELIVERED",
    isMeant: (document) => document.kind === kind,
    holds: () => true
  })

/** A document that the product itself makes a step wait for: that of the offer as it is. */
export const documentGate = (facts: Facts, { gate, id }: DocumentDefinition): Gate =>
  given(facts, {
    gate: { kind: "DOCUMENT", definitionId: id },
    proof: gate?.proof ?? "DELIVERED",
    isMeant: ({ definitionId }) => definitionId === id,
    holds: ({ isVoid }) => !isVoid
  })

/** A document of the product that tells of a right. */
export const informationGate = (
  facts: Facts,
  kind: GateKind,
  definitionId: string | undefined
): Gate =>
  given(facts, {
    gate: { kind, ...(definitionId === undefined ? {} : { definitionId }) },
    proof: "DELIVERED",
    isMeant: (document) => document.definitionId === definitionId,
    holds: () => true
  })

const given = (
  { documents, holders, now, product }: Facts,
  duty: {
    readonly gate: Pick<Gate, "definitionId" | "kind">
    readonly proof: DeliveryLevel
    readonly isMeant: (document: GivenDocument) => boolean
    readonly holds: (document: GivenDocument) => boolean
  }
): Gate => {
  const meant = documents.filter(duty.isMeant)
  const fresh = meant.filter(
    (document) => document.productVersion === product.version && duty.holds(document)
  )
  const proofs = (among: ReadonlyArray<GivenDocument>, id: CustomerId) =>
    among
      // Another customer's own document proves nothing.
      .filter(({ recipientId }) => recipientId === undefined || recipientId === id)
      .flatMap(({ deliveries }) => deliveries)
      .filter(({ customerId, level }) => customerId === id && rank[level] >= rank[duty.proof])
      .map(({ recordedAt }) => recordedAt)
      .toSorted((one, other) => (one < other ? -1 : 1))
  const firsts = holders.map(({ id }) => proofs(fresh, id)[0])
  const lacking = holders.filter((_, index) => {
    const first = firsts[index]
    return first === undefined || first > now
  })
  if (holders.length > 0 && lacking.length === 0) {
    // Each of them has a first proof.
    return { ...duty.gate, met: true, metAt: firsts.map((first) => first!).reduce(max) }
  }
  const isLate = lacking.some(({ id }) => proofs(fresh, id).length > 0)
  const isOld = lacking.some(({ id }) => proofs(meant, id).length > 0)
  const pending = fresh.findLast(
    ({ recipientId }) => recipientId === undefined || lacking.some(({ id }) => id === recipientId)
  )
  return {
    ...duty.gate,
    met: false,
    ...(pending === undefined ? {} : { documentId: pending.documentId }),
    why: isLate ? "TOO_LATE" : isOld ? "OUTDATED" : "MISSING",
    do: pending === undefined ? absent : remedyOf(duty.proof)
  }
}

const absent = "Quote the branch, so that the document is made: `POST /policies/{policyId}/quote`."

const remedyOf = (proof: DeliveryLevel): string => {
  switch (proof) {
    case "DELIVERED":
      return "Let each policyholder read it, or record that they have it: `POST /documents/{documentId}/deliveries`."
    case "OPENED":
      return "Let each policyholder read it: `GET /documents/{documentId}/content`."
    case "ACKNOWLEDGED":
      return "Let each policyholder say that they have it: `POST /documents/{documentId}/acknowledge`."
  }
}
