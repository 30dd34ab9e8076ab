import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"
import { referenceTables } from "./ReferenceTables.ts"

/** Parameters that routes of several areas take. */
const shared: ParameterTerms = {
  "path.branchId": { means: "The branch, by its identifier." },
  "get.branchId": {
    means: "The branch to read; default: what is in force, or before the signature the sale."
  },
  branchId: {
    means: "The branch to work on; default: what is in force, or before the signature the sale.",
    example: id("branch")
  },
  "path.brokerageFirmId": { means: "The brokerage firm, by its identifier." },
  brokerageFirmId: {
    means: "Only policies of this brokerage firm.",
    example: id("brokerage_firm")
  },
  count: { means: "How many items a page has, 1 to 100; default: 10.", example: 10 },
  customerId: { means: "The customer, by their identifier.", example: id("customer") },
  dryRun: {
    means: "Whether to answer what would happen and keep nothing; default: false.",
    example: true
  },
  "idempotency-key": {
    means:
      "A text of your choice for this request and its repetitions, 1 to 200 visible ASCII characters; kept 24 hours.",
    example: "6f1c2e58-sign-1"
  },
  idempotencyKey: {
    means:
      "The same as the header `idempotency-key`, for browsers that can't send it; 1 to 200 visible ASCII characters."
  },
  "if-match": {
    means:
      "The strong etag that a read has answered; the command is refused where the record has changed since.",
    example: '"7"'
  },
  knownAt: {
    means: "The instant as of whose knowledge to answer, not in the future; default: now.",
    example: "2026-03-01T00:00:00Z"
  },
  order: { means: "The order of the list and its direction; both or neither." },
  page: { means: "The number of the page, from 1; default: 1.", example: 1 },
  policyId: { means: "The policy, by its identifier.", example: id("policy") },
  productId: { means: "The product, by its identifier.", example: "motor-fr" },
  queryString: {
    means:
      "Words of which each begins a word of the policy or of the customer; at most 200 characters.",
    example: "martin lyon"
  },
  "get.whenAt": { means: "The instant to show it at, past or future. Default: now." },
  whenAt: {
    means: "When the command takes effect; default: now, or when the branch does.",
    example: "2026-03-01T00:00:00Z"
  }
}

/**
 * What parameters and headers of requests mean. A name that means several things has an entry for an
 * operation (`users.list.statuses`), a method (`get.whenAt`) or a place (`path.branchId`) as well.
 */
export const parameterTerms: ParameterTerms = Object.assign(
  {},
  shared,
  ...referenceTables.map(({ parameters = {} }) => parameters)
)

interface Named {
  readonly operationId: string
  readonly method: string
  readonly in: string
  readonly name: string
}

/** The name under which a parameter's meaning is written down, the narrowest first. */
export const parameterTermOf = ({ in: place, method, name, operationId }: Named) =>
  [`${operationId}.${name}`, `${method.toLowerCase()}.${name}`, `${place}.${name}`, name].find(
    (term) => term in parameterTerms
  )

/** What the document shows for a parameter: the example of its narrowest meaning, or of its name. */
export const parameterExampleOf = (named: Named) => {
  const term = parameterTermOf(named)
  return term === undefined
    ? undefined
    : (parameterTerms[term]?.example ?? parameterTerms[named.name]?.example)
}

/** What headers of answers mean. */
export const headerTerms: Readonly<Record<string, string>> = {
  "retry-after": "Seconds until the next request is taken.",
  "ratelimit-limit": "How many requests the window allows.",
  "ratelimit-remaining": "How many requests are left in the window.",
  "ratelimit-reset": "Seconds until the window ends.",
  "www-authenticate":
    "How long ago, in seconds (`max_age`), the person may have signed in (RFC 9470)."
}
