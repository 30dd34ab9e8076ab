/** Which documents follow from what happens to a policy, an invoice or a notice. */
import type { EventName } from "../EventType.ts"
import type {
  DocumentDefinition,
  DocumentKind,
  DocumentTrigger
} from "../products/documents/DocumentDefinition.ts"
import type { Product } from "../products/Product.ts"
import type { BranchType } from "../products/ProductTerms.ts"
import type { AssetId, CustomerId } from "../values/Ids.ts"

/** What an event means for documents. */
export interface DocumentOccasion {
  /** Documents of these triggers, of the same branch or notice, no longer say what is offered. */
  readonly outdates?: ReadonlyArray<DocumentTrigger>
  /** Documents of these triggers, in force, no longer say what holds. */
  readonly ends?: ReadonlyArray<DocumentTrigger>
  /** Documents of this trigger are to be made. */
  readonly makes?: DocumentTrigger
}

/** What a branch offers; afterwards it is in force. */
const offers: ReadonlyArray<DocumentTrigger> = ["QUOTED", "CONFIRMED", "RENEWAL_NOTICE", "SIGNED"]

const occasions: Partial<Record<EventName, DocumentOccasion>> = {
  "policy.quoted": { outdates: ["QUOTED", "CONFIRMED", "RENEWAL_NOTICE"], makes: "QUOTED" },
  "policy.quote_outdated": { outdates: ["QUOTED", "CONFIRMED", "RENEWAL_NOTICE"] },
  "policy.reopened": { outdates: ["CONFIRMED"] },
  "policy.confirmed": { outdates: ["CONFIRMED"], makes: "CONFIRMED" },
  "policy.signed": { makes: "SIGNED" },
  "branch.merged": { makes: "MERGED" },
  "branch.invalidated": { outdates: offers },
  "policy.started": { makes: "STARTED" },
  "policy.suspended": { makes: "SUSPENDED" },
  "policy.reactivated": { makes: "REACTIVATED" },
  "policy.stopped": { outdates: offers, makes: "STOPPED" },
  "policy.reinstated": { ends: ["STOPPED"], makes: "REINSTATED" },
  "invoice.issued": { makes: "INVOICED" },
  "credit_note.issued": { makes: "CREDITED" },
  "formal_notice.written": { makes: "NOTICE_WRITTEN" },
  "formal_notice.dropped": { outdates: ["NOTICE_WRITTEN"] }
}

/** What follows from an event; `undefined` where nothing does. */
export const occasionOf = (type: EventName): DocumentOccasion | undefined => occasions[type]

/** Who and what is on a policy, or pays for what the document is about. */
export interface DocumentSubjects {
  readonly customers: ReadonlyArray<{ readonly id: CustomerId; readonly role: string }>
  readonly assets: ReadonlyArray<AssetId>
  readonly payers: ReadonlyArray<CustomerId>
}

/** A document that is due: of which definition, for what, and for whom. */
export interface DueDocument {
  readonly definition: DocumentDefinition
  readonly trigger: DocumentTrigger
  readonly customerId?: CustomerId
  readonly assetId?: AssetId
}

/**
 * What is made of a product for a trigger on a branch. Of these, a definition with `when` is made only where
 * that is true of the document's data.
 */
export const dueDocuments = (
  product: Pick<Product, "documents">,
  trigger: DocumentTrigger,
  branchType: BranchType,
  subjects: DocumentSubjects
): ReadonlyArray<DueDocument> =>
  [
    ...made(product, trigger, branchType),
    // The offer of the next term tells of it with its price.
    ...(trigger === "QUOTED" && branchType === "RENEWAL"
      ? made(product, "RENEWAL_NOTICE", branchType)
      : [])
  ].flatMap((due) => perSubject(due, subjects))

const made = (
  { documents = [] }: Pick<Product, "documents">,
  trigger: DocumentTrigger,
  branchType: BranchType
): ReadonlyArray<DueDocument> =>
  documents
    .filter(
      (definition) =>
        isMadeOn(definition, trigger, branchType) &&
        (definition.branches?.includes(saleOf(trigger, branchType)) ?? true)
    )
    .map((definition) => ({ definition, trigger }))

/** A sale is signed on the branch that it opens. */
const saleOf = (trigger: DocumentTrigger, branchType: BranchType): BranchType =>
  trigger === "SIGNED" && branchType === "BASE" ? "NEW_BUSINESS" : branchType

const isMadeOn = (
  { kind, on, sign }: DocumentDefinition,
  trigger: DocumentTrigger,
  branchType: BranchType
): boolean => {
  const isTrunk = branchType === "BASE"
  switch (trigger) {
    case "QUOTED":
    case "CONFIRMED":
      // A merge records on the base branch what was quoted and confirmed before: nothing is offered there.
      return !isTrunk && on.includes(trigger)
    case "SIGNED":
      // What is to be paid changes with the merge, not with the signature on an endorsement.
      return on.includes(trigger) && (isTrunk || kind !== "SCHEDULE")
    case "MERGED":
      return (
        on.includes(trigger) ||
        // What was signed as an offer is made once more as what is in force: with its number, if it has one.
        (sign === true && on.includes("CONFIRMED")) ||
        (kind === "SCHEDULE" && on.includes("SIGNED") && branchType !== "NEW_BUSINESS")
      )
    case "STARTED":
    case "SUSPENDED":
    case "REACTIVATED":
    case "STOPPED":
    case "REINSTATED":
      // What happens to a contract, not to an offer that was abandoned.
      return isTrunk && on.includes(trigger)
    default:
      return on.includes(trigger)
  }
}

const perSubject = (
  due: DueDocument,
  { assets, customers, payers }: DocumentSubjects
): ReadonlyArray<DueDocument> => {
  const { per, roles } = due.definition
  switch (per) {
    case "CUSTOMER":
      return customers
        .filter(({ role }) => roles?.includes(role) ?? true)
        .map(({ id: customerId }) => ({ ...due, customerId }))
    case "PAYER":
      return payers.map((customerId) => ({ ...due, customerId }))
    case "ASSET":
      return assets.map((assetId) => ({ ...due, assetId }))
    default:
      return [due]
  }
}

/**
 * To whom a letter with a link to a document goes, where the product has it delivered: to the customer it is
 * for, else to the policyholders.
 */
export const lettersTo = (
  { deliver }: Pick<DocumentDefinition, "deliver">,
  customerId: CustomerId | undefined,
  customers: DocumentSubjects["customers"]
): ReadonlyArray<CustomerId> => {
  if (deliver !== "EMAIL") return []
  if (customerId !== undefined) return [customerId]
  return customers.filter(({ role }) => role === "POLICYHOLDER").map(({ id }) => id)
}

const madeAhead: ReadonlySet<DocumentKind> = new Set([
  "FORMAL_NOTICE",
  "RENEWAL_NOTICE",
  "TERMINATION_CONFIRMATION"
])

/** Whether a document is to be sent, and so is made without waiting for a reader. */
export const isMadeAhead = ({ kind }: { readonly kind: DocumentKind }): boolean =>
  madeAhead.has(kind)
