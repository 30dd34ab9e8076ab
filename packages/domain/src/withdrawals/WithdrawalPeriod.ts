/** Whether a contract has a right of withdrawal, and until when: by its product, its sale, and who holds it. */
import type { GivenDocument } from "../compliance/DocumentGates.ts"
import type { CustomerType } from "../customers/Customer.ts"
import type { Product } from "../products/Product.ts"
import { isWithdrawable, type SalesChannel, withdrawalEnd } from "../products/sale/Withdrawal.ts"
import { termsKinds } from "../products/sale/WithdrawalFaults.ts"
import type { CustomerId } from "../values/Ids.ts"
import { type Instant, max } from "../values/Instant.ts"
import type { WithdrawalRight } from "./Withdrawal.ts"

export interface WithdrawalFacts {
  readonly product: Pick<Product, "documents" | "timeZone" | "withdrawal">
  readonly now: Instant
  readonly signedAt: Instant | undefined
  readonly salesChannel: SalesChannel | undefined
  readonly holders: ReadonlyArray<{ readonly id: CustomerId; readonly type: CustomerType }>
  /** The documents of the sale, with who was given them. */
  readonly documents: ReadonlyArray<GivenDocument>
}

/** The right as it is now; without `until` it is open, because the terms were not given yet. */
export const rightOf = (facts: WithdrawalFacts): Pick<WithdrawalRight, "status" | "until"> => {
  const { holders, now, product, salesChannel, signedAt } = facts
  const { timeZone, withdrawal } = product
  if (withdrawal === undefined || signedAt === undefined) return { status: "NONE" }
  if (!isWithdrawable(withdrawal, { holders, salesChannel })) return { status: "NONE" }
  const termsAt = withdrawal.from === "CONCLUSION" ? signedAt : termsGivenAt(facts)
  if (termsAt === undefined) return { status: "OPEN" }
  const until = withdrawalEnd(withdrawal, { concludedAt: signedAt, termsAt }, timeZone)
  return { status: now < until ? "OPEN" : "OVER", until }
}

/** When the last policyholder had the last of the terms; absent as long as one of them lacks one. */
const termsGivenAt = ({
  documents,
  holders,
  product
}: Pick<WithdrawalFacts, "documents" | "holders" | "product">): Instant | undefined => {
  const terms = (product.documents ?? []).filter(
    ({ kind, visibility, when }) =>
      termsKinds.has(kind) && visibility === "CUSTOMER" && when === undefined
  )
  const firsts = holders.flatMap(({ id }) =>
    terms.map((definition) =>
      documents
        .filter(
          ({ definitionId, isVoid, recipientId }) =>
            definitionId === definition.id &&
            !isVoid &&
            (recipientId === undefined || recipientId === id)
        )
        .flatMap(({ deliveries }) => deliveries)
        .filter(({ customerId }) => customerId === id)
        .map(({ recordedAt }) => recordedAt)
        .reduce<Instant | undefined>(
          (first, at) => (first === undefined || at < first ? at : first),
          undefined
        )
    )
  )
  if (firsts.length === 0) return undefined
  return firsts.reduce((last, at) =>
    last === undefined || at === undefined ? undefined : max(last, at)
  )
}
