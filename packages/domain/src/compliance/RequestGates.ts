/** Gates on what customers have to bring before a step: each needs a file that was found clean. */
import type { DocumentRequest } from "../documents/requests/DocumentRequest.ts"
import type { RequestedDocument } from "../products/documents/DocumentDefinition.ts"
import type { CustomerId } from "../values/Ids.ts"
import type { Gate } from "./Gate.ts"

/** A document that a customer has to bring, and the request for it that says most, where there is one. */
export interface RequestedFact extends Pick<RequestedDocument, "kind" | "requiredFor"> {
  readonly customerId: CustomerId
  readonly request?: Pick<DocumentRequest, "fulfilledAt" | "id" | "status"> | undefined
}

/** No step stands between the signature and the start: so the signature waits for what the start needs. */
const steps = { CONFIRM: "CONFIRM", SIGN: "SIGN", START: "SIGN" } as const

/** Those that a step waits for. */
export const requestedFor = <R extends Pick<RequestedDocument, "requiredFor">>(
  requested: ReadonlyArray<R>,
  step: "CONFIRM" | "SIGN"
): ReadonlyArray<R> => requested.filter(({ requiredFor }) => steps[requiredFor] === step)

const rank = { FULFILLED: 2, RECEIVED: 1, OPEN: 0, CANCELLED: -1 } as const

/** What each customer of the roles has to bring, with the request that is nearest to being fulfilled. */
export const requestedFacts = (
  definitions: ReadonlyArray<RequestedDocument>,
  customersOf: (role: string) => ReadonlyArray<CustomerId>,
  requests: ReadonlyArray<DocumentRequest>
): ReadonlyArray<RequestedFact> =>
  definitions.flatMap(({ from, kind, requiredFor }) =>
    customersOf(from).map((customerId): RequestedFact => {
      const [request] = requests
        .filter((one) => one.kind === kind && one.customerId === customerId)
        .toSorted((one, other) => rank[other.status] - rank[one.status])
      return { kind, requiredFor, customerId, request }
    })
  )

export const requestGate = ({ customerId, kind, request }: RequestedFact): Gate => {
  const gate = {
    kind: "REQUESTED_DOCUMENT",
    requestedKind: kind,
    customerId,
    ...(request === undefined ? {} : { documentRequestId: request.id })
  } as const
  if (request?.status === "FULFILLED") {
    const { fulfilledAt } = request
    return { ...gate, met: true, ...(fulfilledAt === undefined ? {} : { metAt: fulfilledAt }) }
  }
  return { ...gate, met: false, why: "MISSING", do: remedyOf(request) }
}

const remedyOf = (request: RequestedFact["request"]): string => {
  switch (request?.status) {
    case "OPEN":
      return "Add the file, with `documentRequestId` as its `requestId`: `POST /documents/policies/{policyId}/uploads`."
    case "RECEIVED":
      return "A file has come. Wait until it was scanned."
    default:
      return "Ask the customer for it: `POST /documents/policies/{policyId}/requests`."
  }
}
