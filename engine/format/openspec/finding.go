package openspec

// Finding is something that is wrong with a change.
type Finding struct {
	Warning bool // not an error: the change can be applied
	// Path says where it is: a file below the specs of the change, a file of the change, or "file".
	Path string
	// Line is a line of the file, from 1, or 0 if none is known.
	Line    int
	Message string
}

// The texts of findings about a change are those of the tool, because people compare the two.
const (
	msgNoDeltas = "Change must have at least one delta. No deltas found. Ensure your change has a specs/ directory with capability folders (e.g. specs/http-server/spec.md) containing .md files that use delta headers (## ADDED/MODIFIED/REMOVED/RENAMED Requirements) and that each requirement includes at least one \"#### Scenario:\" block. If this change intentionally modifies no specs (pure refactor, tooling, docs), set \"skip_specs: true\" in the change's .openspec.yaml instead. Tip: run \"openspec change show <change-id> --json --deltas-only\" to inspect parsed deltas."

	msgSkipConflict = "skip_specs is set in .openspec.yaml but spec files exist under specs/. Remove skip_specs or delete the delta spec files"
	msgSkipInvalid  = "skip_specs is set but .openspec.yaml is not valid change metadata, so the marker is not honored. Fix the metadata (%s)"

	msgRootDelta   = "Delta spec found at specs/spec.md. Delta specs must live under a capability path (e.g. specs/<capability-path>/spec.md) — a file at the specs/ root is ignored when the change is applied or archived."
	msgUnreadDelta = "Delta spec found at specs/%s. Delta specs must be a spec.md inside a capability folder — this file is ignored when the change is applied or archived. Move its requirements into specs/%s."
	msgNoSections  = "No delta sections found. Add headers such as \"## ADDED Requirements\" or move non-delta notes outside specs/."
	msgNoEntries   = "Delta sections %s were found, but no requirement entries parsed. Ensure each section includes at least one \"### Requirement:\" block (REMOVED may use bullet list syntax)."

	msgUnpaired = "RENAMED %s: \"%s\" has no matching %s: line. Write each rename as a FROM: line followed immediately by its TO: line."
	msgOrphan   = "Requirement \"%s\" is %s, which is not a delta section, so it is ignored. Move it under \"## ADDED Requirements\", \"## MODIFIED Requirements\", \"## REMOVED Requirements\", or \"## RENAMED Requirements\"."

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

	msgHeaderOnly = " in the requirement body, not only in the header. Move the SHALL/MUST statement to the line immediately after the \"### Requirement: ...\" header."
	msgGuidance   = " (RFC 2119 best practice for English specs)"

	msgNested = "\"%s\" is not a change: it is a folder wrapping %s. A change must be a directory directly under openspec/changes/, so those nested directories are invisible to OpenSpec while the folder around them is reported as a change. Nested paths are supported under openspec/specs/ only. Rename each nested change to a flat name (for example \"%s\")."
)
