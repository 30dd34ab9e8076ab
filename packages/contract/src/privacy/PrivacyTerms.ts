/** What the members of privacy requests, clocks and the register mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"

export const privacyTerms = {
  "PrivacyRequest.id": "The identifier of the privacy request.",
  "PrivacyRequest.kind":
    "The right that the person uses, by articles 15 to 21 of the GDPR. `PORTABILITY` is for data that they gave.",
  "CreatePrivacyRequest.kind":
    "The right that the person uses, by articles 15 to 21 of the GDPR. `PORTABILITY` is for data that they gave.",
  "PrivacyRequest.customerIds": "The customers that the person is.",
  "CreatePrivacyRequest.customerIds": "The customers that the person is, at most 20.",
  "PrivacyRequest.status":
    "`RECEIVED`, then `IDENTIFIED`, then `IN_PROGRESS`; in the end `DONE`, `PARTLY_DONE`, `REFUSED` or `WITHDRAWN`.",
  "PrivacyRequest.receivedAt": "The instant of the person's request, in UTC.",
  "CreatePrivacyRequest.receivedAt":
    "The instant of the person's request, which is over; absent: now.",
  "PrivacyRequest.dueAt":
    "The end of the last local day for an answer: one month on the calendar, three once it is extended.",
  "PrivacyRequest.extension": "The two more months that were taken for an answer.",
  "extension.reason": "The reason, as the person was told.",
  "extension.at": "The instant of the extension, in UTC.",
  "ExtendPrivacyRequest.reason":
    "The reason for two more months, at most 2,000 characters; the person has to be told.",
  "PrivacyRequest.identity": "The proof that the person themselves asks.",
  "identity.how": "The way in which they have proven it.",
  "identity.by": "The user or client that has recorded it.",
  "identity.at": "The instant of the proof, in UTC.",
  "IdentifyPerson.how":
    "The way in which the person has proven who they are, at most 2,000 characters.",
  "PrivacyRequest.decision": "The answer, or the ground of a refusal.",
  "decision.text": "The words of the decision.",
  "decision.by": "The user or client that has decided.",
  "decision.at": "The instant of the decision, in UTC.",
  "PrivacyRequest.closedAt": "The instant at which it was answered, refused or withdrawn, in UTC.",
  "CompletePrivacyRequest.outcome":
    "`DONE`: all was done that was asked for. `PARTLY_DONE`: a part of it.",
  "CompletePrivacyRequest.decision":
    "The answer with its reasons, at most 2,000 characters: the things done, and those left.",
  "RefusePrivacyRequest.ground":
    "The ground of the refusal, at most 2,000 characters; the person has to be told.",
  "DataExport.privacyRequestId": "The privacy request that it answers.",
  "DataExport.takenAt": "The instant of the export, in UTC.",
  "DataExport.sections": "The tables with rows about the person.",
  "DataExportSection.area": "The part of the service that keeps the rows.",
  "DataExportSection.table": "The table.",
  "DataExportSection.retentionClass": "The class of data, whose clock decides for the rows.",
  "DataExportSection.rows":
    "The rows, by the names of their columns, without digests and sealed values.",
  "DataExportSection.leftOut":
    "The number of rows that are left out, since other persons are on their policy.",
  "RetentionClocks.data": "The clocks, by class and record.",
  "RetentionClocks.erasableAt":
    "The end of the longest clock, in UTC, from which all data may be erased; absent while one waits.",
  "RetentionClock.class": "The class of data that the clock is for.",
  "RetentionClock.recordId": "The record that the clock is about.",
  "RetentionClock.startsAt": "The instant from which it counts, in UTC; absent while it waits.",
  "RetentionClock.archivedAt": "The instant from which the data are no longer in use, in UTC.",
  "RetentionClock.erasedAt": "The instant from which the data are to be erased, in UTC.",
  "RetentionClock.waitsFor":
    "The reason for which it does not count yet: the contract is not over, or money is owed.",
  "RetentionClock.source": "The law or recommendation that it follows.",
  "ProcessingRegister.entries": "The tables that hold data about persons.",
  "ProcessingRegister.retention": "The retention rules, one for each class of data.",
  "ProcessingEntry.area": "The part of the service that keeps it.",
  "ProcessingEntry.table": "The table.",
  "ProcessingEntry.retentionClass": "The class of data, whose clock decides for its rows.",
  "ProcessingEntry.subject":
    "The persons in its rows: a customer, those on a policy, or a user; absent where rows name none.",
  "ProcessingEntry.columns": "The columns with data about persons.",
  "columns.name": "The column.",
  "columns.category": "The kind of data in it.",
  "columns.erasure": "The effect of an erasure on it.",
  "columns.paths": "The paths of a JSON value with such data; `*` stands for any key.",
  "RetentionRule.class": "The class of data that the rule is for.",
  "RetentionRule.from": "The fact from which the clock counts.",
  "RetentionRule.active": "The length of time for which the data stay in use.",
  "RetentionRule.archive": "The length of time for which they are archived after that.",
  "RetentionRule.source": "The law or recommendation that it follows.",
  "RetentionPeriod.amount": "The number of years or days.",
  "RetentionPeriod.unit": "The unit: years or days on the local calendar.",
  "PrivacyRequestNotFound.details.privacyRequestId":
    "The identifier that no privacy request of the tenant has.",
  "IdentityNotProven.details.privacyRequestId": "The privacy request that lacks the proof."
}

/** What the parameters of this area mean. */
export const privacyParameters: ParameterTerms = {
  privacyRequestId: { means: "The privacy request." }
}
