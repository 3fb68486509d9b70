package lint

import (
	"maps"
	"slices"
)

// Settings are what a project says of lint.
type Settings struct {
	Thresholds
	Severity map[string]Severity // by rule, instead of the usual one
	Required []string            // fields that every spec must have filled in
	Known    []string            // further keys of the front matter that mean something
	Commands bool                // the project has commands that verify every spec
	Require  bool                // a spec with nothing to verify does not land
}

// Thresholds are the sizes above which a spec is said to be complex; 0 is none.
type Thresholds struct {
	Criteria int // 10
	Files    int // 5
	Words    int // 150, of the rule complexity_words, which is off unless it is given a severity
}

// Defaults are the settings of a project that says nothing.
func Defaults() Settings {
	return Settings{Thresholds: Thresholds{Criteria: 10, Files: 5, Words: 150}, Severity: map[string]Severity{}}
}

// usual is the severity of a rule before the project's own.
func (s Settings) usual(rule string) Severity {
	r, _ := ruleNamed(rule)
	return r.Severity
}

// Of is the severity that a finding of this rule has.
func (s Settings) Of(rule string) Severity {
	if own, ok := s.Severity[rule]; ok {
		return own
	}
	return s.usual(rule)
}

// Unknown lists the rules that the settings name and that do not exist, each with the
// one that may be meant, "" when none is near.
func (s Settings) Unknown() map[string]string {
	var ids []string
	for _, r := range Rules() {
		ids = append(ids, r.ID)
	}
	out := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(s.Severity)) {
		if !slices.Contains(ids, id) {
			out[id] = nearest(id, ids)
		}
	}
	return out
}
