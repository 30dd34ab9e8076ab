/**
 * What has to hold before a step of the sale by the product's word, and whether it does. A gate is judged
 * by what is recorded, never by what a caller says of it.
 */
import type { CustomerStatus, CustomerType } from "../customers/Customer.ts"
import { policyholderMissing, type UnmetGate } from "../policies/Compliance.ts"
import type { Product } from "../products/Product.ts"
import type { BranchType, ComplianceGate, Consent } from "../products/ProductTerms.ts"
import type { CustomerId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"
import type { AcceptedText } from "./AcceptedText.ts"
import {
  isSoldBy,
  isWithdrawable,
  type SalesChannel,
  withdrawalEnd
} from "../products/sale/Withdrawal.ts"
import { documentGate, type GivenDocument, informationGate, kindGate } from "./DocumentGates.ts"
import type { Gate } from "./Gate.ts"
import { type Registration, registrationFault } from "./Registration.ts"
import { type RequestedFact, requestedFor, requestGate } from "./RequestGates.ts"
import { adviceGate, needsGate, type StatementFacts } from "./StatementGates.ts"

/**
 * The steps that have gates. A renewal is accepted as a sale is confirmed; an endorsement that needs no
 * signature is merged as one that does is signed, but for the texts that a signature is made under.
 */
export type GatedStep = "CONFIRM" | "ACCEPT" | "SIGN" | "MERGE"

/** A policyholder of the branch. */
export interface Holder {
  readonly id: CustomerId
  readonly status: CustomerStatus
  readonly type: CustomerType
}

/** What is recorded of a branch and of those who sell and buy it, as far as gates look at it. */
export interface GateFacts {
  readonly product: Pick<
    Product,
    "complianceGates" | "consents" | "documents" | "needs" | "timeZone" | "version" | "withdrawal"
  >
  readonly branchType: BranchType
  /** How it is sold, where that is known. */
  readonly salesChannel: SalesChannel | undefined
  /** When cover begins. */
  readonly startedAt: Instant
  readonly now: Instant
  readonly holders: ReadonlyArray<Holder>
  /** Who of them holds the policy, over one stretch of its cover after the other. */
  readonly holdersOver: ReadonlyArray<ReadonlySet<CustomerId>>
  /** The texts that were accepted on the branch. */
  readonly accepted: ReadonlyArray<Pick<AcceptedText, "acceptedAt" | "textHash" | "textId">>
  /** The hash of a text in the wording of the branch's product version. */
  readonly hashOf: (text: string) => string
  /** The texts that the request itself accepts: those of the signature. */
  readonly signedTextIds?: ReadonlySet<string> | undefined
  /** The firm that sells the policy; absent where the tenant itself does. */
  readonly firm?: { readonly registration: Registration | undefined } | undefined
  /** The documents of the branch for its customers, with who was given them. */
  readonly documents: ReadonlyArray<GivenDocument>
  /** What customers have to bring for the sale as it is; absent where no step looks at it. */
  readonly requested?: ReadonlyArray<RequestedFact> | undefined
  /** The latest statement of demands and needs on the branch, and what has changed since. */
  readonly statement?: StatementFacts | undefined
}

export const stepOf = {
  CONFIRM: "CONFIRM",
  ACCEPT: "CONFIRM",
  SIGN: "SIGN",
  MERGE: "SIGN"
} as const

/** Every gate of a step, in the order in which the product names them. */
export const gatesOf = (facts: GateFacts, step: GatedStep): ReadonlyArray<Gate> => [
  ...holderGates(facts, step),
  ...facts.product.consents
    .filter(({ requiredFor }) => requiredFor === step)
    .map((consent) => consentGate(facts, consent)),
  ...dutiesOf(facts, step).flatMap((duty) => dutyGates(facts, duty)),
  ...gatedDocuments(facts, step).map((definition) => documentGate(facts, definition)),
  ...requestedFor(facts.requested ?? [], stepOf[step]).map(requestGate)
]

/** Those of them that are not met. */
export const unmetOf = (facts: GateFacts, step: GatedStep): ReadonlyArray<UnmetGate> =>
  gatesOf(facts, step).flatMap(({ do: remedy, met: _met, metAt: _metAt, why, ...gate }) =>
    why === undefined || remedy === undefined ? [] : [{ ...gate, why, do: remedy }]
  )

/** The duties that a product has before a step of such a sale to such people. */
export const dutiesOf = (
  {
    branchType,
    firm,
    holders,
    product,
    salesChannel
  }: Pick<GateFacts, "branchType" | "firm" | "holders" | "product" | "salesChannel">,
  step: GatedStep
): ReadonlyArray<ComplianceGate> =>
  (product.complianceGates ?? []).filter(
    ({ branches, channels, customerTypes, kind, requiredFor }) =>
      requiredFor === stepOf[step] &&
      isSoldBy(channels, salesChannel) &&
      (branches === undefined || branches.some((type) => type === branchType)) &&
      (customerTypes === undefined || holders.some(({ type }) => customerTypes.includes(type))) &&
      // A tenant that sells by itself answers for its own registration.
      (kind !== "BROKER_REGISTRATION" || firm !== undefined) &&
      (kind !== "WITHDRAWAL_RIGHT" || hasWithdrawal({ holders, product, salesChannel }))
  )

/** The documents that a step of the branch waits for. */
export const gatedDocuments = (
  { branchType, product }: Pick<GateFacts, "branchType" | "product">,
  step: GatedStep
) =>
  (product.documents ?? []).filter(
    ({ branches, gate }) =>
      gate?.step === stepOf[step] && (branches === undefined || branches.includes(branchType))
  )

const dutyGates = (facts: GateFacts, duty: ComplianceGate): ReadonlyArray<Gate> =>
  duty.kind === "WITHDRAWAL_RIGHT" ? withdrawalGates(facts) : [dutyGate(facts, duty, duty.kind)]

const dutyGate = (
  facts: GateFacts,
  duty: ComplianceGate,
  kind: Exclude<ComplianceGate["kind"], "WITHDRAWAL_RIGHT">
): Gate => {
  switch (kind) {
    case "BROKER_REGISTRATION":
      return registrationGate(facts, duty)
    case "DEMANDS_AND_NEEDS":
      return needsGate(facts)
    case "ADVICE":
      return adviceGate(facts)
    case "IPID":
    case "INTERMEDIARY_INFORMATION":
      return kindGate(facts, kind)
  }
}

/** A sale needs a confirmed policyholder as long as it covers; of a signed policy it was confirmed once. */
const holderGates = ({ holders, holdersOver }: GateFacts, step: GatedStep): ReadonlyArray<Gate> => {
  if (step !== "CONFIRM") return []
  const confirmed = holders.filter(({ status }) => status === "CUSTOMER_CONFIRMED")
  const met = holdersOver.every((ids) => confirmed.some(({ id }) => ids.has(id)))
  return [met ? { kind: "POLICYHOLDER_CONFIRMED", met } : { ...policyholderMissing, met }]
}

const consentGate = (facts: GateFacts, consent: Pick<Consent, "text" | "textId">): Gate =>
  facts.signedTextIds?.has(consent.textId) === true
    ? { kind: "CONSENT", textId: consent.textId, met: true }
    : textGate(facts, consent, "CONSENT")

const textGate = (
  { accepted, hashOf }: GateFacts,
  { text, textId }: Pick<Consent, "text" | "textId">,
  kind: Gate["kind"]
): Gate => {
  const gate = { kind, textId }
  const ofText = accepted.filter((other) => other.textId === textId)
  const proof = ofText.find(({ textHash }) => textHash === hashOf(text))
  if (proof !== undefined) return { ...gate, met: true, metAt: proof.acceptedAt }
  return {
    ...gate,
    met: false,
    why: ofText.length === 0 ? "MISSING" : "OUTDATED",
    do: "Have the customer read and accept the text: `POST /policies/{policyId}/consents`."
  }
}

/** Whether the law of the product lets such people withdraw from such a sale. */
const hasWithdrawal = ({
  holders,
  product: { withdrawal },
  salesChannel
}: Pick<GateFacts, "holders" | "product" | "salesChannel">): boolean =>
  withdrawal !== undefined && isWithdrawable(withdrawal, { holders, salesChannel })

/**
 * Customers are told of their right, and say it themselves where cover is to begin before the right would end if
 * the contract were concluded now. French law: art. L112-2-1 III code des assurances.
 */
const withdrawalGates = (facts: GateFacts): ReadonlyArray<Gate> => {
  const { now, product, startedAt } = facts
  const { timeZone, withdrawal } = product
  // The duty is there only where the right is.
  const { information, startRequest } = withdrawal!
  const told = informationGate(facts, "WITHDRAWAL_RIGHT", information)
  const isEarly = startedAt < withdrawalEnd(withdrawal!, { concludedAt: now }, timeZone)
  return startRequest === undefined || !isEarly
    ? [told]
    : [told, textGate(facts, startRequest, "WITHDRAWAL_RIGHT")]
}

const registrationGate = (
  { firm, now, product: { timeZone } }: GateFacts,
  { maxAgeDays }: ComplianceGate
): Gate => {
  const kind = "BROKER_REGISTRATION"
  const limit = maxAgeDays === undefined ? {} : { maxAgeDays }
  const why = registrationFault(firm?.registration, { now, timeZone, ...limit })
  if (why !== undefined) {
    return {
      kind,
      met: false,
      why,
      do: "Look the firm up in its register: `PUT /brokerage-firms/{brokerageFirmId}/registration`."
    }
  }
  // What has no fault is there.
  return { kind, met: true, metAt: firm!.registration!.recordedAt }
}
