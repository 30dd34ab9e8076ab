/** Sign-ins with a correct password that need a further step, such as a second factor. */
import { AttemptStage, attemptTries } from "@quittance/domain/tokens/SignInAttempt"
import type { AuthorizationRequest } from "@quittance/domain/tokens/AuthorizationRequest"
import { UserId } from "@quittance/domain/requests/Caller"
import type { Instant } from "@quittance/domain/values/Instant"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Row = Schema.Struct({
  userId: UserId,
  stage: AttemptStage,
  request: Schema.NullOr(Schema.JsonObject),
  methods: Schema.Array(Schema.String),
  authenticatedAt: Schema.NullOr(InstantColumn),
  challenge: Schema.NullOr(Schema.String),
  factorId: Schema.NullOr(Schema.String),
  sealedSecret: Schema.NullOr(Schema.String)
})
const decode = Schema.decodeUnknownEffect(Row)

/** A sign-in that waits. */
export interface SignInAttempt {
  readonly userId: UserId
  readonly stage: AttemptStage
  /** What it is for; `undefined` where a user changes their own factors. */
  readonly request: AuthorizationRequest | undefined
  /** How the person has signed in so far. */
  readonly methods: ReadonlyArray<string>
  /** When another provider signed them in; `null` if it doesn't say, or there was none. */
  readonly authenticatedAt: Instant | null
  /** What a passkey has to sign; each is asked for once. */
  readonly challenge: string | null
  /** The authenticator app that is offered for enrolment, its secret sealed. */
  readonly factorId: string | null
  readonly sealedSecret: string | null
}

export class SignInAttemptsRepo extends Context.Service<
  SignInAttemptsRepo,
  {
    open(
      secretHash: Uint8Array,
      attempt: SignInAttempt,
      lifetimeSeconds: number
    ): Effect.Effect<void, never, CurrentTenant>
    /** One that may go on; with `lock` it stays so until the transaction ends. */
    find(
      secretHash: Uint8Array,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<SignInAttempt | undefined, never, CurrentTenant>
    /** Stores how far it has come. */
    update(
      secretHash: Uint8Array,
      attempt: SignInAttempt
    ): Effect.Effect<void, never, CurrentTenant>
    /** Counts a wrong answer. */
    fail(secretHash: Uint8Array): Effect.Effect<void, never, CurrentTenant>
    /** Uses it up. */
    use(secretHash: Uint8Array): Effect.Effect<void, never, CurrentTenant>
    /** Uses up all of a user. */
    voidOfUser(userId: UserId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/SignInAttemptsRepo") {
  static readonly layer = Layer.effect(
    SignInAttemptsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const open = Effect.fn("SignInAttemptsRepo.open")(function* (
        secretHash: Uint8Array,
        attempt: SignInAttempt,
        lifetimeSeconds: number
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM sign_in_attempt WHERE tenant_id = ${tenantId}
            AND expires_at < clock_timestamp() - interval '1 day'
        `)
        const request = attempt.request === undefined ? null : PgTypes.jsonb(attempt.request)
        const { authenticatedAt } = attempt
        yield* tenantSql.write(sql`
          INSERT INTO sign_in_attempt (tenant_id, secret_hash, user_id, stage, request, methods,
            authenticated_at, expires_at)
          VALUES (${tenantId}, ${secretHash}, ${attempt.userId}, ${attempt.stage}, ${request},
            ${[...attempt.methods]}::text[],
            ${authenticatedAt === null ? null : toDate(authenticatedAt)}::timestamptz,
            clock_timestamp() + ${lifetimeSeconds}::int * interval '1 second')
        `)
      }, Effect.orDie)

      const find = Effect.fn("SignInAttemptsRepo.find")(function* (
        secretHash: Uint8Array,
        { lock = false }: { readonly lock?: boolean } = {}
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT user_id, stage, request, methods, authenticated_at, challenge, factor_id, sealed_secret
          FROM sign_in_attempt
          WHERE tenant_id = ${tenantId} AND secret_hash = ${secretHash} AND used_at IS NULL
            AND expires_at > clock_timestamp() AND tries < ${attemptTries}
          ${lock ? sql`FOR UPDATE` : sql``}
        `)
        if (row === undefined) return undefined
        const { request, ...rest } = yield* decode(row)
        const attempt: SignInAttempt = {
          ...rest,
          // Stored by `open` alone, which was given one; JSON leaves out a state that is undefined.
          request:
            request === null
              ? undefined
              : ({ state: undefined, ...request } as AuthorizationRequest)
        }
        return attempt
      }, Effect.orDie)

      const update = Effect.fn("SignInAttemptsRepo.update")(function* (
        secretHash: Uint8Array,
        { challenge, factorId, methods, sealedSecret, stage }: SignInAttempt
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE sign_in_attempt SET stage = ${stage}, methods = ${[...methods]}::text[],
            challenge = ${challenge}, factor_id = ${factorId}, sealed_secret = ${sealedSecret}
          WHERE tenant_id = ${tenantId} AND secret_hash = ${secretHash}
        `)
      }, Effect.orDie)

      const fail = Effect.fn("SignInAttemptsRepo.fail")(function* (secretHash: Uint8Array) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE sign_in_attempt SET tries = tries + 1
          WHERE tenant_id = ${tenantId} AND secret_hash = ${secretHash}
        `)
      }, Effect.orDie)

      const use = Effect.fn("SignInAttemptsRepo.use")(function* (secretHash: Uint8Array) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE sign_in_attempt SET used_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND secret_hash = ${secretHash}
        `)
      }, Effect.orDie)

      const voidOfUser = Effect.fn("SignInAttemptsRepo.voidOfUser")(function* (userId: UserId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE sign_in_attempt SET used_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND used_at IS NULL
        `)
      }, Effect.orDie)

      return SignInAttemptsRepo.of({ open, find, update, fail, use, voidOfUser })
    })
  )
}
