package report

import (
	"cmp"
	"io"
)

// The code quality format of GitLab, a part of Code Climate's.
type (
	qualityIssue struct {
		Description string          `json:"description"`
		Check       string          `json:"check_name"`
		Fingerprint string          `json:"fingerprint"`
		Severity    string          `json:"severity"`
		Location    qualityLocation `json:"location"`
	}
	qualityLocation struct {
		Path  string       `json:"path"`
		Lines qualityLines `json:"lines"`
	}
	qualityLines struct {
		Begin int `json:"begin"`
	}
)

// CodeQuality writes findings as the report that GitLab shows in a merge request. The format requires a path and a
// line: a finding without a file gets "." and line 1. Errors: those of w, and a finding of an unknown level.
func CodeQuality(w io.Writer, found []Finding) error {
	out := []qualityIssue{}
	seen := fingerprints{}
	for _, f := range found {
		severity, err := f.level(map[string]string{Error: "major", Warning: "minor", Note: "info"})
		if err != nil {
			return err
		}
		// The format requires a path and a line.
		at := qualityLocation{cmp.Or(f.Path, "."), qualityLines{max(f.Line, 1)}}
		out = append(out, qualityIssue{f.Message, f.Rule, seen.add(f), severity, at})
	}
	return writeJSON(w, out)
}
