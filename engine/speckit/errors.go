package speckit

import (
	"fmt"
	"strings"
)

// NotFoundError says that a feature or one of its files is missing.
type NotFoundError struct {
	What string   // such as "feature 014" or "artifact plan"
	Dir  string   // the folder that was searched
	Try  []string // paths that were looked for
}

func (e *NotFoundError) Error() string {
	text := fmt.Sprintf("no %s in %q", e.What, e.Dir)
	if len(e.Try) > 0 {
		text += " (looked for " + strings.Join(e.Try, ", ") + ")"
	}
	return text
}

// AmbiguousError says that several folders have the number of a branch.
type AmbiguousError struct {
	Number string
	Dirs   []string // in order
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("several features have the number %s: %s", e.Number, strings.Join(e.Dirs, ", "))
}

// BranchError says that the name of a branch has no number of a feature.
type BranchError struct{ Branch string }

func (e *BranchError) Error() string {
	return fmt.Sprintf("branch %q does not have the form NNN-name or YYYYMMDD-HHMMSS-name", e.Branch)
}

// ArtifactError says that there are no artifacts of a name.
type ArtifactError struct{ Name string }

func (e *ArtifactError) Error() string {
	return fmt.Sprintf("invalid artifact %q (use %s)", e.Name, strings.Join(Artifacts(), ", "))
}

// PointerError says why the file feature.json does not lead to a feature.
type PointerError struct{ Reason string }

func (e *PointerError) Error() string { return "feature.json: " + e.Reason }
