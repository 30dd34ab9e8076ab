/** Who signs, by the product: the policy's people with its roles, in their order, and who signs for the seller. */
import { Result } from "effect"
import type { User } from "../access/User.ts"
import type { SignatureTerms } from "../products/sale/SignatureTerms.ts"
import { InvalidReference } from "../requests/RequestErrors.ts"
import type { CustomerId } from "../values/Ids.ts"
import { SignerIncomplete } from "./SignatureErrors.ts"
import type { NamedSigner } from "./SignatureRequests.ts"
import type { RequestedSigner } from "./Signer.ts"

/** A signer before they have an identifier. */
export type NewSigner = Omit<RequestedSigner, "id" | "status">

export interface SignerFacts {
  readonly terms: SignatureTerms
  /** The policy's customers in the order in which they came. */
  readonly customers: ReadonlyArray<{ readonly id: CustomerId; readonly role: string }>
  readonly records: ReadonlyArray<{
    readonly id: CustomerId
    readonly name: string | null
    readonly email: string | null
  }>
  /** Who signs for those who sell; absent where no one is known who could. */
  readonly countersigner?: Pick<User, "email" | "firstName" | "id" | "lastName"> | undefined
  /** What the request says of them. */
  readonly named: ReadonlyArray<NamedSigner>
}

/** The signers in their order, or the first thing that is not known of one. */
export const signersOf = (
  facts: SignerFacts
): Result.Result<ReadonlyArray<NewSigner>, InvalidReference | SignerIncomplete> => {
  const { countersigner, customers, named, terms } = facts
  const chosen = terms.signers.flatMap(({ order, role, which }) => {
    const having = customers.filter((customer) => customer.role === role)
    return (which === "FIRST" ? having.slice(0, 1) : having).map(({ id }) => ({ id, order, role }))
  })
  const stranger = named.find(
    ({ customerId, userId }) =>
      (customerId !== undefined && chosen.every(({ id }) => id !== customerId)) ||
      (userId !== undefined && userId !== countersigner?.id)
  )
  if (stranger !== undefined) {
    const value = String(stranger.customerId ?? stranger.userId)
    const expected = "who signs by the product"
    return Result.fail(new InvalidReference({ field: "signers", value, expected }))
  }
  const signers: Array<NewSigner> = []
  for (const { id, order, role } of chosen) {
    const found = personOf(facts, id)
    if (Result.isFailure(found)) return Result.fail(found.failure)
    const { delivery, otp } = terms
    signers.push({ customerId: id, ...found.success, role, order, delivery, otp })
  }
  if (chosen.length === 0) return Result.fail(new SignerIncomplete({ missing: ["customer"] }))
  if (terms.countersigner === undefined) return Result.succeed(signers)
  if (countersigner === undefined) {
    return Result.fail(new SignerIncomplete({ missing: ["userId"] }))
  }
  const { email, firstName, id: userId, lastName } = countersigner
  // They sign as users, who have proven themselves when they signed in.
  const own = { ...terms.countersigner, delivery: "EMBEDDED", otp: "NONE" } as const
  return Result.succeed([...signers, { userId, firstName, lastName, email, ...own }])
}

/** The person who signs for a customer: who is named, else the customer by their name and address. */
const personOf = ({ named, records }: SignerFacts, customerId: CustomerId) => {
  const { name, email: ownEmail } = records.find(({ id }) => id === customerId) ?? {}
  const [first = "", ...rest] = (name ?? "").trim().split(/\s+/u)
  const given = named.find((other) => other.customerId === customerId)
  const {
    email = ownEmail ?? "",
    firstName = first,
    lastName = rest.join(" "),
    phone
  } = given ?? {}
  const missing = Object.entries({ email, firstName, lastName }).flatMap(([key, value]) =>
    value === "" ? [key] : []
  )
  return missing.length > 0
    ? Result.fail(new SignerIncomplete({ customerId, missing }))
    : Result.succeed({
        firstName,
        lastName,
        email,
        ...(phone === undefined ? {} : { phone })
      })
}
