/** Another key of the service in the place of the one before, while programs use what is sealed. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { reseal, type ServiceKeys } from "@quittance/auth/Sealed"
import * as Secret from "@quittance/auth/Secret"
import * as Totp from "@quittance/auth/Totp"
import { ClientId, UserId } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  BankAccountId,
  BankTransferId,
  PaymentMethodId,
  WebhookId
} from "@quittance/domain/values/Ids"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import * as PrefixedId from "@quittance/domain/values/PrefixedId"
import { InvitationsRepo } from "@quittance/persistence/access/InvitationsRepo"
import { SecondFactorsRepo } from "@quittance/persistence/authorization-server/SecondFactorsRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { sealedColumns, sealedTables } from "@quittance/persistence/tokens/SealedTextsRepo"
import { SignInAttemptsRepo } from "@quittance/persistence/tokens/SignInAttemptsRepo"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { Deferred, Effect, Exit, Fiber, Layer, Redacted, References } from "effect"
import { Guesses } from "../../src/access/Guesses.ts"
import { IdentityProviders } from "../../src/access/IdentityProviders.ts"
import { OneTimeLinkKey } from "../../src/access/OneTimeLinkKey.ts"
import { OneTimeLinks } from "../../src/access/OneTimeLinks.ts"
import { FactorProofs } from "../../src/authorization-server/FactorProofs.ts"
import { Contents } from "../../src/contents/Contents.ts"
import { AccountSeals } from "../../src/payments/AccountSeals.ts"
import { QuoteProviders } from "../../src/products/QuoteProviders.ts"
import { EncryptionKeyRotation } from "../../src/provisioning/EncryptionKeyRotation.ts"
import { SealKeys } from "../../src/signatures/SealKeys.ts"
import { KeyEncryption } from "../../src/tokens/KeyEncryption.ts"
import { AuthorizationServerKeys } from "../../src/tokens/SigningKeys.ts"
import { TokenIssuer } from "../../src/tokens/TokenIssuer.ts"
import { WebhookSecrets } from "../../src/webhooks/WebhookSecrets.ts"
import * as Authorization from "../Authorization.ts"

const [before, present] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(9)]

/** A program that was given these keys, and has opened nothing yet. */
const program = (...keys: ServiceKeys) =>
  Layer.fresh(
    Layer.mergeAll(
      AccountSeals.layer,
      AuthorizationServerKeys.layer,
      Contents.layer,
      EncryptionKeyRotation.layer,
      FactorProofs.layer,
      Guesses.layer,
      IdentityProviders.layer,
      OneTimeLinks.layer,
      QuoteProviders.layer,
      SealKeys.layer,
      TokenIssuer.layer,
      WebhookSecrets.layer
    ).pipe(Layer.provide(KeyEncryption.layerOf(...keys)))
  )

type Program = Layer.Success<ReturnType<typeof program>>

const by =
  (...keys: ServiceKeys) =>
  <A, E, R>(effect: Effect.Effect<A, E, R | Program>) =>
    Effect.provide(effect, program(...keys))

const rotate = EncryptionKeyRotation.use((rotation) => rotation.rotate)

const issuer = "https://login.example.test"
const providerUrl = "https://rates.example.test/prices"

/** Two people of the tenant. */
const people = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  const rows = yield* sql<{ readonly id: string }>`
    SELECT id FROM app_user WHERE tenant_id = ${yield* CurrentTenant} ORDER BY id LIMIT 2
  `
  return rows.map(({ id }) => UserId.make(id))
})

/** An authenticator app that a user is about to enrol, and the code that it shows. */
const enrolment = Effect.fnUntraced(function* (name: string) {
  const attempts = yield* SignInAttemptsRepo
  const proofs = yield* FactorProofs
  const sql = yield* TenantSql
  const userId = (yield* people)[1]!
  const offer = yield* proofs.offer
  const hash = Secret.hash(name)
  const attempt = {
    userId,
    stage: "ENROL",
    request: undefined,
    methods: ["pwd"],
    authenticatedAt: null,
    challenge: null,
    factorId: null,
    sealedSecret: null
  } as const
  yield* sql.transaction(
    Effect.andThen(
      attempts.open(hash, attempt, 600),
      attempts.update(hash, { ...attempt, ...offer })
    )
  )
  const code = Totp.codeOf(yield* proofs.openOffer(offer), 0)
  const enrol = FactorProofs.use((proofs) =>
    Effect.gen(function* () {
      const waiting = yield* attempts.find(hash, { lock: true })
      const text = { kind: "TOTP", text: code, name } as const
      return yield* proofs.enrol(waiting!, text)
    })
  )
  return sql.transaction(enrol)
})

