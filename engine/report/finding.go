package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Rule is one thing that findings can be about.
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

// Finding is one thing that is said about a file.
type Finding struct {
	Rule    string // the ID of a Rule
	Level   string // Error, Warning or Note
	Message string
	Path    string // below the top of the repository, with slashes; "" for none
	Line    int    // from 1; 0 for the whole file
	Spec    string // the id of the spec in question, "" for none
}

// level looks a level up in a format's words for them; an unknown one is an error.
func (f Finding) level(words map[string]string) (string, error) {
	word, ok := words[f.Level]
	if !ok {
		return "", fmt.Errorf("finding %q has the level %q, which is none of error, warning and note", f.Rule, f.Level)
	}
	return word, nil
}

// fingerprints tell findings apart from one report to the next.
type fingerprints map[string]int

// of is the fingerprint of a finding; those that are alike are numbered.
func (seen fingerprints) of(f Finding) string {
	what := strings.Join([]string{f.Rule, f.Path, f.Spec, f.Message}, "\x00")
	seen[what]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", what, seen[what]))
	return hex.EncodeToString(sum[:16])
}
