/** What people do for a signer against what the signer does: each order gives a state that its steps prove. */
import { assert, layer } from "@effect/vitest"
import type { SignatureTerms } from "@quittance/domain/products/sale/SignatureTerms"
import type { Caller } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Signature } from "@quittance/domain/signatures/Signature"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer, Redacted } from "effect"
import { Ceremonies } from "../../src/ceremonies/Ceremonies.ts"
import { CeremonySigning } from "../../src/ceremonies/CeremonySigning.ts"
import { SignatureRequests } from "../../src/ceremonies/SignatureRequests.ts"
import { SignerCare } from "../../src/ceremonies/SignerCare.ts"
import { SignerCodes } from "../../src/ceremonies/SignerCodes.ts"
import { Signatures } from "../../src/signatures/Signatures.ts"
import * as Post from "../Post.ts"
import * as World from "../World.ts"
import * as Ceremony from "./CeremonyWorld.ts"

const rounds = 200
/** A policy serves so many rounds; another signature is requested for each. */
const roundsPerPolicy = 25

const TestLayer = Layer.mergeAll(SignerCare.layer, SignerCodes.layer).pipe(
  Layer.provide(Post.issuers),
  Layer.provideMerge(Ceremony.layer)
)

type Made = Effect.Success<ReturnType<typeof Ceremony.make>>

/** An open signature of one round. */
interface Round {
  readonly signature: Signature
  readonly made: Made
  /** Whether the signer starts before the others. */
  readonly isSignerFirst: boolean
}

type Terms = Partial<SignatureTerms>

const addressed = "camille@example.org"
const countersigner = { role: "BROKER", order: 2 } as const

const pathOf = ({ signature }: Round) => ({
  signatureId: signature.id,
  signerId: signature.signers[0]!.id!
})

const as = ({ made }: Round, caller: Caller = made.visitor) => World.as(made.world, caller)

const signedBy = (round: Round, caller?: Caller) =>
  Effect.gen(function* () {
    const by = as(round, caller)
    const shown = yield* by(Ceremonies.use(({ open }) => open(pathOf(round))))
    const input = { name: "Camille Martin", consents: Ceremony.textsOf(shown) }
    return yield* by(CeremonySigning.use(({ sign }) => sign(pathOf(round), input)))
  })

const staff = (round: Round) => as(round, round.made.world.manager)

/** Runs two at once; answers which of them has succeeded, that of the people first. */
const raced = Effect.fnUntraced(function* <R, S>(
  { isSignerFirst }: Round,
  people: Effect.Effect<unknown, unknown, R>,
  signer: Effect.Effect<unknown, unknown, S>
) {
  const both = [Effect.isSuccess(people), Effect.isSuccess(signer)]
  const wins = yield* Effect.all(isSignerFirst ? both.toReversed() : both, {
    concurrency: "unbounded"
  })
  return isSignerFirst ? wins.toReversed() : wins
})

const stateOf = Effect.fnUntraced(function* ({ made: { run }, signature: { id } }: Round) {
  const signature = yield* run(Signatures.use(({ get }) => get(id)))
  const { status, steps } = yield* run(Signatures.use((all) => all.steps(id)))
  assert.strictEqual(status, "INTACT")
  const kinds = steps.map(({ kind }) => kind)
  return { signature, signer: signature.signers[0]!, steps, kinds }
})

const cancel = ({ made, signature: { id } }: Round) =>
  made.run(SignatureRequests.use((requests) => requests.cancel(id, { reason: "x" })))

/** Who signs has seen the address to which they were corrected, or there was no correction. */
const correction = {
  terms: { otp: "NONE", delivery: "EMBEDDED", countersigner } satisfies Terms,
  play: Effect.fnUntraced(function* (round: Round) {
    const [corrected, signed] = yield* raced(
      round,
      staff(round)(SignerCare.use((care) => care.correct(pathOf(round), { email: addressed }))),
      signedBy(round)
    )
    const { kinds, signer, steps } = yield* stateOf(round)
    assert.isTrue(signed)
    assert.strictEqual(signer.email === addressed, corrected)
    const told = steps.find(({ kind }) => kind === "SIGNED")
    assert.strictEqual(told?.signer?.email, signer.email)
    const at = kinds.indexOf("CORRECTED")
    assert.strictEqual(at !== -1, corrected)
    assert.isBelow(at, kinds.indexOf("OPENED"))
    yield* cancel(round)
    return corrected!
  })
}

