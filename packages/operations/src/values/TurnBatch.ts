/**
 * Collects work of one kind in a turn of the event loop, and runs it together at the end of the turn. The
 * processor's caches are warm then: a signature right after another takes half the time.
 */
import { Effect, Exit } from "effect"

/** The work, done together with what else is asked for in the turn. What it throws is a defect. */
export const make = <Asked extends ReadonlyArray<unknown>, A>(
  work: (...asked: Asked) => A
): ((...asked: Asked) => Effect.Effect<A>) => {
  let waiting: Array<Question<Asked, A>> = []

  const answer = () => {
    const questions = waiting
    waiting = []
    const answers = questions.map(({ asked }) => attempt(() => work(...asked)))
    questions.forEach(({ resume }, index) => resume(answers[index]!))
  }

  return (...asked) =>
    Effect.callback((resume) => {
      if (waiting.push({ asked, resume }) === 1) setImmediate(answer)
    })
}

interface Question<Asked, A> {
  readonly asked: Asked
  readonly resume: (answer: Exit.Exit<A>) => void
}

/** A fault is a defect for the caller that asked for it, not for the others. */
const attempt = <A>(work: () => A): Exit.Exit<A> => {
  try {
    return Exit.succeed(work())
  } catch (fault) {
    return Exit.die(fault)
  }
}
