package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/store"
)

// lintConfig is the section `lint` of the settings.
type lintConfig struct {
	Thresholds LintThresholds           `yaml:"thresholds"`
	Disable    spec.StringList          `yaml:"disable"`
	Severity   map[string]lint.Severity `yaml:"severity" rule:"severity"`
}

// LintThresholds are sizes; 0 = no limit, nil = the default.
type LintThresholds struct {
	Criteria *int `yaml:"criteria" rule:"count"`
	Files    *int `yaml:"files" rule:"count"`
	Words    *int `yaml:"words" rule:"count"`

	// The largest spec that needs no costly model.
	SimpleCriteria *int `yaml:"simple_criteria" rule:"count"`
	SimpleFiles    *int `yaml:"simple_files" rule:"count"`
	SimpleWords    *int `yaml:"simple_words" rule:"count"`

	// The names of the older chant for the first three.
	OlderCriteria *int `yaml:"complexity_criteria" rule:"count"`
	OlderFiles    *int `yaml:"complexity_files" rule:"count"`
	OlderWords    *int `yaml:"complexity_words" rule:"count"`
}

// LintSettings returns the default settings of lint with the values of the project.
func (c *Config) LintSettings() lint.Settings {
	s, t := lint.Defaults(), c.Lint.Thresholds
	for _, limit := range []struct {
		have *int
		at   *int
	}{
		{cmp.Or(t.Criteria, t.OlderCriteria), &s.Criteria}, {cmp.Or(t.Files, t.OlderFiles), &s.Files}, {cmp.Or(t.Words, t.OlderWords), &s.Words},
		{t.SimpleCriteria, &s.SimpleCriteria}, {t.SimpleFiles, &s.SimpleFiles}, {t.SimpleWords, &s.SimpleWords},
	} {
		if limit.have != nil {
			*limit.at = *limit.have
		}
	}
	for _, rule := range c.Lint.Disable {
		s.Severity[rule] = lint.Off
	}
	// The older chant has one name for the rules about size.
	if _, all := s.Severity[complexityRules]; all {
		delete(s.Severity, complexityRules)
		for _, rule := range lint.Rules() {
			if strings.HasPrefix(rule.ID, complexityRules+"_") {
				s.Severity[rule.ID] = lint.Off
			}
		}
	}
	for rule, sev := range c.Lint.Severity {
		s.Severity[rule] = sev
	}
	s.Required = c.Enterprise.Required
	s.Commands, s.Require = len(c.Verify.Commands) > 0, c.Verify.Require
	for _, key := range c.Enterprise.Derived {
		s.Known = append(s.Known, key.Key)
	}
	return s
}

// complexityRules begins the names of the rules about size.
const complexityRules = "complexity"

// ConfigFindings lists unknown keys and rules in the settings as findings of lint.
func (c *Config) ConfigFindings() []lint.Finding {
	sev := c.LintSettings().SeverityOf(lint.ConfigRule)
	if sev == lint.Off {
		return nil
	}
	var out []lint.Finding
	for _, f := range c.UnknownKeys() {
		f.Rule, f.Severity = lint.ConfigRule, sev
		out = append(out, f)
	}
	return out
}

// UnknownKeys lists unknown keys and rules.
func (c *Config) UnknownKeys() []lint.Finding {
	var out []lint.Finding
	for _, f := range c.Faults {
		if f.Unknown {
			out = append(out, lint.Finding{Rule: RuleUnknownKey, Path: store.ConfigPath, Line: f.Line + 1, Message: f.Msg})
		}
	}
	unknown := c.LintSettings().UnknownRules()
	for _, rule := range slices.Sorted(maps.Keys(unknown)) {
		text := fmt.Sprintf("unknown rule %q", rule) + spec.DidYouMean(unknown[rule])
		line := c.Line("lint", "disable", rule)
		if _, ok := c.Lint.Severity[rule]; ok {
			line = c.Line("lint", "severity", rule)
		}
		out = append(out, lint.Finding{Rule: RuleBadValue, Path: store.ConfigPath, Line: line, Message: text})
	}
	return out
}

// The rules for config.md.
const (
	RuleUnknownKey = "unknown_key"
	RuleBadValue   = "bad_value"
)
