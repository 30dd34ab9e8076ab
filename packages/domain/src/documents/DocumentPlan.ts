/** Which documents follow from what happens to a policy or an invoice. */
import type { EventName } from "../EventType.ts"
import type {
  DocumentDefinition,
  DocumentKind,
  DocumentTrigger
} from "../products/documents/DocumentDefinition.ts"
import type { Product } from "../products/Product.ts"
import type { BranchType } from "../products/ProductTerms.ts"

/** What an event means for documents. */
export interface DocumentOccasion {
  /** Documents of these triggers, of the same branch, no longer say what is offered. */
  readonly outdates: ReadonlyArray<DocumentTrigger>
  /** Documents of this trigger are to be made. */
  readonly makes?: DocumentTrigger
}

const occasions: Partial<Record<EventName, DocumentOccasion>> = {
  "policy.quoted": { outdates: ["QUOTED", "CONFIRMED"], makes: "QUOTED" },
  "policy.quote_outdated": { outdates: ["QUOTED", "CONFIRMED"] },
  "policy.reopened": { outdates: ["CONFIRMED"] },
  "policy.confirmed": { outdates: ["CONFIRMED"], makes: "CONFIRMED" },
  "invoice.issued": { outdates: [], makes: "INVOICED" },
  "credit_note.issued": { outdates: [], makes: "CREDITED" }
}

/** What follows from an event; `undefined` where nothing does. */
export const occasionOf = (type: EventName): DocumentOccasion | undefined => occasions[type]

/** What a branch offers; afterwards it is in force. */
const offers: ReadonlySet<DocumentTrigger> = new Set(["QUOTED", "CONFIRMED"])

/** Kinds whose data the service does not put together yet. */
const unmade: ReadonlySet<DocumentKind> = new Set(["ENDORSEMENT"])

export type TemplateDefinition = DocumentDefinition & {
  readonly source: Extract<DocumentDefinition["source"], { readonly template: string }>
}

/**
 * What is made of a product for a trigger on a branch. A definition whose `when` would have to be judged, or
 * that is one for each customer or asset, makes nothing yet, and neither does one of a file.
 */
export const definitionsOf = (
  { documents = [] }: Pick<Product, "documents">,
  trigger: DocumentTrigger,
  branchType: BranchType
): ReadonlyArray<TemplateDefinition> =>
  documents.filter(
    (definition): definition is TemplateDefinition =>
      "template" in definition.source &&
      definition.on.includes(trigger) &&
      // A merge records on the base branch what was quoted and confirmed before: nothing is offered there.
      (branchType !== "BASE" || !offers.has(trigger)) &&
      (definition.branches?.includes(branchType) ?? true) &&
      definition.when === undefined &&
      definition.per !== "CUSTOMER" &&
      definition.per !== "ASSET" &&
      !unmade.has(definition.kind)
  )
