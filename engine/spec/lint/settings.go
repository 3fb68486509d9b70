package lint

import (
	"maps"
	"slices"

	"chant/engine/spec"
)

// Settings are a project's settings for lint.
type Settings struct {
	Thresholds
	Severity map[string]Severity // by rule, in place of the default
	Required []string            // fields that every spec must have
	Known    []string            // further keys of the front matter that are not reported as unknown
	Commands bool                // the project has commands that verify every spec
	Require  bool                // a spec with nothing to verify does not land
}

// Thresholds are the sizes above which a spec is reported as complex, where 0 means no limit, and those up to which it needs
// no costly model.
type Thresholds struct {
	Criteria int // 10
	Files    int // 5
	Words    int // 150, of the rule complexity_words, which is off unless it is given a severity

	SimpleCriteria int // 1
	SimpleFiles    int // 1
	SimpleWords    int // 3, outside of headings and lists
}

// Defaults returns the settings of a project that sets none.
func Defaults() Settings {
	return Settings{Thresholds: Thresholds{Criteria: 10, Files: 5, Words: 150, SimpleCriteria: 1, SimpleFiles: 1, SimpleWords: 3}, Severity: map[string]Severity{}}
}

// defaultSeverity returns the severity of a rule without the project's settings.
func (s Settings) defaultSeverity(rule string) Severity {
	r, _ := ruleNamed(rule)
	return r.Severity
}

// SeverityOf returns the severity of findings of this rule.
func (s Settings) SeverityOf(rule string) Severity {
	if own, ok := s.Severity[rule]; ok {
		return own
	}
	return s.defaultSeverity(rule)
}

// UnknownRules lists the rules in the settings that do not exist, each with the rule that may be meant, "" if none is
// near.
func (s Settings) UnknownRules() map[string]string {
	var ids []string
	for _, r := range Rules() {
		ids = append(ids, r.ID)
	}
	out := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(s.Severity)) {
		if !slices.Contains(ids, id) {
			out[id] = spec.Nearest(id, ids)
		}
	}
	return out
}