/** An endpoint of the tenant, with a secret that signs for it. */
const endpoint = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  const id = WebhookId.make(PrefixedId.example("webhook"))
  yield* sql`
    INSERT INTO webhook (tenant_id, id, url, types, ordering, signing, schema, filters, created_at)
    VALUES (${yield* CurrentTenant}, ${id}, 'https://hooks.example.test', '{*}', 'NONE', 'HMAC', 1,
      '[]', now())
  `
  const now = fromEpochMillis(Date.parse("2026-03-01T00:00:00Z"))
  const tenantSql = yield* TenantSql
  yield* tenantSql.transaction(
    WebhookSecrets.use((secrets) => secrets.issue({ id, signing: "HMAC" }, now, 0))
  )
})

/** An account of the tenant at a bank. */
const bankAccount = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  const tenantSql = yield* TenantSql
  const id = BankAccountId.make(PrefixedId.example("bank_account"))
  const iban = Redacted.make("FR7699999000010000000000115")
  const sealed = yield* tenantSql.transaction(AccountSeals.use((seals) => seals.seal(id, iban)))
  yield* sql`
    INSERT INTO bank_account (tenant_id, id, name, sealed_iban, iban_print, settings, created_at)
    VALUES (${yield* CurrentTenant}, ${id}, 'main', ${sealed.sealedIban}, ${sealed.ibanPrint}, '{}',
      now())
  `
})

/** An account of a customer. */
const paymentMethod = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  const tenantSql = yield* TenantSql
  const tenant = yield* CurrentTenant
  const customerId = PrefixedId.example("customer")
  const id = PaymentMethodId.make(PrefixedId.example("payment_method"))
  const iban = Redacted.make("FR7699999000010000000010106")
  const sealed = yield* tenantSql.transaction(AccountSeals.use((seals) => seals.seal(id, iban)))
  yield* sql`
    INSERT INTO customer (tenant_id, id, type, status, payment_mode, created_at, last_modified_at)
    VALUES (${tenant}, ${customerId}, 'INDIVIDUAL', 'CUSTOMER_CREATED', 'DIRECT_DEBIT', now(), now())
  `
  yield* sql`
    INSERT INTO payment_method (tenant_id, id, customer_id, type, status, holder_name, country, last4,
      sealed_iban, iban_print, created_at)
    VALUES (${tenant}, ${id}, ${customerId}, 'BANK_ACCOUNT', 'ACTIVE', 'Camille Martin', 'FR', '0106',
      ${sealed.sealedIban}, ${sealed.ibanPrint}, now())
  `
})

/** A transfer that the simulated bank has received. */
const bankTransfer = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  const tenantSql = yield* TenantSql
  const id = BankTransferId.make(PrefixedId.example("bank_transfer"))
  const iban = Redacted.make("FR7699999000010000000010106")
  const sealed = yield* tenantSql.transaction(AccountSeals.use((seals) => seals.seal(id, iban)))
  yield* sql`
    INSERT INTO simulated_transfer (tenant_id, id, bank_account_id, booked_on, due_at, amount,
      debtor_name, sealed_iban, received_at)
    VALUES (${yield* CurrentTenant}, ${id}, ${PrefixedId.example("bank_account")}, '2026-03-02',
      now(), 4200, 'Camille Martin', ${sealed.sealedIban}, now())
  `
})

