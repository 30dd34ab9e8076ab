/** What a requested signature is about: documents by their bytes, a branch as it was, until when. */
import { Result } from "effect"
import type { PolicyAggregate } from "../policies/aggregate/PolicyAggregate.ts"
import type { Product } from "../products/Product.ts"
import type { BranchType } from "../products/ProductTerms.ts"
import type { SignatureTerms } from "../products/sale/SignatureTerms.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Duration } from "../values/Duration.ts"
import type { BranchId } from "../values/Ids.ts"
import { type Instant, min } from "../values/Instant.ts"
import { plus } from "../values/TimeZone.ts"
import type { SignedDocument } from "./EvidenceStep.ts"
import type { Signature } from "./Signature.ts"
import { SignedDocumentsPending } from "./SignatureErrors.ts"

/** A document of the branch, without its bytes as long as it is not made. */
interface MadeDocument {
  readonly documentId: string
  readonly definitionId: string
  readonly sha256: string | null
  readonly size: number | null
  readonly pages: number | null
}

/** Which documents of a branch are signed, and their bytes. */
export const signedDocuments = (
  { documents = [] }: Pick<Product, "documents">,
  branchType: BranchType
) => {
  const definitions = documents.filter(
    ({ branches, sign }) => sign === true && (branches?.includes(branchType) ?? true)
  )
  /** Fails with those that are not made yet; one with a condition may be missing for good. */
  const frozen = (
    found: ReadonlyArray<MadeDocument>
  ): Result.Result<ReadonlyArray<SignedDocument>, SignedDocumentsPending> => {
    const frozenOnes = found.flatMap(({ documentId, pages, sha256, size }) =>
      sha256 === null || size === null || pages === null
        ? []
        : [{ documentId, sha256, size, pages }]
    )
    const pending = definitions.filter(({ id, when }) => {
      const own = found.filter(({ definitionId }) => definitionId === id)
      return own.some(({ sha256 }) => sha256 === null) || (own.length === 0 && when === undefined)
    })
    return pending.length > 0
      ? Result.fail(new SignedDocumentsPending({ definitionIds: pending.map(({ id }) => id) }))
      : Result.succeed(frozenOnes)
  }
  return { definitions, frozen }
}

/** When a signature ends: as it is asked for, and at the latest when the product or a quote ends it. */
export const expiryOf = ({
  asked,
  ends,
  now,
  product: { timeZone },
  terms: { expiresAfter }
}: {
  readonly terms: Pick<SignatureTerms, "expiresAfter">
  readonly asked: Duration | undefined
  /** When the quotes of the branch end. */
  readonly ends: ReadonlyArray<Instant>
  readonly now: Instant
  readonly product: Pick<Product, "timeZone">
}): Instant => {
  const latest = [plus(now, expiresAfter, 1, timeZone), ...ends].reduce(min)
  return asked === undefined ? latest : min(latest, plus(now, asked, 1, timeZone))
}

/** What a code proves that it was sent for: what is signed, and nothing else. */
export const boundText = ({
  branchId,
  documents = [],
  quoteId,
  stateDigest
}: Pick<Signature, "branchId" | "documents" | "quoteId" | "stateDigest">): string =>
  canonicalJson({
    branchId,
    quoteId,
    stateDigest,
    documents: documents.map(({ documentId, sha256 }) => ({ documentId, sha256 }))
  })

type Branches = Pick<PolicyAggregate, "branches">

/** The branches that are not as they were: signers of one would sign something else. */
export const outdatedBranches = (before: Branches, after: Branches): ReadonlySet<BranchId> => {
  const unchanged = (id: BranchId) => {
    const [one, other] = [before, after].map(({ branches }) =>
      branches.find((branch) => branch.id === id)
    )
    return one?.seq === other?.seq && one?.status === other?.status
  }
  return new Set(before.branches.flatMap(({ id }) => (unchanged(id) ? [] : [id])))
}
