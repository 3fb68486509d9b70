package config

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"chant/engine/spec/schedule"
	"chant/engine/store/shape"

	"go.yaml.in/yaml/v3"
)

// parallelConfig is the section `parallel` of the settings; its keys are those of
// the older chant.
type parallelConfig struct {
	MaxConcurrent int               `yaml:"max_concurrent" rule:"count"` // runs side by side without --parallel
	Agents        PoolAgents        `yaml:"agents"`
	Rotation      schedule.Rotation `yaml:"rotation" rule:"rotation"`
	Stagger       time.Duration     `yaml:"stagger_delay_ms" rule:"milliseconds"`
	Jitter        time.Duration     `yaml:"stagger_jitter_ms" rule:"milliseconds"`
}

// RetryConfig is the section `retry`, which the older chant has in `watch.failure`.
type RetryConfig struct {
	Max      *int                  `yaml:"max_retries" rule:"count"`
	Delay    *time.Duration        `yaml:"retry_delay_ms" rule:"milliseconds"`
	Factor   *float64              `yaml:"backoff_multiplier" rule:"factor"`
	Patterns *[]*regexp.Regexp     `yaml:"retryable_patterns" rule:"regexp"`
	Finally  schedule.AfterFailure `yaml:"on_permanent_failure" rule:"after_failure"`
}

// Policy returns the default policy with the values of the settings.
func (c RetryConfig) Policy() schedule.Retry {
	p := schedule.DefaultRetry()
	if c.Max != nil {
		p.Max = *c.Max
	}
	if c.Delay != nil {
		p.Delay = *c.Delay
	}
	if c.Factor != nil {
		p.Factor = *c.Factor
	}
	if c.Patterns != nil {
		p.Patterns = *c.Patterns
	}
	p.Finally = cmp.Or(c.Finally, p.Finally)
	return p
}

// poolAgent is one agent of `parallel.agents`.
type poolAgent struct {
	Name          string `yaml:"name"`
	Provider      string `yaml:"provider"`
	Command       string `yaml:"command"` // a program that takes the flags of claude
	Model         string `yaml:"model"`
	MaxConcurrent int    `yaml:"max_concurrent" rule:"count"` // 0 = no limit
	Weight        int    `yaml:"weight" rule:"count"`         // 0 = 1, at most maxWeight

	Line int `yaml:"-"` // of the YAML
}

// maxWeight is the largest weight of an agent.
const maxWeight = 100

// CheckWhole implements shape.Whole. It reports agents that could not be started.
func (a *poolAgent) CheckWhole(node *yaml.Node, report shape.Report) {
	a.Line = node.Line
	// A name is derived, so that a pool need not name each of its agents.
	a.Name = cmp.Or(a.Name, a.Provider, filepath.Base(a.Command))
	switch {
	case a.Provider == "" && a.Command == "":
		report(node.Line, "agent %q names neither a provider nor a command", a.Name)
	case a.Provider != "" && a.Command != "":
		report(node.Line, "agent %q names both a provider and a command", a.Name)
	}
	if a.Weight > maxWeight {
		report(max(node.Line, shape.Line(node, "weight")), "agent %q weighs more than %d", a.Name, maxWeight)
	}
}

// PoolAgents are the agents of a pool, each with a name of its own.
type PoolAgents []poolAgent

// CheckWhole implements shape.Whole. It keeps the first agent of each name.
func (l *PoolAgents) CheckWhole(_ *yaml.Node, report shape.Report) {
	var distinct PoolAgents
	for _, a := range *l {
		if _, taken := distinct.Find(a.Name); taken {
			report(a.Line, "a second agent is called %q", a.Name)
		} else {
			distinct = append(distinct, a)
		}
	}
	*l = distinct
}

// Find finds an agent by its name.
func (l PoolAgents) Find(name string) (poolAgent, bool) {
	i := slices.IndexFunc(l, func(a poolAgent) bool { return a.Name == name })
	if i < 0 {
		return poolAgent{}, false
	}
	return l[i], true
}