/** Something of each kind, sealed by whichever program does this. */
const seedAll = Effect.gen(function* () {
  yield* AuthorizationServerKeys.use((keys) => keys.ensure)
  yield* QuoteProviders.use((providers) => providers.set({ id: "rates", url: providerUrl }))
  yield* IdentityProviders.use((providers) =>
    providers.set({ issuer, clientId: "quittance", secret: Redacted.make("of the provider") })
  )
  yield* Contents.use((contents) => contents.put(Buffer.from("a contract")))
  yield* endpoint
  yield* bankAccount
  yield* paymentMethod
  yield* bankTransfer
  yield* SealKeys.use(({ create }) => create)
  const factors = yield* SecondFactorsRepo
  const sql = yield* TenantSql
  const proofs = yield* FactorProofs
  const userId = (yield* people)[0]!
  // More than a batch.
  for (let index = 0; index < 230; index++) {
    const { factorId, sealedSecret } = yield* proofs.offer
    const factor = { id: factorId, kind: "TOTP", name: `phone ${index}`, sealedSecret } as const
    yield* sql.transaction(factors.insert(userId, { ...factor, lastStep: 0 }))
  }
  return { enrol: yield* enrolment("waits") }
})

type Counts = readonly [before: number, present: number]

/** How many texts of the current tenant each key opens, by table. */
const opened = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  const tenant = yield* CurrentTenant
  const counts: Record<string, Counts> = {}
  for (const table of sealedTables) {
    const { column } = sealedColumns[table]
    const rows = yield* sql<{ readonly text: string }>`
      SELECT ${sql(column)} AS text FROM ${sql(table)}
      WHERE tenant_id = ${tenant} AND ${sql(column)} IS NOT NULL
    `
    const under = (key: Uint8Array) =>
      Effect.map(
        Effect.forEach(rows, ({ text }) => reseal(text, [key])),
        (texts) => texts.filter((text) => text !== undefined).length
      )
    counts[table] = [yield* under(before), yield* under(present)]
  }
  return counts
})

const all = (which: "before" | "present"): Record<string, Counts> =>
  Object.fromEntries(
    Object.entries({
      signing_key: 2,
      quote_provider: 1,
      identity_provider: 1,
      sign_in_attempt: 1,
      webhook_secret: 1,
      content_key: 1,
      content: 1,
      account_key: 1,
      bank_account: 1,
      payment_method: 1,
      simulated_transfer: 1,
      second_factor: 230,
      seal_key: 3
    }).map(([table, count]) => [
      table,
      which === "before" ? ([count, 0] as const) : ([0, count] as const)
    ])
  )

const signed = TokenIssuer.use((tokens) =>
  tokens.client(ClientId.make("acme-integration"), "platform/policies")
)

const TestLayer = Layer.mergeAll(
  InvitationsRepo.layer,
  SecondFactorsRepo.layer,
  SignInAttemptsRepo.layer
).pipe(
  Layer.provideMerge(ProductsRepo.layer),
  Layer.provideMerge(OutgoingCalls.layer),
  Layer.provideMerge(NodeServices.layer),
  Layer.provideMerge(Authorization.TestLayer)
)

const quietly = Effect.provideService(References.MinimumLogLevel, "None")

