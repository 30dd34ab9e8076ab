/** The errors of the area policies on the wire. The last argument of each shows its details. */
import * as Branch from "@quittance/domain/policies/Branch"
import * as Change from "@quittance/domain/policies/Change"
import * as Compliance from "@quittance/domain/policies/Compliance"
import * as Parked from "@quittance/domain/policies/ParkedPolicy"
import * as Policy from "@quittance/domain/policies/Policy"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const policyErrors = {
  PolicyNotFound: wireError(
    Policy.PolicyNotFound,
    404,
    "POLICY_NOT_FOUND",
    "The tenant has no such policy.",
    { policyId: id("policy") }
  ),
  BranchNotFound: wireError(
    Branch.BranchNotFound,
    404,
    "BRANCH_NOT_FOUND",
    "The tenant has no such branch.",
    { branchId: id("branch") }
  ),
  ChangeNotFound: wireError(
    Change.ChangeNotFound,
    404,
    "CHANGE_NOT_FOUND",
    "The policy has no such change.",
    { changeId: id("change") }
  ),
  PolicyNotParked: wireError(
    Parked.PolicyNotParked,
    409,
    "POLICY_NOT_PARKED",
    "The policy is not parked: there is nothing to try again.",
    { policyId: id("policy") }
  ),
  BranchRequired: wireError(
    Branch.BranchRequired,
    409,
    "BRANCH_REQUIRED",
    "Priced data of a signed policy was to be changed outside a branch.",
    { paths: ["/customFields/annualMileage"], branchType: "MTA" }
  ),
  BranchConflict: wireError(
    Branch.BranchConflict,
    409,
    "BRANCH_CONFLICT",
    "Since the fork both the branch and the policy in force gave a path another value, and not the same; or the branch's reverts of the contract's steps (`/contract`) no longer fit the steps in force.",
    {
      conflicts: [
        {
          path: "/customFields/annualMileage",
          from: "2026-05-01T00:00:00.000Z",
          base: 12000,
          theirs: 15000,
          ours: 20000
        }
      ]
    }
  ),
  ChangeHasDependents: wireError(
    Change.ChangeHasDependents,
    409,
    "CHANGE_HAS_DEPENDENTS",
    "Later changes lie in what the change added; they have to be reverted first.",
    { changeId: id("change"), dependents: [id("change")] }
  ),
  ChangeNotRevertible: wireError(
    Change.ChangeNotRevertible,
    409,
    "CHANGE_NOT_REVERTIBLE",
    "The change is part of the sale itself, or is already reverted.",
    { changeId: id("change"), kind: "SIGN" }
  ),
  BranchClosed: wireError(
    Branch.BranchClosed,
    409,
    "BRANCH_CLOSED",
    "The branch has been merged or invalidated.",
    { branchId: id("branch"), status: "MERGED" }
  ),
  ComplianceGateNotMet: wireError(
    Compliance.ComplianceGateNotMet,
    409,
    "COMPLIANCE_GATE",
    "A condition of the product for this step is not met; `details.gates` lists them.",
    {
      gates: [
        {
          kind: "CONSENT",
          textId: "SUBSCRIPTION_TERMS",
          why: "MISSING",
          do: "Have the customer read and accept the text: `POST /policies/{policyId}/consents`."
        }
      ]
    }
  ),
  DuplicateExternalId: wireError(
    Policy.DuplicateExternalId,
    409,
    "DUPLICATE_EXTERNAL_ID",
    "Another policy of the tenant has this external identifier.",
    { externalId: "CRM-4711" }
  ),
  InvalidStopReason: wireError(
    Policy.InvalidStopReason,
    422,
    "INVALID_STOP_REASON",
    "The product has no such reason to stop a policy; `details.accepted` lists those it has.",
    { reason: "BORED", accepted: ["CUSTOMER_REQUEST", "RISK_GONE"] }
  ),
  InvalidBranch: wireError(
    Branch.InvalidBranch,
    422,
    "INVALID_BRANCH",
    "The branch belongs to another policy.",
    { branchId: id("branch") }
  ),
  InvalidBillingAssignment: wireError(
    Policy.InvalidBillingAssignment,
    422,
    "INVALID_BILLING_ASSIGNMENT",
    "The billing assignment names a configuration, component or payer that isn't there.",
    { field: "configId", value: "SPLIT" }
  ),
  SignatureRequired: wireError(
    Compliance.SignatureRequired,
    409,
    "SIGNATURE_REQUIRED",
    "The product is signed by each signer in turn.",
    {}
  )
} as const
