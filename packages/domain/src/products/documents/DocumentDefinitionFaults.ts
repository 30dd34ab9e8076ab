/** Contradictions within a product's list of documents, and with other parts of the product. */
import { isSubDay } from "../../values/Duration.ts"
import { unknownName } from "../../values/ClosestName.ts"
import type { Product, ProductFault } from "../Product.ts"
import { duplicates } from "../ProductFieldFaults.ts"
import {
  type DocumentDefinition,
  type DocumentKind,
  type DocumentTrigger,
  otherKind
} from "./DocumentDefinition.ts"
import { mostNoticeDays } from "./RenewalNoticeDay.ts"

type Faults = Generator<ProductFault, void>

type Parts = Pick<Product, "customerRoles" | "documents" | "dunning" | "renewal">

export function* documentFaults({ customerRoles, documents, dunning, renewal }: Parts): Faults {
  if (documents === undefined) return
  yield* duplicates(
    "/documents",
    "id",
    documents.map(({ id }) => id)
  )
  for (const [index, definition] of documents.entries()) {
    yield* definitionFaults(definition, `/documents/${index}`, customerRoles)
  }
  if (dunning.notice?.required === true)
    yield* needed("FORMAL_NOTICE", "/dunning/notice", documents)
  if (renewal.refusal !== undefined) {
    yield* needed("RENEWAL_NOTICE", "/renewal/refusal", documents)
  }
}

/** A notice that the law wants can't be sent without a document of its kind. */
function* needed(
  kind: DocumentKind,
  duty: string,
  documents: ReadonlyArray<DocumentDefinition>
): Faults {
  if (documents.some((document) => document.kind === kind)) return
  yield { pointer: "/documents", message: `Add one of kind ${kind}; ${duty} makes it a duty.` }
}

/** The steps of a sale in their order: a document has to be there before the step that waits for it. */
const steps: ReadonlyArray<DocumentTrigger> = ["QUOTED", "CONFIRMED", "SIGNED"]
const stepOfGate = { CONFIRM: "CONFIRMED", SIGN: "SIGNED" } as const

function* definitionFaults(
  { deliver, gate, kind, on, per, roles, sign, visibility, when }: DocumentDefinition,
  at: string,
  customerRoles: ReadonlyArray<string>
): Faults {
  yield* duplicates(`${at}/on`, "", on)
  if (kind === "INFORMATION_STATEMENT") {
    const message = "Leave it out; a statement on claims needs claims to be kept, and none are yet."
    yield { pointer: `${at}/kind`, message }
  }
  if (sign === true && !(on.length === 1 && on[0] === "CONFIRMED")) {
    yield { pointer: `${at}/on`, message: "Write CONFIRMED alone; that is when it is signed." }
  }
  if (gate !== undefined) {
    const step = steps.indexOf(stepOfGate[gate.step])
    if (!on.some((trigger) => steps.includes(trigger) && steps.indexOf(trigger) < step)) {
      const earlier = steps.slice(0, step).join(" or ")
      const message = `Make it on ${earlier}; ${gate.step} waits for it.`
      yield { pointer: `${at}/gate`, message }
    }
    if (visibility === "INTERNAL") {
      const message = "Choose CUSTOMER; a gate waits for what a customer sees."
      yield { pointer: `${at}/visibility`, message }
    }
    // A sale without the document could never be concluded.
    if (when !== undefined) {
      const message = "Leave it out; a gate waits for a document that every sale has."
      yield { pointer: `${at}/when`, message }
    }
    if (per === "ASSET") {
      const message = "Choose POLICY or CUSTOMER; a gate waits for a document that every sale has."
      yield { pointer: `${at}/per`, message }
    }
  }
  if (deliver === "EMAIL" && visibility === "INTERNAL") {
    const message = "Choose CUSTOMER; what is sent to customers is theirs to see."
    yield { pointer: `${at}/visibility`, message }
  }
  if (roles !== undefined && per !== "CUSTOMER") {
    yield { pointer: `${at}/roles`, message: "Leave it out; it belongs to per CUSTOMER." }
  }
  for (const [index, role] of (roles ?? []).entries()) {
    if (!customerRoles.includes(role)) {
      const message = unknownName(role, customerRoles, "/customerRoles")
      yield { pointer: `${at}/roles/${index}`, message }
    }
  }
}

/** What customers are asked to bring is named once, and asked of a role that there is. */
export function* requestedDocumentFaults({
  customerRoles,
  requestedDocuments = []
}: Pick<Product, "customerRoles" | "requestedDocuments">): Faults {
  yield* duplicates(
    "/requestedDocuments",
    "kind",
    requestedDocuments.map(({ kind }) => kind)
  )
  for (const [index, { from, kind }] of requestedDocuments.entries()) {
    if (kind === otherKind) {
      const message = `Name another; ${otherKind} is what people ask for by hand.`
      yield { pointer: `/requestedDocuments/${index}/kind`, message }
    }
    if (!customerRoles.includes(from)) {
      const message = unknownName(from, customerRoles, "/customerRoles")
      yield { pointer: `/requestedDocuments/${index}/from`, message }
    }
  }
}

/** A notice is sent when the renewal is offered: that has to be so early that it never comes late. */
export function* renewalNoticeFaults({ renewal }: Pick<Product, "renewal">): Faults {
  const { openDaysBefore, refusal } = renewal
  if (refusal === undefined) return
  if (isSubDay(refusal.before)) {
    yield { pointer: "/renewal/refusal/before/unit", message: "Choose a day or more." }
    return
  }
  const days = mostNoticeDays(refusal)
  if (openDaysBefore < days && refusal.late === undefined) {
    yield {
      pointer: "/renewal/openDaysBefore",
      message: `Write ${days} at least, or say \`"late": "TWENTY_DAYS"\` in /renewal/refusal; else some notices come after their last legal day.`
    }
  }
}