layer(TestLayer)("EncryptionKeyRotation", (it) => {
  it.effect("knows every column that holds a sealed text", () =>
    Effect.gen(function* () {
      const sql = yield* SuperuserSql
      const rows = yield* sql<{ readonly name: string }>`
        SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public'
          AND (column_name LIKE 'encrypted%' OR column_name LIKE 'sealed%')
          AND column_name <> 'sealed_at'
        ORDER BY 1
      `
      const known = sealedTables.map((table) => `${table}.${sealedColumns[table].column}`)
      assert.deepStrictEqual(
        rows.map(({ name }) => name),
        known.toSorted()
      )
    })
  )

  it.effect("leaves nothing that the key before opens, and repeated does nothing", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const { enrol } = yield* by(before)(seedAll)
        assert.deepStrictEqual(yield* opened, all("before"))
        const rotated = yield* by(present, before)(rotate)
        assert.deepInclude(rotated, { lost: [], unsettled: false })
        assert.isAtLeast(rotated.resealed, 240)
        assert.deepStrictEqual(yield* opened, all("present"))

        const again = yield* by(present)(rotate)
        assert.deepInclude(again, { lost: [], resealed: 0, unsettled: false })
        // The previous key alone signs nothing, calls no provider and enrols nothing.
        const open = IdentityProviders.use((providers) => providers.open)
        const exits = [
          yield* Effect.exit(by(before)(signed)),
          yield* Effect.exit(by(before)(open)),
          yield* Effect.exit(by(before)(enrol))
        ]
        assert.deepStrictEqual(
          exits.map(({ _tag }) => _tag),
          ["Failure", "Failure", "Failure"]
        )
        const provider = yield* by(present)(open)
        assert.strictEqual(Redacted.value(provider!.secret), "of the provider")
        assert.match(yield* by(present)(signed), /^ey/u)
        assert.deepStrictEqual(yield* by(present)(enrol), ["otp", "mfa"])
      })
    ).pipe(quietly)
  )

  it.effect("holds up no program that has both keys, whichever of them it seals under", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        yield* by(before)(seedAll)
        const enrolments = yield* by(before)(
          Effect.forEach(Array.from({ length: 5 }), (_, index) => enrolment(`phone of ${index}`))
        )
        const done = yield* Deferred.make<void>()
        let uses = 0
        const use = Effect.gen(function* () {
          assert.match(yield* signed, /^ey/u)
          const opened = yield* IdentityProviders.use((providers) => providers.open)
          assert.strictEqual(Redacted.value(opened!.secret), "of the provider")
          // What isn't changed stays, also when it is stored at the same time.
          yield* QuoteProviders.use((providers) => providers.set({ id: "rates", tryTimeout: 500 }))
          uses += 1
        })
        const until = (effect: Effect.Effect<void, unknown, never>) =>
          Effect.repeat(effect, { until: () => Deferred.isDone(done) })
        const context = yield* Effect.context<Layer.Success<typeof TestLayer> | CurrentTenant>()
        const inContext = <A, E>(
          effect: Effect.Effect<A, E, Layer.Success<typeof TestLayer> | CurrentTenant>
        ) => Effect.provide(effect, context)
        const users = [
          yield* Effect.forkChild(until(inContext(by(present, before)(use)))),
          yield* Effect.forkChild(until(inContext(by(before, present)(use))))
        ]
        const enrolling = yield* Effect.forkChild(
          inContext(
            by(present, before)(Effect.forEach(enrolments, (enrol) => enrol, { concurrency: 2 }))
          )
        )
        const rotated = yield* by(present, before)(rotate)
        assert.deepStrictEqual(rotated.lost, [])
        assert.deepStrictEqual(
          yield* Fiber.join(enrolling),
          enrolments.map(() => ["otp", "mfa"] as const)
        )
        yield* Deferred.succeed(done, undefined)
        for (const user of users) yield* Fiber.join(user)
        assert.isAtLeast(uses, 2)
        // Those that seal under the key before are met once they no longer do.
        yield* by(present, before)(rotate)
        const counts = Object.values(yield* opened)
        assert.deepStrictEqual(
          counts.map(([old]) => old),
          sealedTables.map(() => 0)
        )
        assert.match(yield* by(present)(signed), /^ey/u)
      })
    ).pipe(quietly)
  )

  it.effect("cut in the middle leaves what both keys open, and is finished by the next", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const superuser = yield* SuperuserSql
        const tenant = yield* CurrentTenant
        yield* by(before)(seedAll)
        // The second batch of authenticator apps fails, whatever came before is committed.
        yield* superuser`CREATE TABLE cut AS SELECT max(id) AS id FROM (
          SELECT id FROM second_factor WHERE tenant_id = ${tenant} ORDER BY id LIMIT 150) first`
        yield* superuser`GRANT SELECT ON cut TO PUBLIC`
        yield* superuser.unsafe(`
          CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.id = (SELECT id FROM cut) THEN RAISE 'the power is gone'; END IF;
            RETURN NEW;
          END $$
        `)
        yield* superuser`CREATE TRIGGER cut BEFORE UPDATE ON second_factor
          FOR EACH ROW EXECUTE FUNCTION cut()`
        assert.isTrue(Exit.isFailure(yield* Effect.exit(by(present, before)(rotate))))
        const { second_factor: factors, ...others } = yield* opened
        assert.deepStrictEqual(factors, [130, 100])
        const { second_factor: _, ...rest } = all("present")
        assert.deepStrictEqual(others, rest)
        for (const keys of [[before, present] as const, [present, before] as const]) {
          assert.match(yield* by(...keys)(signed), /^ey/u)
        }
        yield* superuser`DROP TRIGGER cut ON second_factor`
        yield* superuser`DROP FUNCTION cut`
        yield* superuser`DROP TABLE cut`
        const rotated = yield* by(present, before)(rotate)
        assert.deepInclude(rotated, { lost: [], unsettled: false })
        assert.deepStrictEqual(yield* opened, all("present"))
        const records = yield* superuser<{ readonly recordId: string; readonly texts: number }>`
          SELECT record_id, sum((detail->>'texts')::int)::int AS texts FROM audit
          WHERE tenant_id = ${tenant} AND action = 'encryptionKey.rotate' GROUP BY 1
        `
        assert.deepStrictEqual(
          Object.fromEntries(records.map(({ recordId, texts }) => [recordId, texts])),
          {
            signing_key: 2,
            quote_provider: 1,
            identity_provider: 1,
            sign_in_attempt: 1,
            webhook_secret: 1,
            content_key: 1,
            content: 1,
            account_key: 1,
            bank_account: 1,
            payment_method: 1,
            simulated_transfer: 1,
            second_factor: 230,
            seal_key: 3
          }
        )
      })
    ).pipe(quietly)
  )

  it.effect("says what none of the given keys opens, and changes nothing of it", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        yield* by(before)(seedAll)
        const rotated = yield* by(present)(rotate)
        const tenant = yield* CurrentTenant
        const lost = rotated.lost.filter((text) => text.tenant === tenant)
        assert.lengthOf(lost, 245)
        assert.deepStrictEqual(new Set(lost.map(({ table }) => table)), new Set(sealedTables))
        assert.deepStrictEqual(yield* opened, all("before"))
        yield* by(present, before)(rotate)
        assert.deepStrictEqual(yield* opened, all("present"))
      })
    )
  )

  it.effect("knows browsers by either key while both are given", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const email = `manager@${yield* CurrentTenant}.test`
        const cookie = (device: string) => Guesses.use((guesses) => guesses.cookie(email, device))
        const browser = (device: string) => Guesses.use((guesses) => guesses.browser(email, device))
        const old = yield* by(before)(cookie(""))
        assert.isDefined(yield* by(before)(browser(old)))
        assert.isDefined(yield* by(present, before)(browser(old)))
        assert.isUndefined(yield* by(present)(browser(old)))
        const fresh = yield* by(present, before)(cookie(old))
        assert.isDefined(yield* by(present)(browser(fresh)))
      })
    )
  )

  it.effect("lets links of the key before live until they expire, or that key is gone", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const tenant = yield* CurrentTenant
        const sql = yield* TenantSql
        const links = {
          purpose: "WELCOME",
          email: "ada@example.test",
          userId: (yield* people)[0]!,
          permissions: [],
          invitedBy: "quittance:operator",
          expires: { inSeconds: 3600 }
        } as const
        const make = OneTimeLinks.use((all) => sql.transaction(all.make(links)))
        const { expiresAt, id } = yield* by(before)(make)
        const { id: fresh } = yield* by(present, before)(make)
        const tokenOf = (key: Uint8Array, link: typeof id) =>
          OneTimeLinkKey.use((keys) => Effect.succeed(keys.token(tenant, link))).pipe(
            Effect.provide(
              Layer.fresh(OneTimeLinkKey.layer.pipe(Layer.provide(KeyEncryption.layerOf(key))))
            )
          )
        const lookUp = (link: typeof id, key: Uint8Array) =>
          Effect.flatMap(tokenOf(key, link), (token) =>
            OneTimeLinks.use((all) => Effect.exit(all.lookUp(token)))
          )
        const rotated = yield* by(present, before)(rotate)
        assert.deepStrictEqual(rotated.links, { count: 1, until: expiresAt })
        const opens = Effect.fnUntraced(function* (...keys: ServiceKeys) {
          const exits = [
            yield* by(...keys)(lookUp(id, before)),
            yield* by(...keys)(lookUp(fresh, present))
          ]
          return exits.map(Exit.isSuccess)
        })
        assert.deepStrictEqual(yield* opens(present, before), [true, true])
        assert.deepStrictEqual(yield* opens(before, present), [true, true])
        assert.deepStrictEqual(yield* opens(present), [false, true])
        assert.deepStrictEqual(yield* opens(before), [true, false])
        const superuser = yield* SuperuserSql
        yield* superuser`UPDATE invitation SET expires_at = clock_timestamp() WHERE id = ${id}`
        const over = yield* by(present, before)(rotate)
        assert.deepStrictEqual(over.links, { count: 0, until: undefined })
      })
    )
  )
})
