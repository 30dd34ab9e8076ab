/** What the matrix needs to know of an area's routes beyond the contract: a file each in `matrix/`. */
import type { MatrixCaller } from "@quittance/contract/api/PermissionMatrix"
import type { Effect } from "effect"
import type { World } from "./Api.ts"
import type { KnownRecords, MatrixServices, Records } from "./MatrixWorld.ts"

/** The business time of the records; nothing more falls due at it. */
export const today = "2026-05-02T12:00:00.000Z"

export interface Instead {
  readonly status: number
  readonly code: string
}

/** How one route is called. A read without a fixture is called as it is; a write has to have one. */
export interface Fixture {
  /** The body of a write. */
  readonly body?: unknown
  /** Makes the body of a write, where it names a record or is different for each call. */
  readonly bodyOf?: (caller: MatrixCaller, records: Records) => unknown
  /**
   * The answer to a permitted request, where no request succeeds again and again. A function where more
   * than the permission decides, so that only some callers are answered it.
   */
  readonly instead?: Instead | ((caller: MatrixCaller) => Instead | undefined)
  /**
   * The query, with its question mark; a dry run where a command succeeds only once. A function where
   * it depends on the caller or names a record.
   */
  readonly query?: string | ((caller: MatrixCaller, records: Records) => string)
  readonly headers?: Readonly<Record<string, string>>
  /** The record that the path names, where it is another one than its parameter says. */
  readonly record?: string
}

/** By the name of the route in the contract, such as `policies.create`. */
export type Fixtures = Readonly<Record<string, Fixture>>

/** What a file in `matrix/` exports. */
export interface AreaFixtures {
  readonly fixtures: Fixtures
  /** Creates the records that only this area's routes need, by the name of their path parameter. */
  readonly recordsOf?: (
    world: World,
    known: KnownRecords
  ) => Effect.Effect<Readonly<Record<string, string>>, never, MatrixServices>
  /** Identifiers that no tenant has, where they do not consist of a prefix and a suffix. */
  readonly missing?: Readonly<Record<string, string>>
}

export const dryRun = { query: "?dryRun=true" }
