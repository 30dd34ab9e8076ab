/**
 * What an instance remembers for a while. Beside `Cache` of Effect it keeps the values alone: that one
 * keeps the fiber of each lookup with all that it refers to, which is 2 KB for each entry, and here are
 * several for each of ten thousand tenants. It counts the age of a value from the moment it was asked
 * for, so that nothing is older than it may be, however long the answer took.
 */
import { Deferred, Duration, Effect, Exit } from "effect"
import { monotonicMillis } from "./MonotonicClock.ts"

export interface TtlCache<A> {
  /** The value that is remembered, or the one that is looked up; who asks meanwhile waits for it too. */
  get(key: string): Effect.Effect<A>
  /** The value that is remembered, if there is one. */
  peek(key: string): Effect.Effect<A | undefined>
  /** Looks up, whatever is remembered. */
  refresh(key: string): Effect.Effect<A>
  set(key: string, value: A, maxAge: Duration.Duration): Effect.Effect<void>
  /** Forgets the value, and that of a lookup which is under way. */
  forget(key: string): Effect.Effect<void>
}

export interface Options<A> {
  /** Values to remember; those that were looked up first are forgotten first. */
  readonly capacity: number
  /** A defect is passed on and not remembered. */
  readonly lookup: (key: string) => Effect.Effect<A>
  /** How old the value may become; none is remembered whose age is zero. */
  readonly maxAge: (value: A) => Duration.Duration
}

export const make = <A>({ capacity, lookup, maxAge }: Options<A>): TtlCache<A> => {
  const entries = new Map<string, { readonly value: A; readonly until: number }>()
  const questions = new Map<string, Deferred.Deferred<Exit.Exit<A>>>()

  const store = (key: string, value: A, until: number) => {
    entries.delete(key)
    entries.set(key, { value, until })
    if (entries.size <= capacity) return
    for (const [oldest] of entries) {
      entries.delete(oldest)
      return
    }
  }

  const ask = (key: string): Effect.Effect<A> =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const answer = Deferred.makeUnsafe<Exit.Exit<A>>()
        questions.set(key, answer)
        return answer
      }),
      (answer) =>
        Effect.flatMap(monotonicMillis, (asked) =>
          Effect.map(lookup(key), (value) => {
            const age = Duration.toMillis(maxAge(value))
            // Another question, or none, is under way when the key was forgotten meanwhile.
            if (age > 0 && questions.get(key) === answer) store(key, value, asked + age)
            return value
          })
        ),
      (answer, exit) => {
        if (questions.get(key) === answer) questions.delete(key)
        return Deferred.succeed(answer, exit)
      }
    )

  const refresh = (key: string): Effect.Effect<A> =>
    Effect.suspend(() => {
      const question = questions.get(key)
      if (question === undefined) return ask(key)
      return Effect.flatMap(Deferred.await(question), (exit) =>
        // The caller was interrupted, and with it the query.
        Exit.hasInterrupts(exit) ? refresh(key) : exit
      )
    })

  const peek = (key: string) =>
    Effect.map(monotonicMillis, (now) => {
      const entry = entries.get(key)
      return entry !== undefined && now < entry.until ? entry.value : undefined
    })

  return {
    peek,
    refresh,
    get: (key) =>
      Effect.flatMap(monotonicMillis, (now) => {
        const entry = entries.get(key)
        return entry !== undefined && now < entry.until ? Effect.succeed(entry.value) : refresh(key)
      }),
    set: (key, value, maxAge) =>
      Effect.map(monotonicMillis, (now) => store(key, value, now + Duration.toMillis(maxAge))),
    forget: (key) =>
      Effect.sync(() => {
        entries.delete(key)
        questions.delete(key)
      })
  }
}
