/**
 * The errors of an area and the meanings of its names, as an annotation of one of its groups. The
 * catalogue of errors and the published document collect them from there.
 */
import { Context, type Schema } from "effect"

/** What a parameter means, with its unit, and the value that the document shows for it. */
export interface ParameterTerm {
  readonly means: string
  readonly example?: string | number | boolean
}

export type ParameterTerms = Readonly<Record<string, ParameterTerm>>

export interface ReferenceTables {
  /** The schemas that `wireError` has made, by the tags of their errors. */
  readonly errors?: Readonly<Record<string, Schema.Codec<Error, unknown>>>
  /** The meaning of each member of a schema; `termOf` says how they are named. */
  readonly terms?: Readonly<Record<string, string>>
  /** The meaning of each parameter of a request; `parameterTermOf` says how they are named. */
  readonly parameters?: ParameterTerms
}

export class AreaReference extends Context.Service<AreaReference, ReferenceTables>()(
  "@quittance/contract/AreaReference"
) {}

/** The annotation of one group of each area: `group.annotateMerge(reference({ errors, terms }))`. */
export const reference = (tables: ReferenceTables) => Context.make(AreaReference, tables)
