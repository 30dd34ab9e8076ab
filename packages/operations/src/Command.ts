/** The one way in which anything is written: a transaction, authorized, repeatable, and on record. */
import { CurrentCaller, subject } from "@quittance/domain/Caller"
import { DomainError } from "@quittance/domain/DomainError"
import { IdempotencyKeyInUse, IdempotencyKeyReused } from "@quittance/domain/RequestErrors"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { IdempotencyRepo, type Outcome } from "@quittance/persistence/IdempotencyRepo"
import { TenantSql } from "@quittance/persistence/TenantSql"
import { Context, Data, Effect, Exit, Layer, Option, Schema } from "effect"
import { CurrentRequest } from "./CurrentRequest.ts"

/** What a command answers: a value in its wire form, or a failure that the domain names. */
interface Steps<Target, A, E, R> {
  /** Checks who asks and fetches, locked, what the command is about. */
  readonly authorize: Effect.Effect<Target, E, R>
  /** Decides and writes; the value is what the wire shows. */
  readonly decide: (target: Target) => Effect.Effect<A, E, R>
}

type Requirements = CurrentTenant | CurrentCaller | CurrentRequest

export class Command extends Context.Service<
  Command,
  {
    /**
     * Runs a command. With an idempotency key the first answer is stored in the command's own
     * transaction and given again to a repetition; a dry run rolls everything back.
     */
    run<Target, A, E, R>(
      steps: Steps<Target, A, E, R>
    ): Effect.Effect<A, E | IdempotencyKeyInUse | IdempotencyKeyReused, R | Requirements>
  }
>()("@quittance/operations/Command") {
  static readonly layer = Layer.effect(
    Command,
    Effect.gen(function* () {
      const tenantSql = yield* TenantSql
      const idempotency = yield* IdempotencyRepo

      const once = Effect.fnUntraced(function* <Target, A, E, R>(
        { authorize, decide }: Steps<Target, A, E, R>,
        request: CurrentRequest["Service"],
        { fingerprint, key }: { readonly key: string; readonly fingerprint: string }
      ) {
        const callerId = subject(yield* CurrentCaller)
        if (!(yield* idempotency.lock(callerId, key))) return yield* new IdempotencyKeyInUse({})
        const target = yield* authorize
        const stored = yield* idempotency.find(callerId, key)
        if (stored !== undefined) {
          if (stored.fingerprint !== fingerprint) return yield* new IdempotencyKeyReused({})
          request.answer.replayed = true
          return yield* replay<A, E>(stored.outcome)
        }
        const exit = yield* Effect.exit(tenantSql.savepoint(decide(target)))
        const outcome = outcomeOf(exit)
        // What the domain does not name is no answer to keep: it rolls everything back.
        if (outcome === undefined) return yield* exit
        yield* idempotency.store({ callerId, key, fingerprint, outcome })
        return exit
      })

      const run = Effect.fn("Command.run")(function* <Target, A, E, R>(
        steps: Steps<Target, A, E, R>
      ) {
        const request = yield* CurrentRequest
        const direct = Effect.flatMap(steps.authorize, steps.decide)
        if (request.dryRun) return yield* dryRun(tenantSql, direct)
        if (request.idempotency === undefined) return yield* tenantSql.transaction(direct)
        return yield* yield* tenantSql.transaction(once(steps, request, request.idempotency))
      })

      return Command.of({ run })
    })
  ).pipe(Layer.provide(IdempotencyRepo.layer))
}

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

/** The stored form of an answer; `undefined` for one that is not to be kept. */
const outcomeOf = <A, E>(exit: Exit.Exit<A, E>): Outcome | undefined => {
  // Commands answer what the wire shows, which is JSON already.
  if (Exit.isSuccess(exit)) return { value: exit.value as Schema.Json }
  const failure = Exit.findErrorOption(exit)
  return Option.isSome(failure) && isDomainError(failure.value)
    ? { error: encodeError(failure.value) as Schema.Json }
    : undefined
}

/** The stored answer as the command would have given it; the types are those it was stored with. */
const replay = <A, E>(outcome: Outcome): Effect.Effect<Exit.Exit<A, E>> =>
  Effect.succeed(
    "value" in outcome
      ? Exit.succeed(outcome.value as A)
      : Exit.fail(decodeError(outcome.error) as E)
  )
