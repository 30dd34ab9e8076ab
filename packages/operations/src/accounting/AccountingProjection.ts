/** Keeps the accounting summary's rows as the policies and their invoices are. */
import { ReceivablesRepo } from "@quittance/persistence/accounting/ReceivablesRepo"
import { Effect, Layer } from "effect"
import { PolicyProjections } from "../policies/FollowUp.ts"

export const layer = Layer.effect(
  PolicyProjections,
  Effect.map(ReceivablesRepo, ({ refresh }) => PolicyProjections.of({ refresh }))
).pipe(Layer.provide(ReceivablesRepo.layer))
