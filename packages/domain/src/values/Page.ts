import { Schema } from "effect"

export const directions = ["ASC", "DESC"] as const

export type Direction = (typeof directions)[number]

/** In which order a list is asked for: by one of its keys. */
export interface Order<Key> {
  readonly by: Key
  readonly direction: Direction
}

/** Which page of a list is asked for; `count` 1..100, `page` from 1. */
export interface PageRequest {
  readonly count: number
  readonly page: number
}

/** The envelope of every list. */
export const Page = <A extends Schema.Top>(item: A) =>
  Schema.Struct({
    data: Schema.Array(item),
    pageInfo: Schema.Struct({ first: Schema.Boolean, last: Schema.Boolean }),
    totalCount: Schema.Int,
    currentPage: Schema.Int,
    totalPages: Schema.Int
  })

export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly pageInfo: { readonly first: boolean; readonly last: boolean }
  readonly totalCount: number
  readonly currentPage: number
  readonly totalPages: number
}

/** Puts one page's rows into the envelope; a page past the end is empty, with true totals. */
export const make = <A>(
  data: ReadonlyArray<A>,
  totalCount: number,
  { count, page }: PageRequest
): Page<A> => {
  const totalPages = Math.ceil(totalCount / count)
  return {
    data,
    pageInfo: { first: page === 1, last: page >= totalPages },
    totalCount,
    currentPage: page,
    totalPages
  }
}
