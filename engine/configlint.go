package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"chant/engine/lint"
	"chant/engine/spec"
	"chant/engine/store"

	"go.yaml.in/yaml/v3"
)

// lintConfig is the section `lint` of the settings.
type lintConfig struct {
	Thresholds lintThresholds          `yaml:"thresholds"`
	Disable    spec.StringList         `yaml:"disable"`
	Severity   map[string]lintSeverity `yaml:"severity"`

	unknown []string // keys that mean nothing
}

// lintThresholds are sizes; 0 is no limit, absent is the usual one.
type lintThresholds struct {
	Criteria *count `yaml:"criteria"`
	Files    *count `yaml:"files"`
	Words    *count `yaml:"words"`
}

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line.
func (c *lintConfig) UnmarshalYAML(node *yaml.Node) error {
	type plain lintConfig
	if err := node.Decode((*plain)(c)); err != nil {
		return err
	}
	c.unknown = unknownKeys(node, "lint", "thresholds", "disable", "severity")
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == "thresholds" {
			c.unknown = append(c.unknown, unknownKeys(node.Content[i+1], "lint.thresholds", "criteria", "files", "words")...)
		}
	}
	return nil
}

// unknownKeys lists the keys of a mapping that are none of these, below a name.
func unknownKeys(node *yaml.Node, name string, known ...string) []string {
	var out []string
	if node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(node.Content); i += 2 {
		if key := node.Content[i].Value; !slices.Contains(known, key) {
			out = append(out, name+"."+key)
		}
	}
	return out
}

// lintSeverity is a severity of the settings: error, warning or off.
type lintSeverity lint.Severity

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line.
func (s *lintSeverity) UnmarshalYAML(node *yaml.Node) error {
	word := strings.ToLower(node.Value)
	if node.Value == "false" || word == "no" { // an unquoted off, as some editors write it back
		word = string(lint.Off)
	}
	if !slices.Contains([]lint.Severity{lint.Error, lint.Warning, lint.Off}, lint.Severity(word)) {
		return fmt.Errorf("line %d: %q is no severity (one of error, warning, off)", node.Line, node.Value)
	}
	*s = lintSeverity(word)
	return nil
}

// lintSettings lays what the project says over the usual settings.
func (c *Config) lintSettings() lint.Settings {
	s := lint.Defaults()
	for _, t := range []struct {
		have *count
		at   *int
	}{{c.Lint.Thresholds.Criteria, &s.Criteria}, {c.Lint.Thresholds.Files, &s.Files}, {c.Lint.Thresholds.Words, &s.Words}} {
		if t.have != nil {
			*t.at = int(*t.have)
		}
	}
	for _, rule := range c.Lint.Disable {
		s.Severity[rule] = lint.Off
	}
	for rule, sev := range c.Lint.Severity {
		s.Severity[rule] = lint.Severity(sev)
	}
	s.Required = c.Enterprise.Required
	for _, key := range c.Enterprise.Derived {
		s.Known = append(s.Known, key.Key)
	}
	return s
}

// configFindings are what is odd about the settings.
func (c *Config) configFindings() []lint.Finding {
	settings := c.lintSettings()
	var out []lint.Finding
	add := func(key, format string, args ...any) {
		if sev := settings.Of(lint.ConfigRule); sev != lint.Off {
			out = append(out, lint.Finding{Rule: lint.ConfigRule, Severity: sev, Path: store.ConfigPath, Line: c.lines[key], Message: fmt.Sprintf(format, args...)})
		}
	}
	for _, key := range c.unknown {
		add(key, "unknown key %q does nothing", key)
	}
	for _, key := range c.Lint.unknown {
		add("lint", "unknown key %q does nothing", key)
	}
	unknown := settings.Unknown()
	for _, rule := range slices.Sorted(maps.Keys(unknown)) {
		if meant := unknown[rule]; meant != "" {
			add("lint", "unknown rule %q; did you mean %q?", rule, meant)
			continue
		}
		add("lint", "unknown rule %q", rule)
	}
	return out
}
