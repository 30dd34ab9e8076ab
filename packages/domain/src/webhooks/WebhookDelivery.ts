/** What follows from a try to deliver an event: when the next one is due, and what becomes of the endpoint. */
import { Schema } from "effect"
import type { DisabledReason } from "./Webhook.ts"

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Milliseconds after each failed try until the next: ten tries in about three days. */
export const pauses = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour
] as const

/** By how much a pause is drawn longer or shorter, so that not all come back at once. */
const spread = 0.1

/** The longest that a receiver may ask us to wait. */
const longestWait = day

/** Until the head of an answer is there, and until all of it is, in milliseconds. */
export const headTimeout = 15 * second
export const answerTimeout = 20 * second
/** How many bytes of an answer are read, and of an error's kept. */
export const readBytes = 65_536
export const keptBytes = 1024

/** How many events of one record are sent before others have their turn. */
export const eventsOfTurn = 20

/** How long a sender has a lane to itself. One that is not back by then is taken to have died. */
export const claimTime = minute
/** A try that may outlive the claim is not begun. */
export const isClaimOver = (now: number, claimedUntil: number): boolean =>
  now > claimedUntil - answerTimeout - 5 * second

/**
 * `DELIVERED` answered 2xx; `STATUS` answered anything else; `TIMEOUT`, `UNREACHABLE`, `TLS` not answered;
 * `ADDRESS` the URL or an address of its host must not be called.
 */
export const Outcome = Schema.Literals([
  "DELIVERED",
  "STATUS",
  "TIMEOUT",
  "UNREACHABLE",
  "TLS",
  "ADDRESS"
])
export type Outcome = typeof Outcome.Type

/** What came of one try. */
export interface Tried {
  readonly outcome: Outcome
  readonly status?: number | undefined
  readonly retryAfter?: string | undefined
}

/** What has become of an event: it is done, comes up again, or is left. */
export type Fate =
  | { readonly kind: "DONE" }
  /** Milliseconds since 1970. */
  | { readonly kind: "AGAIN"; readonly dueAt: number }
  | { readonly kind: "DEAD" }

/** The milliseconds that a receiver asks for (RFC 9110, section 10.2.3): seconds, or a date. */
export const askedWait = (header: string | undefined, now: number): number => {
  const text = (header ?? "").trim()
  if (/^\d{1,9}$/u.test(text)) return Math.min(Number(text) * second, longestWait)
  // Only the form that HTTP writes: others are read as local time.
  const date = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/u.test(text)
    ? Date.parse(text)
    : Number.NaN
  return Number.isNaN(date) ? 0 : Math.min(Math.max(date - now, 0), longestWait)
}

/**
 * What becomes of an event after its `tries`-th try ended at `now`. `drawn` is from 0 to 1: where in the
 * spread the pause lies.
 */
export const fateOf = (tried: Tried, tries: number, now: number, drawn: number): Fate => {
  if (tried.outcome === "DELIVERED") return { kind: "DONE" }
  const pause = pauses[tries - 1]
  if (pause === undefined) return { kind: "DEAD" }
  const drawnPause = pause * (1 + spread * (2 * drawn - 1))
  const asksToWait = tried.status === 429 || tried.status === 503
  const asked = asksToWait ? askedWait(tried.retryAfter, now) : 0
  return { kind: "AGAIN", dueAt: Math.round(now + Math.max(drawnPause, asked)) }
}

/** How the endpoint has fared. */
export interface Health {
  /** When the first of its failures was, after which nothing was delivered; milliseconds since 1970. */
  readonly failingSince: number | undefined
  /** How many there were since then. */
  readonly failures: number
  /** How many records' events may be under way now, and how many it may become. */
  readonly allowed: number
  readonly concurrency: number
  /** Deliveries since `allowed` has changed. */
  readonly successes: number
  readonly disabled: DisabledReason | undefined
}

const busyStatuses = new Set([429, 502, 503, 504])
const successesToGrow = 10
const failingTime = 5 * day
const failingFailures = 20
/** For how long nothing arrives until the managers of webhooks get a letter. */
const toldTime = day

/** Whether nothing has arrived for so long that people are to hear of it. */
export const isToBeTold = ({ disabled, failingSince }: Health, now: number): boolean =>
  disabled === undefined && failingSince !== undefined && now - failingSince >= toldTime

/** How the endpoint fares after a try. */
export const healthAfter = (health: Health, tried: Tried, now: number): Health => {
  if (tried.outcome === "DELIVERED") {
    const successes = health.successes + 1
    const grows = successes >= successesToGrow && health.allowed < health.concurrency
    return {
      ...health,
      failingSince: undefined,
      failures: 0,
      allowed: Math.min(health.allowed + (grows ? 1 : 0), health.concurrency),
      successes: grows ? 0 : Math.min(successes, successesToGrow)
    }
  }
  const failingSince = health.failingSince ?? now
  const failures = health.failures + 1
  const isBusy = busyStatuses.has(tried.status ?? 0)
  const isFailing = now - failingSince >= failingTime && failures >= failingFailures
  return {
    ...health,
    failingSince,
    failures,
    allowed: isBusy ? Math.max(1, Math.floor(health.allowed / 2)) : health.allowed,
    successes: isBusy ? 0 : health.successes,
    disabled: health.disabled ?? (tried.status === 410 ? "GONE" : isFailing ? "FAILING" : undefined)
  }
}
