/** The links and the letters of signers: each in their turn, with a link that ends, and once more where they wait. */
import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { signerTokenParts } from "@quittance/domain/signatures/SignerLink"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { SignatureRequests } from "../../src/ceremonies/SignatureRequests.ts"
import { SignerLetters } from "../../src/ceremonies/SignerLetters.ts"
import { SignerLinks } from "../../src/ceremonies/SignerLinks.ts"
import * as Post from "../Post.ts"
import * as Sold from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Ceremony from "./CeremonyWorld.ts"
import { tagOf } from "./RequestedWorld.ts"

const TestLayer = Layer.provideMerge(SignerLinks.layer, Ceremony.layer)

/** Where a token leads. */
const follow = (world: World.World, token: string) => {
  const { secret, signerId } = signerTokenParts(token)!
  return SignerLinks.use((links) => links.follow(signerId, secret)).pipe(Post.inTenant(world))
}
/** Who has the first link of a signer. */
const holderOf = (token: string): Caller => ({
  _tag: "Signer",
  signerId: signerTokenParts(token)!.signerId,
  linkNumber: 1
})

/** Sends what is due; the letters that have left since, each by its address and its subject. */
const letters = Effect.gen(function* () {
  const before = Post.sent.length
  while (yield* SignerLetters.use(({ round }) => round));
  return Post.sent.slice(before)
})
const tokenIn = (text: string) => /https:\/\/api\.test\/sign\/(\S+)/u.exec(text)![1]!
const about = (tenant: string) => `${tenant} vous demande une signature`

layer(TestLayer, { excludeTestServices: true })("the link of a signer", (it) => {
  it.effect("comes by a letter, and leads to its signer alone", () =>
    Effect.gen(function* () {
      const { get, signature, steps, world } = yield* Ceremony.make()
      const [letter, ...others] = yield* letters
      assert.deepStrictEqual(others, [])
      assert.strictEqual(letter!.to, "camille@example.test")
      assert.strictEqual(letter!.subject, about("Test"))
      assert.deepStrictEqual(
        (yield* steps).steps.map(({ kind }) => kind),
        ["REQUESTED", "NOTIFIED"]
      )
      assert.strictEqual((yield* steps).status, "INTACT")
      const token = tokenIn(letter!.text)
      assert.deepStrictEqual(yield* follow(world, token), {
        signatureId: signature.id,
        signerId: signature.signers[0]!.id!,
        linkNumber: 1
      })
      assert.strictEqual((yield* get).signers[0]!.status, "NOTIFIED")
      // Of its secret only the hash is there.
      const sql = yield* SuperuserSql
      const [kept] = yield* sql<{ readonly text: string }>`
        SELECT string_agg(s::text, ' ') AS text FROM signature_signer s
      `
      assert.notInclude(kept!.text, token.split(".").at(-1)!)
      assert.isUndefined(yield* follow(world, `${token}A`))
      const other = yield* Ceremony.make()
      assert.isUndefined(yield* follow(other.world, token))
      // The next test finds no letter of this one.
      yield* letters
    }).pipe(Post.quietly)
  )

  it.effect("signs by the commands of the interface, for its signer alone", () =>
    Effect.gen(function* () {
      const { as, get } = yield* Ceremony.make({ countersigner: { role: "BROKER", order: 2 } })
      const [letter] = yield* letters
      const holder = holderOf(tokenIn(letter!.text))
      const own = as(holder)
      const shown = yield* own.open
      yield* own.sendCode
      yield* own.prove(yield* Ceremony.code)
      const { signers } = yield* get
      assert.strictEqual(yield* tagOf(as(holder, signers[1]!.id!).open), "Forbidden")
      yield* own.sign(Ceremony.textsOf(shown))
      assert.deepStrictEqual(
        (yield* get).signers.map(({ status }) => status),
        ["SIGNED", "NOTIFIED"]
      )
      // Who signs for those who sell is told by their program.
      assert.deepStrictEqual(yield* letters, [])
    }).pipe(Post.quietly)
  )

  it.effect("is made for the next in order when all before have signed", () =>
    Effect.gen(function* () {
      const { customer, signature } = yield* Ceremony.make()
      const sql = yield* SuperuserSql
      const { next } = yield* Ids
      yield* letters
      // As if the policy had had a second signer from the start.
      yield* sql`
        INSERT INTO signature_signer (tenant_id, id, signature_id, policy_id, position, customer_id,
          role, first_name, last_name, email, sign_order, delivery, otp, status)
        SELECT tenant_id, ${next("signer")}, signature_id, policy_id, 2, customer_id, role, 'Zoé', 'Martin',
          'zoe@example.test', 2, delivery, otp, 'WAITING'
        FROM signature_signer WHERE id = ${signature.signers[0]!.id!}
      `
      const shown = yield* customer.open
      yield* customer.sendCode
      yield* customer.prove(yield* Ceremony.code)
      yield* customer.sign(Ceremony.textsOf(shown))
      const [second] = yield* letters
      assert.strictEqual(second!.to, "zoe@example.test")
    }).pipe(Post.quietly)
  )

  it.effect("is sent again on the days that the product says, until they have signed", () =>
    Effect.gen(function* () {
      const { customer, get, steps, world } = yield* Ceremony.make({ remindAfterDays: [5, 3, 90] })
      const [first] = yield* letters
      yield* Sold.moveTo(world, "2026-03-13T08:59:59Z")
      assert.deepStrictEqual(yield* letters, [])
      yield* Sold.moveTo(world, "2026-03-13T09:00:00Z")
      const [reminder] = yield* letters
      assert.strictEqual(reminder!.subject, `Rappel\u00a0: ${about("Test")}`)
      assert.strictEqual(tokenIn(reminder!.text), tokenIn(first!.text))
      assert.notStrictEqual(reminder!.id, first!.id)
      assert.deepStrictEqual((yield* get).signers[0]!.remindedAt, [
        World.at("2026-03-13T09:00:00Z")
      ])
      assert.deepStrictEqual(
        (yield* steps).steps.map(({ kind }) => kind),
        ["REQUESTED", "NOTIFIED", "REMINDED"]
      )
      const shown = yield* customer.open
      yield* customer.sendCode
      yield* customer.prove(yield* Ceremony.code)
      yield* customer.sign(Ceremony.textsOf(shown))
      yield* Sold.moveTo(world, "2026-03-20T09:00:00Z")
      assert.deepStrictEqual(yield* letters, [])
    }).pipe(Post.quietly)
  )

  it.effect(
    "is the last one: another takes its place, and nothing is written of who has ended",
    () =>
      Effect.gen(function* () {
        const { run, signature, world } = yield* Ceremony.make()
        const [letter] = yield* letters
        const id = signature.signers[0]!.id!
        const { transaction } = yield* TenantSql
        const write = (one: Effect.Effect<void, never, CurrentTenant | SignerLinks>) =>
          run(transaction(one))
        yield* write(SignerLinks.use((links) => Effect.asVoid(links.make(id))))
        assert.isUndefined(yield* follow(world, tokenIn(letter!.text)))
        yield* write(SignerLinks.use((links) => links.send(id, "REMINDED")))
        const [next] = yield* letters
        assert.isDefined(yield* follow(world, tokenIn(next!.text)))
        yield* write(SignerLinks.use((links) => links.send(id, "REMINDED")))
        yield* run(
          SignatureRequests.use((requests) => requests.cancel(signature.id, { reason: "x" }))
        )
        assert.deepStrictEqual(yield* letters, [])
      }).pipe(Post.quietly)
  )
})
