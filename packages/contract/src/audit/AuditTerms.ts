/** What the members of the audit trail mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const auditTerms = {
  "AuditEntry.id": "The row of the trail, by its identifier.",
  "AuditEntry.recordedAt": "When the row was written, in real time and UTC.",
  businessAt: "The tenant's business time then, in UTC; with a test clock, the time of that clock.",
  actor: "The actor.",
  "actor.kind": "Whether a client, a user, an anonymous session or a job of the service acted.",
  "actor.id": "The actor: a person or client by identifier, a job by name.",
  "AuditEntry.action": "The action that was taken, or refused.",
  "AuditEntry.recordId":
    "The record that was changed; the tenant itself where it was no single record.",
  outcome: "Whether it was done, or refused without the permission.",
  requestId: "The request, as the header `x-request-id` of its answer names it.",
  "AuditEntry.before":
    "SHA-256 in hexadecimal of the record's state before; absent where it was not there.",
  "AuditEntry.after":
    "SHA-256 in hexadecimal of the record's state after; absent where it was not there.",
  detail: "Further facts, as texts by their names.",
  seal: "The row's position in the chain; absent until the row is sealed, a moment after recording.",
  position: "The place of the row in the tenant's chain, from 1.",
  "seal.hash": "SHA-256 in hexadecimal over the row and the seal of the one before it.",
  sealedAt: "When the row was sealed, in UTC."
}

/** What the parameters of this area mean. */
export const auditParameters: ParameterTerms = {
  action: { means: "Only rows of this action, by its whole name.", example: "policy.read" },
  actorId: {
    means: "Only rows of this actor: an identifier, or the name of a job.",
    example: id("user")
  },
  from: {
    means: "Only rows that were recorded at this instant or later.",
    example: "2026-03-01T00:00:00Z"
  },
  outcome: { means: "Only what was done, or only what was refused.", example: "DONE" },
  recordId: { means: "Only rows about this record.", example: id("policy") },
  to: {
    means: "Only rows that were recorded before this instant.",
    example: "2026-04-01T00:00:00Z"
  }
}
