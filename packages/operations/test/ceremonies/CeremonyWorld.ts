/** A visitor's confirmed policy with a signature that is open, and what its signers do. */
import type { SignatureTerms } from "@quittance/domain/products/sale/SignatureTerms"
import type { Caller } from "@quittance/domain/requests/Caller"
import type { Ceremony } from "@quittance/domain/signatures/Ceremony"
import type { SignerId } from "@quittance/domain/values/Ids"
import { Effect, Layer } from "effect"
import { Ceremonies } from "../../src/ceremonies/Ceremonies.ts"
import { CeremonySigning } from "../../src/ceremonies/CeremonySigning.ts"
import { SignatureRequests } from "../../src/ceremonies/SignatureRequests.ts"
import { SignerLetters } from "../../src/ceremonies/SignerLetters.ts"
import { Signatures } from "../../src/signatures/Signatures.ts"
import * as Post from "../Post.ts"
import * as Sold from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Requested from "./RequestedWorld.ts"

export const layer = Layer.mergeAll(
  Ceremonies.layer,
  CeremonySigning.layer,
  SignerLetters.layer
).pipe(
  Layer.provide(Post.transport),
  Layer.provide(Post.issuers),
  Layer.provideMerge(Requested.layer)
)

export const textsOf = ({ texts }: Ceremony) =>
  texts.map(({ textHash, textId }) => ({ textId, textHash, accepted: true as const }))

export const make = Effect.fnUntraced(function* (more: Partial<SignatureTerms> = {}) {
  const product = Requested.productOf(more)
  const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [product])
  const visitor = yield* World.visitor(world)
  const sold = yield* Sold.confirmed(world, {
    caller: visitor,
    product,
    customer: Requested.customer
  })
  const run = World.as(world, world.manager)
  const signature = yield* run(
    SignatureRequests.use((requests) => requests.request({ policyId: sold.policyId }, {}))
  )
  const get = run(Signatures.use((signatures) => signatures.get(signature.id)))
  const steps = run(Signatures.use((signatures) => signatures.steps(signature.id)))
  /** What a caller does as one of the signers; the first, unless it is said. */
  const as = (caller: Caller, signerId: SignerId = signature.signers[0]!.id!) => {
    const path = { signatureId: signature.id, signerId }
    const by = World.as(world, caller)
    return {
      open: by(Ceremonies.use((ceremonies) => ceremonies.open(path))),
      sendCode: by(Ceremonies.use((ceremonies) => ceremonies.sendCode(path))),
      prove: (code: string) => by(Ceremonies.use((ceremonies) => ceremonies.prove(path, { code }))),
      decline: by(Ceremonies.use((ceremonies) => ceremonies.decline(path, { reason: "Too dear" }))),
      sign: (consents: ReturnType<typeof textsOf>, name = "camille  MARTIN") =>
        by(CeremonySigning.use((signing) => signing.sign(path, { name, consents })))
    }
  }
  return { world, visitor, sold, run, signature, get, steps, as, customer: as(visitor) }
})

const sixDigits = /\b\d{6}\b/u

/** The code that was sent last. */
export const code = Effect.gen(function* () {
  while (yield* SignerLetters.use(({ round }) => round));
  return sixDigits.exec(Post.sent.findLast(({ text }) => sixDigits.test(text))!.text)![0]
})

/** Another code of six digits. */
export const wrong = (right: string): string =>
  String((Number(right) + 1) % 1_000_000).padStart(6, "0")
