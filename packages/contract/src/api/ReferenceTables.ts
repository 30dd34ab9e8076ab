/** The tables of all areas: those of the groups, and of the areas without one. */
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { AreaReference, type ReferenceTables } from "../requests/AreaReference.ts"
import { requestTerms } from "../requests/RequestTerms.ts"
import { tenantTerms } from "../tenants/TenantTerms.ts"
import { tokenErrors } from "../tokens/TokenErrors.ts"
import { tokenTerms } from "../tokens/TokenTerms.ts"
import { valueTerms } from "../values/ValueTerms.ts"
import { edgeErrors } from "./EdgeErrors.ts"
import { QuittanceApi } from "./QuittanceApi.ts"

const withoutGroup: ReadonlyArray<ReferenceTables> = [
  { terms: valueTerms },
  { errors: edgeErrors, terms: requestTerms },
  { terms: tenantTerms },
  { errors: tokenErrors, terms: tokenTerms }
]

const ofGroups = (): ReadonlyArray<ReferenceTables> => {
  const found: Array<ReferenceTables> = []
  HttpApi.reflect(QuittanceApi, {
    onGroup: ({ mergedAnnotations }) => {
      const tables = Context.getOrUndefined(mergedAnnotations, AreaReference)
      if (tables !== undefined) found.push(tables)
    },
    onEndpoint: () => {}
  })
  return found
}

export const referenceTables: ReadonlyArray<ReferenceTables> = [...withoutGroup, ...ofGroups()]
