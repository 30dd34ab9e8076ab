/** The texts of some policies, so that a release which answers them otherwise says so in its format. */
import { assert, it } from "@effect/vitest"
import * as Amount from "@quittance/domain/values/Amount"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import { type PolicyViewInput, toPolicy } from "@quittance/domain/policies/PolicyView"
import type { PolicyQuote, PremiumItem } from "@quittance/domain/products/Quote"
import { encode, format } from "../../src/policies/PolicyAnswers.ts"
import { prorated } from "../../src/policies/ProratedQuote.ts"
import { sha256 } from "../../src/values/Sha256.ts"
import * as World from "../World.ts"
import { BranchId, PolicyId } from "@quittance/domain/values/Ids"

const id = "346789ABCDEFGHJKLMNPQ"

const head: PolicyHead = {
  id: PolicyId.make(`policy_test_${id}`),
  incrementalId: 7,
  productId: "motor-fr",
  productVersion: "1",
  type: "INDIVIDUAL",
  brokerageFirmId: null,
  parentId: null,
  author: { firstName: "Nora", lastName: "Lambert", userId: `user_test_${id}` },
  defaultBranchId: BranchId.make(`branch_test_${id}`),
  changeSeq: 3,
  eventSeq: 3,
  toldUntil: null,
  status: "POLICY_CREATED",
  createdAt: World.at("2026-03-10T09:00:00Z"),
  lastModifiedAt: World.at("2026-03-11T09:00:00Z")
}

const draft = {
  stage: "DRAFT",
  name: "Zoé’s car",
  externalId: "ext-1",
  startedAt: World.at("2026-04-01T00:00:00+02:00"),
  periodDuration: { amount: 1, unit: "YEAR" },
  invoicingConfig: { frequency: "MONTHLY", timing: "IN_ADVANCE", firstPayment: "NONE" },
  customFields: { b: true, a: 1, c: "text" },
  customers: { [`customer_test_${id}`]: { seq: 2, role: "POLICYHOLDER", customFields: {} } },
  assets: { [`asset_test_${id}`]: { seq: 3, type: "VEHICLE", customFields: { power: 5 } } }
  // The identifiers have the right form.
} as unknown as PolicyState

const premium = Amount.make(36_500, [], [{ id: "TAX", chargeType: "RECURRING", amount: 3_650 }])
const quote: PolicyQuote = {
  id: `quote_test_${id}` as PolicyQuote["id"],
  entityId: head.id,
  provider: { id: "test", version: "1" },
  rates: [],
  components: [{ id: "RC", type: "PERIL", chargeType: "RECURRING", premium }],
  totalPremium: premium
}
const premiumItem = {
  componentId: "RC",
  chargeType: "RECURRING",
  everyTerm: false,
  refundable: true
}
const premiumItems = [
  { ...premiumItem, id: "RC", kind: "NET", amount: 36_500 },
  { ...premiumItem, id: "RC/tax/TAX", kind: "TAX", refId: "TAX", amount: 3_650 }
] as ReadonlyArray<PremiumItem>

const text = (state: PolicyState, rest: Pick<PolicyViewInput, "branchType" | "whenAt">) => {
  const view = { head, product: World.motor, state, ...rest }
  if (state.stage === "DRAFT") return encode(toPolicy(view))
  const proratedQuote = prorated(quote, premiumItems, World.motor, state)
  const selectedTier = { id: "T", name: "Tier", perils: [], breakdown: [] }
  return encode(toPolicy({ ...view, quoted: { quote, proratedQuote, selectedTier } }))
}

const whenAt = World.at("2027-08-01T00:00:00Z")
const signed: PolicyState = {
  ...draft,
  stage: "SIGNED",
  contract: "STARTED",
  signedAt: World.at("2026-03-12T09:00:00Z")
}
const stopped: PolicyState = {
  ...signed,
  contract: "STOPPED",
  stop: { reason: "SALE", createdAt: whenAt },
  endedAt: whenAt,
  stoppedAt: whenAt
}

const texts = [
  text(draft, { branchType: "NEW_BUSINESS", whenAt }),
  text({ ...draft, stage: "QUOTED" }, { branchType: "NEW_BUSINESS", whenAt }),
  text(signed, { branchType: "BASE", whenAt }),
  text(stopped, { branchType: "BASE", whenAt })
]

/**
 * When this fails, a policy is answered otherwise than by the release before: raise the number that
 * `format` in `PolicyAnswers.ts` begins with, so that no text of that release is sent, then put both
 * here.
 */
it("tells by its format how policies are answered", () => {
  assert.deepStrictEqual(
    [format.split("/")[0], sha256(texts.join("\n"))],
    ["1", "1ac02a6369cec2bf984d75bd910139457ad1acd2e19ae77920991135f948ce04"]
  )
})
