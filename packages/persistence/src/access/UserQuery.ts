/** Which users a list shows. */
import type { Coverage } from "@quittance/auth/Grants"
import type { PageRequest } from "@quittance/domain/values/Page"
import type { UserStatus } from "@quittance/domain/access/User"
import type { SqlClient, Statement } from "effect/sql"
import { matchesWords } from "./SearchWords.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"

/** Which users are asked for; what is absent does not restrict. */
export interface UserFilter {
  readonly brokerageFirmId?: BrokerageFirmId | undefined
  readonly statuses?: ReadonlyArray<UserStatus> | undefined
  /** Words that all have to begin a word of name or address, whatever their accents and case. */
  readonly words?: string | undefined
}

export interface UserQuery {
  readonly filter: UserFilter
  readonly coverage: Coverage
  readonly page: PageRequest
}

/** What of the users `u` a list shows. */
export const conditions = (
  sql: SqlClient.SqlClient,
  tenantId: string,
  { coverage, filter }: UserQuery
): ReadonlyArray<Statement.Fragment> => {
  const only: Array<Statement.Fragment> = [sql`u.tenant_id = ${tenantId}`]
  if (coverage._tag === "Records") {
    only.push(sql`(u.brokerage_firm_id = ANY (${[...coverage.firmIds]})
      OR u.id = ANY (${[...coverage.recordIds]}))`)
  }
  if (filter.brokerageFirmId !== undefined) {
    only.push(sql`u.brokerage_firm_id = ${filter.brokerageFirmId}`)
  }
  if (filter.statuses !== undefined) {
    only.push(sql`u.status = ANY (${[...filter.statuses]})`)
  }
  if (filter.words !== undefined) only.push(matchesWords(sql, sql`u.search`, filter.words))
  return only
}