/** Of a withdrawn signature no letter is asked for. */
const reminder = {
  terms: { otp: "NONE", countersigner } satisfies Terms,
  play: Effect.fnUntraced(function* (round: Round) {
    const { signerId } = pathOf(round)
    yield* SuperuserSql.use(
      (sql) => sql`
        UPDATE signature_signer SET notified_at = notified_at - interval '2 hours' WHERE id = ${signerId}
      `
    )
    const [reminded, cancelled] = yield* raced(
      round,
      staff(round)(SignerCare.use((care) => care.remind(round.signature.id, {}))),
      cancel(round)
    )
    const { signature, signer } = yield* stateOf(round)
    assert.isTrue(cancelled)
    assert.strictEqual(signature.status, "CANCELLED")
    assert.lengthOf(signer.remindedAt ?? [], reminded ? 1 : 0)
    return reminded!
  })
}

/** Either the link before signs, or it ends. */
const link = {
  terms: { delivery: "LINK", countersigner } satisfies Terms,
  play: Effect.fnUntraced(function* (round: Round) {
    const { signerId } = pathOf(round)
    const handOut = staff(round)(SignerCare.use((care) => care.link(pathOf(round))))
    yield* handOut
    const holder: Caller = { _tag: "Signer", signerId, linkNumber: 1 }
    const by = as(round, holder)
    yield* by(Ceremonies.use(({ open }) => open(pathOf(round))))
    yield* by(Ceremonies.use(({ sendCode }) => sendCode(pathOf(round))))
    const code = yield* SignerCodes.use((codes) =>
      codes.code({ signature: round.signature, signerId, number: 1 })
    ).pipe(Effect.provideService(CurrentTenant, round.made.world.tenant))
    yield* by(Ceremonies.use(({ prove }) => prove(pathOf(round), { code: Redacted.value(code) })))
    const [linked, signed] = yield* raced(round, handOut, signedBy(round, holder))
    const { kinds, signer } = yield* stateOf(round)
    assert.strictEqual(linked, !signed)
    assert.strictEqual(signer.status, signed ? "SIGNED" : "PROVEN")
    assert.lengthOf(
      kinds.filter((kind) => kind === "LINKED"),
      linked ? 2 : 1
    )
    yield* cancel(round)
    return linked!
  })
}

/** Plays a round; whether the people have won. */
const play = (game: number, round: Round) =>
  game === 0 ? correction.play(round) : game === 1 ? reminder.play(round) : link.play(round)

const games = [correction, reminder, link]

/** Plays rounds of one game on one policy. Answers how often the people have won. */
const playOn = Effect.fnUntraced(function* (first: number) {
  const game = first % games.length
  const made = yield* Ceremony.make(games[game]!.terms)
  const { policyId } = made.sold
  let { signature } = made
  let won = 0
  for (let own = 0; own < roundsPerPolicy; own++) {
    if (own > 0) {
      signature = yield* made.run(
        SignatureRequests.use((requests) => requests.request({ policyId }, {}))
      )
    }
    // Each order of starting is tried in turn.
    if (yield* play(game, { signature, made, isSignerFirst: own % 2 === 0 })) won++
  }
  return won
})

layer(TestLayer, { excludeTestServices: true })("what people do for a signer", (it) => {
  it.effect("comes before what the signer does, or after it, and never in between", () =>
    Effect.gen(function* () {
      const policies = Array.from({ length: rounds / roundsPerPolicy }, (_, n) => n)
      const won = yield* Effect.forEach(policies, playOn, { concurrency: 4 })
      const sum = won.reduce((total, one) => total + one, 0)
      // Both sides of the races were seen.
      assert.isAbove(sum, 0)
      assert.isBelow(sum, rounds)
    }).pipe(Post.quietly)
  )
})
