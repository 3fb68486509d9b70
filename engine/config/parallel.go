package config

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"chant/engine/schedule"
	"chant/engine/shape"
	"chant/engine/store"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// parallelConfig is the section `parallel` of the settings; its keys are those of
// the older chant.
type parallelConfig struct {
	MaxConcurrent Count        `yaml:"max_concurrent"` // runs side by side where --parallel names no number
	Agents        PoolAgents   `yaml:"agents"`
	Rotation      rotation     `yaml:"rotation"`
	Stagger       Milliseconds `yaml:"stagger_delay_ms"`
	Jitter        Milliseconds `yaml:"stagger_jitter_ms"`
}

// RetryConfig is the section `retry`, or `watch.failure` as the older chant has it.
type RetryConfig struct {
	Max      *Count        `yaml:"max_retries"`
	Delay    *Milliseconds `yaml:"retry_delay_ms"`
	Factor   *Factor       `yaml:"backoff_multiplier"`
	Patterns *[]Pattern    `yaml:"retryable_patterns"`
	Finally  AfterFailure  `yaml:"on_permanent_failure"`
}

// Policy lays the settings over the default policy.
func (c RetryConfig) Policy() schedule.Retry {
	p := schedule.DefaultRetry()
	if c.Max != nil {
		p.Max = int(*c.Max)
	}
	if c.Delay != nil {
		p.Delay = time.Duration(*c.Delay)
	}
	if c.Factor != nil {
		p.Factor = float64(*c.Factor)
	}
	if c.Patterns != nil {
		p.Patterns = nil
		for _, known := range *c.Patterns {
			p.Patterns = append(p.Patterns, known.Regexp)
		}
	}
	p.Finally = cmp.Or(schedule.AfterFailure(c.Finally), p.Finally)
	return p
}

// poolAgent is one agent of `parallel.agents`.
type poolAgent struct {
	Name          string `yaml:"name"`
	Provider      string `yaml:"provider"`
	Command       string `yaml:"command"` // a program that takes the flags of claude
	Model         string `yaml:"model"`
	MaxConcurrent Count  `yaml:"max_concurrent"` // 0 = no limit
	Weight        Count  `yaml:"weight"`         // 0 = 1, at most heaviest

	Line int `yaml:"-"` // of the YAML
}

// heaviest is the largest weight of an agent.
const heaviest = 100

// UnmarshalYAML implements yaml.Unmarshaler; its error names everything that is wrong, by
// line. It refuses what could not be started.
func (a *poolAgent) UnmarshalYAML(node *yaml.Node) error {
	type plain poolAgent
	if err := node.Decode((*plain)(a)); err != nil {
		return err
	}
	a.Line = node.Line
	a.Name = cmp.Or(a.Name, a.Provider, filepath.Base(a.Command))
	var wrong []string
	switch {
	case a.Provider == "" && a.Command == "":
		wrong = append(wrong, fmt.Sprintf("line %d: agent %q names neither a provider nor a command", node.Line, a.Name))
	case a.Provider != "" && a.Command != "":
		wrong = append(wrong, fmt.Sprintf("line %d: agent %q names both a provider and a command", node.Line, a.Name))
	}
	if a.Weight > heaviest {
		wrong = append(wrong, fmt.Sprintf("line %d: agent %q weighs more than %d", max(node.Line, shape.Line(node, "weight")), a.Name, heaviest))
	}
	return allWrong(wrong)
}

// PoolAgents refuses what could not be told apart.
type PoolAgents []poolAgent

// UnmarshalYAML implements yaml.Unmarshaler; its error names everything that is wrong with
// the agents, and each second one of a name, by line.
func (l *PoolAgents) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.SequenceNode {
		return node.Decode((*[]poolAgent)(l))
	}
	var wrong []string
	*l, wrong = readAgents(node.Content)
	return allWrong(wrong)
}

// readAgents reads a pool: the agents that are right, the first of each name, and what is
// wrong with the others.
func readAgents(items []*yaml.Node) (l PoolAgents, wrong []string) {
	for _, item := range items {
		var a poolAgent
		err := item.Decode(&a)
		if several, ok := errors.AsType[*yaml.TypeError](err); ok {
			wrong = append(wrong, several.Errors...)
		} else if err != nil {
			wrong = append(wrong, err.Error())
		} else if _, taken := l.Named(a.Name); taken {
			wrong = append(wrong, fmt.Sprintf("line %d: a second agent is called %q", item.Line, a.Name))
		} else {
			l = append(l, a)
		}
	}
	return l, wrong
}

// eachOnce are the agents of a config.md that are right, the first of each name.
func eachOnce(src []byte) PoolAgents {
	var of struct {
		Parallel struct{ Agents yaml.Node }
	}
	doc, err := markdown.Parse(store.ConfigPath, src)
	if err == nil {
		err = doc.Decode(&of)
	}
	if err != nil {
		return nil // of which is told where it stands
	}
	l, _ := readAgents(of.Parallel.Agents.Content)
	return l
}

// Named finds an agent by its name.
func (l PoolAgents) Named(name string) (poolAgent, bool) {
	i := slices.IndexFunc(l, func(a poolAgent) bool { return a.Name == name })
	if i < 0 {
		return poolAgent{}, false
	}
	return l[i], true
}
