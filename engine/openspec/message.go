package openspec

// The texts of findings are those of the tool, because people compare the two.
const (
	msgNoDeltas = "Change must have at least one delta. No deltas found. Ensure your change has a specs/ directory with capability folders (e.g. specs/http-server/spec.md) containing .md files that use delta headers (## ADDED/MODIFIED/REMOVED/RENAMED Requirements) and that each requirement includes at least one \"#### Scenario:\" block. If this change intentionally modifies no specs (pure refactor, tooling, docs), set \"skip_specs: true\" in the change's .openspec.yaml instead. Tip: run \"openspec change show <change-id> --json --deltas-only\" to inspect parsed deltas."

	msgSkipConflict = "skip_specs is set in .openspec.yaml but spec files exist under specs/. Remove skip_specs or delete the delta spec files"
	msgSkipAccepted = "skip_specs is set in .openspec.yaml: change declares no spec-level behavior changes, zero deltas accepted"
	msgSkipInvalid  = "skip_specs is set but .openspec.yaml is not valid change metadata, so the marker is not honored. Fix the metadata (%s)"

	msgRootDelta   = "Delta spec found at specs/spec.md. Delta specs must live under a capability path (e.g. specs/<capability-path>/spec.md) — a file at the specs/ root is ignored when the change is applied or archived."
	msgUnreadDelta = "Delta spec found at specs/%s. Delta specs must be a spec.md inside a capability folder — this file is ignored when the change is applied or archived. Move its requirements into specs/%s."
	msgNoSections  = "No delta sections found. Add headers such as \"## ADDED Requirements\" or move non-delta notes outside specs/."
	msgNoEntries   = "Delta sections %s were found, but no requirement entries parsed. Ensure each section includes at least one \"### Requirement:\" block (REMOVED may use bullet list syntax)."

	msgStrayHeading = "Header \"### %[1]s\" in %[2]s is not a \"### Requirement:\" header and is ignored by validation. Use \"### Requirement: %[1]s\" if it should be validated as a requirement."
	msgNamelessOne  = "Header \"### %s\" in %s is missing a requirement name and is ignored by validation. Add a name, e.g. \"### Requirement: <name>\"."
	msgUnpaired     = "RENAMED %s: \"%s\" has no matching %s: line. Write each rename as a FROM: line followed immediately by its TO: line."
	msgOrphan       = "Requirement \"%s\" is %s, which is not a delta section, so it is ignored. Move it under \"## ADDED Requirements\", \"## MODIFIED Requirements\", \"## REMOVED Requirements\", or \"## RENAMED Requirements\"."

	msgDuplicate      = "Duplicate requirement in %s: \"%s\""
	msgDuplicateSide  = "Duplicate %s in RENAMED: \"%s\""
	msgNoText         = "%s is missing requirement text"
	msgNoScenario     = "%s must include at least one scenario"
	msgEmptyScenario  = " (a scenario header with no body under it does not count; add its steps, e.g. \"- **WHEN** ...\" and \"- **THEN** ...\")"
	msgInBoth         = "Requirement present in both %s and %s: \"%s\""
	msgModifiesOld    = "MODIFIED references old name from RENAMED. Use new header for \"%s\""
	msgRenamedToAdded = "RENAMED TO collides with ADDED for \"%s\""
	msgSpelled        = " (REMOVED spells it \"%s\")"
	msgLosesScenarios = "MODIFIED \"%s\" omits scenario(s) the current spec still has: %s. %s Copy the omitted scenarios into the MODIFIED block (a MODIFIED requirement replaces the whole block, so archive refuses to drop them)."
	msgWouldRefuse    = "Archive would refuse this delta: "

	msgHeaderOnly = " in the requirement body, not only in the header. Move the SHALL/MUST statement to the line immediately after the \"### Requirement: ...\" header."
	msgGuidance   = " (RFC 2119 best practice for English specs)"

	msgNoPurposeSection      = "Spec must have a Purpose section"
	msgNoRequirementsSection = "Spec must have a Requirements section"
	msgMissingSections       = ". Missing required sections. Expected headers: \"## Purpose\" and \"## Requirements\". Example:\n## Purpose\n[brief purpose]\n\n## Requirements\n### Requirement: Clear requirement statement\nUsers SHALL ...\n\n#### Scenario: Descriptive name\n- **WHEN** ...\n- **THEN** ..."
	msgNoRequirements        = "Spec must have at least one requirement"
	msgEmptyRequirement      = "Requirement text cannot be empty"
	msgNeedsScenario         = "Requirement must have at least one scenario"
	msgScenarioFormat        = ". Scenarios must use level-4 headers. Convert bullet lists into:\n#### Scenario: Short name\n- **WHEN** ...\n- **THEN** ...\n- **AND** ..."
	msgLongRequirement       = "Requirement text is very long (>500 characters). Consider breaking it down."
	msgBriefPurpose          = "Purpose section is too brief (less than 50 characters)"
	msgPlaceholder           = "Purpose section is still a placeholder rather than a Purpose anyone wrote (the sentence `openspec archive` writes for a new capability, or a `TBD`/`TODO` marker left in its place). Replace it with what this capability is for, editing the main spec directly: a `## Purpose` in a delta is read only when the capability is created, so it cannot replace this one."
	msgDeltaHeading          = "Main spec contains delta header \"%s\". Delta headers are only valid inside openspec/changes/<name>/specs/<capability-path>/spec.md and truncate the parsed ## Requirements section."
	msgOutside               = "Requirement header \"%s\" appears outside the main ## Requirements section. Main specs only parse requirements inside that section, so this requirement is currently invisible to validate, list, and archive."
	msgRepeated              = "Requirement header \"%s\" duplicates the requirement declared on line %d. Requirement names must be unique so spec updates cannot discard one block while updating another."

	msgNested = "\"%s\" is not a change: it is a folder wrapping %s. A change must be a directory directly under openspec/changes/, so those nested directories are invisible to OpenSpec while the folder around them is reported as a change. Nested paths are supported under openspec/specs/ only. Rename each nested change to a flat name (for example \"%s\")."
)
