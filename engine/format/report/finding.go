package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Rule is one rule that findings can be about.
type Rule struct {
	ID   string // "dependency"
	Text string // one sentence
}

// The levels of a finding.
const (
	Error   = "error"
	Warning = "warning"
	Note    = "note"
)

// Finding is one problem in a file.
type Finding struct {
	Rule    string // the ID of a Rule
	Level   string // Error, Warning or Note
	Message string
	Path    string // below the top of the repository, with slashes; "" for none
	Line    int    // from 1; 0 for the whole file
	Spec    string // the id of the spec in question, "" for none
}

// level returns a format's word for the level; an unknown level is an error.
func (f Finding) level(words map[string]string) (string, error) {
	word, ok := words[f.Level]
	if !ok {
		return "", fmt.Errorf("finding %q has the unknown level %q (use error, warning or note)", f.Rule, f.Level)
	}
	return word, nil
}

// fingerprints computes fingerprints, by which readers recognise a finding in the next report.
type fingerprints map[string]int

// add returns the fingerprint of a finding; equal findings are numbered.
func (seen fingerprints) add(f Finding) string {
	// The line is left out: text above a finding does not make it a new one.
	what := strings.Join([]string{f.Rule, f.Path, f.Spec, f.Message}, "\x00")
	seen[what]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", what, seen[what]))
	return hex.EncodeToString(sum[:16])
}
