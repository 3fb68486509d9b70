package config

import (
	"fmt"
	"time"

	"chant/engine/spec"

	"go.yaml.in/yaml/v3"
)

// limitsConfig is the section `limits` of the settings. What a spec's own `limits` name
// counts in place of the same here.
type limitsConfig struct {
	Time    Duration     `yaml:"time"`    // of an agent, 60m
	Silence Duration     `yaml:"silence"` // without output, which ends the agent; 0 = no limit
	Waiting Duration     `yaml:"waiting"` // without output, from which a run shows as waiting, 5m; 0 = never
	Check   Duration     `yaml:"check"`   // of one criterion's command, 10m
	Setup   Duration     `yaml:"setup"`   // of one set-up command, 10m
	Cost    spec.Dollars `yaml:"cost"`    // of all agents of a spec, US dollars; 0 = no limit
	Tokens  spec.Amount  `yaml:"tokens"`  // likewise, in and out
	Turns   spec.Amount  `yaml:"turns"`   // likewise, answers of a model
	Run     SumLimits    `yaml:"run"`     // of one chant work or chant watch, all its specs together
	Day     SumLimits    `yaml:"day"`     // of every agent that was heard of since midnight
}

// SumLimits bound many runs together. With one that was met no agent starts, and those
// at work are stopped.
type SumLimits struct {
	Cost   spec.Dollars `yaml:"cost"`
	Tokens spec.Amount  `yaml:"tokens"`
	Turns  spec.Amount  `yaml:"turns"`
	Time   Duration     `yaml:"time"` // of run: since it began; of day: what agents took together
}

// UnmarshalYAML implements yaml.Unmarshaler; its error names the line.
func (l *SumLimits) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: these limits are a mapping of cost, tokens, turns and time", node.Line)
	}
	type plain SumLimits
	return node.Decode((*plain)(l))
}

// Met says which limit was met, "" when none was.
func (l SumLimits) Met(whose string, u spec.Use, took time.Duration) string {
	if limit := time.Duration(l.Time); limit > 0 && took >= limit {
		return l.Late(whose, took)
	}
	return spec.Limits{Cost: l.Cost, Tokens: l.Tokens, Turns: l.Turns}.LimitReached(whose, u)
}

// Late says that the limit of time was met.
func (l SumLimits) Late(whose string, took time.Duration) string {
	return fmt.Sprintf("time limit of the %s reached: %s of %s", whose, took.Round(time.Second), time.Duration(l.Time))
}
