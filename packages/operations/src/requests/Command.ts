/** The one way in which anything is written: a transaction, authorized, repeatable, and on record. */
import { CurrentCaller, subject } from "@quittance/domain/requests/Caller"
import { DomainError } from "@quittance/domain/DomainError"
import {
  Conflict,
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import { hasLostRace } from "@quittance/persistence/sql/DatabaseFailure"
import { IdempotencyRepo, type Outcome } from "@quittance/persistence/requests/IdempotencyRepo"
import { pipelineBoth } from "@quittance/persistence/sql/Pipelining"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Data, Effect, Exit, Layer, Schema } from "effect"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** What a command answers: a value in its wire form, or a failure that the domain names. */
interface Steps<Target, A, E, R, E2, R2> {
  /** Checks who asks and fetches, locked, what the command is about. */
  readonly authorize: Effect.Effect<Target, E, R>
  /** Decides and writes; the value is what the wire shows. */
  readonly decide: (target: Target) => Effect.Effect<A, E2, R2>
}

type Requirements = CurrentTenant | CurrentCaller | CurrentRequest

export class Command extends Context.Service<
  Command,
  {
    /**
     * Runs a command. With an idempotency key the first answer is stored in the command's own
     * transaction and given again to a repetition by the same caller, whatever they may do by then:
     * they have had it. A dry run rolls everything back.
     */
    run<Target, A, E, R, E2, R2>(
      steps: Steps<Target, A, E, R, E2, R2>
    ): Effect.Effect<A, E | E2 | IdempotencyKeyInUse | IdempotencyKeyReused, R | R2 | Requirements>
  }
>()("@quittance/operations/Command") {
  static readonly layer = Layer.effect(
    Command,
    Effect.gen(function* () {
      const tenantSql = yield* TenantSql
      const idempotency = yield* IdempotencyRepo

      const once = Effect.fnUntraced(function* <Target, A, E, R, E2, R2>(
        { authorize, decide }: Steps<Target, A, E, R, E2, R2>,
        request: CurrentRequest["Service"],
        { fingerprint, key }: { readonly key: string; readonly fingerprint: string }
      ) {
        const callerId = subject(yield* CurrentCaller)
        // The answer is looked for behind the lock, so that one which was just given is found.
        const [isLocked, stored] = yield* pipelineBoth(
          idempotency.lock(callerId, key),
          idempotency.find(callerId, key)
        )
        if (!isLocked) return yield* new IdempotencyKeyInUse({})
        if (stored !== undefined) {
          if (stored.fingerprint !== fingerprint) return yield* new IdempotencyKeyReused({})
          const { outcome } = stored
          request.answer.replayed = true
          if ("etag" in outcome) request.answer.etag = outcome.etag
          return replay<A, E2>(outcome)
        }
        const target = yield* authorize
        const outcome = yield* tenantSql.savepoint(decide(target)).pipe(
          // What a command answers is in its wire form, which is JSON.
          Effect.map((value): Outcome => {
            const { etag } = request.answer
            return {
              ...(value === undefined ? {} : { value: value as Schema.Json }),
              ...(etag === undefined ? {} : { etag })
            }
          }),
          // What the domain does not name is no answer to keep: it rolls everything back.
          Effect.catchIf(isDomainError, (error) =>
            Effect.succeed<Outcome>({ error: encodeError(error) as Schema.Json })
          )
        )
        yield* idempotency.store({ callerId, key, fingerprint, outcome })
        return replay<A, E2>(outcome)
      })

      const run = Effect.fn("Command.run")(function* <Target, A, E, R, E2, R2>(
        steps: Steps<Target, A, E, R, E2, R2>
      ) {
        const request = yield* CurrentRequest
        const direct = Effect.flatMap(steps.authorize, steps.decide)
        if (request.dryRun) return yield* repeated(dryRun(tenantSql, direct))
        if (request.idempotency === undefined) {
          return yield* repeated(tenantSql.transaction(direct))
        }
        const keyed = once(steps, request, request.idempotency)
        const exit = yield* repeated(tenantSql.transaction(keyed))
        return yield* exit
      })

      return Command.of({ run })
    })
  ).pipe(Layer.provide(IdempotencyRepo.layer))
}

/** How often a transaction is begun that PostgreSQL ends for the sake of others. */
const attempts = 5

/**
 * Runs a transaction again from its start where it has lost to another one, in a deadlock or for what it
 * had read: nothing of it was kept. One that loses every time dies of a `Conflict`.
 */
const repeated = <A, E, R>(
  transaction: Effect.Effect<A, E, R>,
  left: number = attempts - 1
): Effect.Effect<A, E, R> =>
  Effect.catchDefect(transaction, (defect) => {
    if (!hasLostRace(defect)) return Effect.die(defect)
    if (left === 0) return Effect.die(new Conflict({}))
    return Effect.andThen(
      Effect.logWarning("A transaction has lost to another one and is run again", defect),
      repeated(transaction, left - 1)
    )
  })

/** Carries an answer out of a transaction that must not commit. */
class RolledBack<A> extends Data.TaggedError("RolledBack")<{ readonly answer: A }> {}

const dryRun = <A, E, R>(tenantSql: TenantSql["Service"], work: Effect.Effect<A, E, R>) =>
  tenantSql.transaction(Effect.flatMap(work, (answer) => new RolledBack({ answer }))).pipe(
    Effect.catchIf(
      (error) => error instanceof RolledBack,
      // The only one raised in there is the one above, with its answer.
      (error) => Effect.succeed((error as RolledBack<A>).answer)
    )
  )

const encodeError = Schema.encodeSync(DomainError)
const decodeError = Schema.decodeUnknownSync(DomainError)
const isDomainError = Schema.is(DomainError)

/** The stored answer as the command would have given it; the types are those it was stored with. */
const replay = <A, E>(outcome: Outcome): Exit.Exit<A, E> =>
  "error" in outcome ? Exit.fail(decodeError(outcome.error) as E) : Exit.succeed(outcome.value as A)
