package config

import (
	"slices"
	"strings"

	"chant/engine/shape"
	"chant/engine/spec"
)

// Line is where the key of the settings stands that these lead to, or the last of them
// that is there.
func (c *Config) Line(keys ...string) int { return shape.Line(&c.root, keys...) + 1 } // the fence

// Faulty reports whether a key of the settings, what it stands in or something in it could
// not be read. What stands in its place then is nothing that anybody has chosen.
func (c *Config) Faulty(key string) bool {
	return c.Broken != nil || slices.ContainsFunc(c.Faults, func(f shape.Fault) bool {
		return !f.Unknown && (f.Key == key || strings.HasPrefix(f.Key, key+".") || strings.HasPrefix(key, f.Key+"."))
	})
}

// ConfigLaw is what the type Config does not say of the keys of config.md.
func ConfigLaw() shape.Law {
	l := shape.Law{Known: olderKeys(), Above: 1} // the fence
	shape.Outline[spec.Checks, checksForm](&l)
	shape.Outline[spec.Command, commandForm](&l)
	shape.Outline[PoolAgents, []poolAgent](&l)
	shape.Outline[DerivedKeys, map[string]derivedForm](&l)
	return l
}

// olderKeys are those that the older chant reads and that do no harm here.
func olderKeys() []string {
	return []string{"agents", "repos", "silent", "site", "project.silent", "defaults.create_branch"}
}

// commandForm has the keys of a command under verify.
type commandForm struct {
	Run       string `yaml:"run"`
	Name      string `yaml:"name"`
	spec.Ways `yaml:",inline"`
}

// checksForm has the keys of verify, which may be one command alone.
type checksForm struct {
	Commands    []spec.Command  `yaml:"commands"`
	Defaults    []spec.Command  `yaml:"defaults"`
	Protect     spec.StringList `yaml:"protect"`
	Pass        spec.StringList `yaml:"pass"`
	Require     bool            `yaml:"require"`
	commandForm `yaml:",inline"`
}

// derivedForm has the keys of one derived field.
type derivedForm struct {
	From     string `yaml:"from"`
	Pattern  string `yaml:"pattern"`
	Validate struct {
		Type   string          `yaml:"type"`
		Values spec.StringList `yaml:"values"`
	} `yaml:"validate"`
}
