/** What a front end needs to render the form in which a loss is declared. */
import { Schema } from "effect"
import { ClaimQuestion, DeclareWithin, type ProductClaims } from "./ProductClaims.ts"

const { law: _law, ...within } = DeclareWithin.fields

/** It has no exclusion, no deductible and no deadline of the insurer. */
export const ClaimConfig = Schema.Struct({
  lossTypes: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      perils: Schema.Array(Schema.String),
      facts: Schema.Array(ClaimQuestion)
    })
  ),
  declareWithin: Schema.Array(Schema.Struct(within))
})
export type ClaimConfig = typeof ClaimConfig.Type

export const claimConfig = ({ declareWithin, lossTypes }: ProductClaims): ClaimConfig => ({
  lossTypes: lossTypes.map(({ facts, id, name, perils }) => ({ id, name, perils, facts })),
  declareWithin: declareWithin.map(({ law: _, ...time }) => time)
})
