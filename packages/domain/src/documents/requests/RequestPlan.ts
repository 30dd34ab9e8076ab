/** Which requests for documents arise by themselves, by what happens on a branch. */
import type { EventName } from "../../EventType.ts"
import type { RequestedDocument } from "../../products/documents/DocumentDefinition.ts"
import type { Product } from "../../products/Product.ts"
import type { CustomerId } from "../../values/Ids.ts"
import type { DocumentSubjects } from "../DocumentPlan.ts"
import type { DocumentRequest } from "./DocumentRequest.ts"

/** What has to be there before a step is asked for once the step before it was taken. */
const asked: Partial<Record<EventName, ReadonlyArray<RequestedDocument["requiredFor"]>>> = {
  "policy.quoted": ["CONFIRM"],
  "policy.confirmed": ["CONFIRM", "SIGN", "START"]
}

/** Whether an event has requests arise, or end. */
export const concernsRequests = (type: EventName): boolean =>
  type in asked || type === "branch.invalidated"

/** A document that a customer has to bring. */
export interface NeededDocument {
  readonly definition: RequestedDocument
  readonly customerId: CustomerId
}

/** What a product needs of the customers of its roles, whatever the step. */
export const neededDocuments = (
  { requestedDocuments = [] }: Pick<Product, "requestedDocuments">,
  { customers }: Pick<DocumentSubjects, "customers">
): ReadonlyArray<NeededDocument> =>
  requestedDocuments.flatMap((definition) =>
    customers
      .filter(({ role }) => role === definition.from)
      .map(({ id: customerId }) => ({ definition, customerId }))
  )

type Known = Pick<DocumentRequest, "customerId" | "kind">

const isFor =
  ({ customerId, definition }: NeededDocument) =>
  (request: Known): boolean =>
    request.kind === definition.kind && request.customerId === customerId

/** Those of them that are to be asked for now: not those that are asked for, or were brought, already. */
export const toAsk = (
  type: EventName,
  needed: ReadonlyArray<NeededDocument>,
  requests: ReadonlyArray<Known>
): ReadonlyArray<NeededDocument> =>
  needed.filter(
    (one) =>
      asked[type]?.includes(one.definition.requiredFor) === true && !requests.some(isFor(one))
  )

/** The requests of a branch that it does not need any more. */
export const toCancel = <R extends Known>(
  needed: ReadonlyArray<NeededDocument>,
  open: ReadonlyArray<R>
): ReadonlyArray<R> => open.filter((request) => !needed.some((one) => isFor(one)(request)))

/**
 * Whether a letter asks for it. An offer alone sends none: its addresses are those that visitors have typed in, and
 * who has made it is there to add the file.
 */
export const sendsLetter = (type: EventName): boolean => type !== "policy.quoted"
