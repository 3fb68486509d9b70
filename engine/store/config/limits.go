package config

import (
	"fmt"
	"time"

	"chant/engine/spec"
)

// limitsConfig is the section `limits` of the settings. What a spec's own `limits` name
// replaces the same here.
type limitsConfig struct {
	Time    time.Duration `yaml:"time" rule:"duration"`    // of an agent, 60m
	Silence time.Duration `yaml:"silence" rule:"duration"` // without output, which ends the agent; 0 = no limit
	Waiting time.Duration `yaml:"waiting" rule:"duration"` // without output until shown as waiting, 5m; 0 = never
	Check   time.Duration `yaml:"check" rule:"duration"`   // of one criterion's command, 10m
	Setup   time.Duration `yaml:"setup" rule:"duration"`   // of one set-up command, 10m
	Cost    spec.Dollars  `yaml:"cost"`                    // of all agents of a spec, US dollars; 0 = no limit
	Tokens  spec.Amount   `yaml:"tokens"`                  // likewise, in and out
	Turns   spec.Amount   `yaml:"turns"`                   // likewise, answers of a model
	Run     SumLimits     `yaml:"run"`                     // of one chant work or chant watch, all its specs together
	Day     SumLimits     `yaml:"day"`                     // of every agent that reported anything since midnight
}

// SumLimits bound many runs together. Once one is met, no agent starts and running agents are stopped.
type SumLimits struct {
	Cost   spec.Dollars  `yaml:"cost"`
	Tokens spec.Amount   `yaml:"tokens"`
	Turns  spec.Amount   `yaml:"turns"`
	Time   time.Duration `yaml:"time" rule:"duration"` // of run: since it began; of day: the sum of its agents
}

// Any reports whether there is a limit.
func (l SumLimits) Any() bool { return l != SumLimits{} }

// LimitReached describes the limit that was reached, "" if none was.
func (l SumLimits) LimitReached(whose string, u spec.Use, took time.Duration) string {
	if l.Time > 0 && took >= l.Time {
		return l.TimeLimitReached(whose, took)
	}
	return spec.Limits{Cost: l.Cost, Tokens: l.Tokens, Turns: l.Turns}.LimitReached(whose, u)
}

// TimeLimitReached describes a limit of time that was reached.
func (l SumLimits) TimeLimitReached(whose string, took time.Duration) string {
	return fmt.Sprintf("time limit of the %s reached: %s of %s", whose, took.Round(time.Second), l.Time)
}
