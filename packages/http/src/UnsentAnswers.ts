/** Answers that their clients don't read: each is held in memory until it is read or dropped. */
import type { ServerResponse } from "node:http"

export interface AnswerLimits {
  /** Milliseconds that a client may take to read an answer, from when it is complete. */
  readonly answerTimeout: number
  /** Bytes of all complete answers together that were not read yet; beyond it the oldest is dropped. */
  readonly mostUnsent: number
  /** Milliseconds between two looks. */
  readonly lookEvery: number
}

export const defaults: AnswerLimits = {
  answerTimeout: 30_000,
  mostUnsent: 64 * 1024 * 1024,
  lookEvery: 1000
}

/** More under way than this are looked at when the next one comes, and not only every second. */
const manyAnswers = 100
/** Milliseconds between such looks. */
const soonest = 50

export interface UnsentAnswers {
  /** Follows an answer until it is sent. */
  readonly follow: (answer: ServerResponse) => void
  readonly close: () => void
}

export const make = ({ answerTimeout, lookEvery, mostUnsent }: AnswerLimits): UnsentAnswers => {
  /** In the order in which they were asked for; with when each was first seen complete and unread. */
  const answers = new Map<ServerResponse, number | undefined>()
  let lookedAt = 0

  const look = () => {
    const now = performance.now()
    lookedAt = now
    let unsent = 0
    const held: Array<ServerResponse> = []
    for (const [answer, since] of answers) {
      if (!answer.writableEnded || answer.writableFinished) continue
      if (since === undefined) answers.set(answer, now)
      if (since !== undefined && now - since >= answerTimeout) giveUp(answer)
      else {
        unsent += answer.writableLength
        held.push(answer)
      }
    }
    for (const answer of held) {
      if (unsent <= mostUnsent) return
      unsent -= answer.writableLength
      giveUp(answer)
    }
  }

  const giveUp = (answer: ServerResponse) => {
    answers.delete(answer)
    answer.req.socket.destroy()
  }

  const timer = setInterval(look, lookEvery)
  timer.unref()

  return {
    follow: (answer) => {
      // A request that is held until it is served comes by more than once.
      if (answers.has(answer)) return
      answers.set(answer, undefined)
      answer.once("close", () => answers.delete(answer))
      if (answers.size > manyAnswers && performance.now() - lookedAt >= soonest) look()
    },
    close: () => clearInterval(timer)
  }
}
