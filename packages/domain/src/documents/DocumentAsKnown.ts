/** A document as lists have shown it once. */
import type { Instant } from "../values/Instant.ts"
import type { Document } from "./Document.ts"

interface Recorded {
  readonly document: Document
  /** When it was recorded that it is in force. */
  readonly inForceKnownAt: Instant | undefined
}

/**
 * Without what was recorded later. Whether it had failed by then is not kept: it shows as one that waits.
 *
 * @param knownAt absent: as it is
 */
export const asKnown = (
  { document, inForceKnownAt }: Recorded,
  knownAt: Instant | undefined
): Document => {
  if (knownAt === undefined) return document
  const by = (instant: Instant | undefined) => instant !== undefined && instant <= knownAt
  const { endedAt, failure, inForceAt, number, readyAt, voidedAt, ...rest } = document
  const { pages, renderer, sha256, size, status: last, ...always } = rest
  const isVoid = last === "VOID" && (voidedAt === undefined || by(voidedAt))
  const isReady = by(readyAt)
  const isMade = document.origin === "GENERATED" || document.origin === "STATIC"
  const status = !isMade || isVoid || last === "FAILED" ? last : isReady ? "READY" : "PENDING"
  return {
    ...always,
    status,
    ...(isReady || !isMade ? present({ pages, readyAt, renderer, sha256, size }) : {}),
    ...(status === "FAILED" ? present({ failure }) : {}),
    ...(isVoid ? present({ voidedAt }) : {}),
    ...(by(inForceKnownAt) ? present({ inForceAt, number }) : {}),
    ...(by(endedAt) ? present({ endedAt }) : {})
  }
}

/** The members that have a value. */
const present = <A extends object>(members: A): Present<A> =>
  // What is undefined is left out.
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined)
  ) as Present<A>

type Present<A> = { readonly [K in keyof A]?: Exclude<A[K], undefined> }
