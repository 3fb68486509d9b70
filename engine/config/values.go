package config

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"

	"chant/engine/schedule"
	"chant/engine/spec"

	"go.yaml.in/yaml/v3"
)

// Values that say by line what is wrong with them.
type (
	Count        int
	Milliseconds time.Duration
	Interval     Milliseconds
	minutes      Count
	Factor       float64
	rotation     schedule.Rotation
	AfterFailure schedule.AfterFailure
	Pattern      struct{ *regexp.Regexp }
	idPrefix     string
)

// UnmarshalYAML reads a whole number from 0.
func (c *Count) UnmarshalYAML(node *yaml.Node) error {
	n, err := strconv.Atoi(node.Value)
	if err != nil || n < 0 {
		return fmt.Errorf("line %d: %q is not a whole number from 0", node.Line, node.Value)
	}
	*c = Count(n)
	return nil
}

// longestSetting bounds what is counted in parts of a time: two of them together are still
// a time.Duration.
const longestSetting = 365 * 24 * time.Hour

// timesOf reads a whole number of units, from 0 to a year.
func timesOf(node *yaml.Node, unit time.Duration) (Count, error) {
	var c Count
	if err := c.UnmarshalYAML(node); err != nil {
		return 0, err
	}
	if int64(c) > int64(longestSetting/unit) {
		return 0, fmt.Errorf("line %d: %q is longer than a year", node.Line, node.Value)
	}
	return c, nil
}

// UnmarshalYAML reads a whole number of milliseconds from 0.
func (m *Milliseconds) UnmarshalYAML(node *yaml.Node) error {
	c, err := timesOf(node, time.Millisecond)
	*m = Milliseconds(time.Duration(c) * time.Millisecond)
	return err
}

// UnmarshalYAML reads a whole number of milliseconds from 1: without a pause there is no
// interval.
func (i *Interval) UnmarshalYAML(node *yaml.Node) error {
	if err := (*Milliseconds)(i).UnmarshalYAML(node); err != nil {
		return err
	}
	if *i == 0 {
		return fmt.Errorf("line %d: %q is not a whole number from 1", node.Line, node.Value)
	}
	return nil
}

// UnmarshalYAML reads a whole number of minutes from 0.
func (m *minutes) UnmarshalYAML(node *yaml.Node) error {
	c, err := timesOf(node, time.Minute)
	*m = minutes(c)
	return err
}

// UnmarshalYAML reads a number from 1.
func (f *Factor) UnmarshalYAML(node *yaml.Node) error {
	n, err := strconv.ParseFloat(node.Value, 64)
	if err != nil || !(n >= 1) || math.IsInf(n, 0) {
		return fmt.Errorf("line %d: invalid number %q (use one from 1)", node.Line, node.Value)
	}
	*f = Factor(n)
	return nil
}

// UnmarshalYAML reads a rotation.
func (r *rotation) UnmarshalYAML(node *yaml.Node) error {
	known, err := schedule.ParseRotation(node.Value)
	*r = rotation(known)
	return atLine(node, err)
}

// UnmarshalYAML reads what follows on a failure for good.
func (f *AfterFailure) UnmarshalYAML(node *yaml.Node) error {
	known, err := schedule.ParseAfterFailure(node.Value)
	*f = AfterFailure(known)
	return atLine(node, err)
}

// UnmarshalYAML compiles a regular expression.
func (p *Pattern) UnmarshalYAML(node *yaml.Node) (err error) {
	p.Regexp, err = regexp.Compile(node.Value)
	return atLine(node, err)
}

// UnmarshalYAML reads what ids may begin with: one that no file or branch can have would
// make specs that no command takes.
func (p *idPrefix) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.ScalarNode {
		return fmt.Errorf("line %d: a prefix of ids is a text", node.Line)
	}
	longest := spec.ID{Prefix: node.Value, Date: spec.DateLayout, Suffix: "abc", Members: []int{100, 100, 100}}
	if bad, ok := errors.AsType[*spec.IDError](spec.ValidName(longest.String())); ok {
		return fmt.Errorf("line %d: %q cannot begin an id, which %s", node.Line, spec.Echo(node.Value), bad.Msg)
	}
	*p = idPrefix(node.Value)
	return nil
}

// allWrong is one error of all that is wrong, each with its line: the YAML package tells of
// them all, where any other error ends the reading. It is nil for none.
func allWrong(wrong []string) error {
	if len(wrong) == 0 {
		return nil
	}
	return &yaml.TypeError{Errors: wrong}
}

func atLine(node *yaml.Node, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("line %d: %w", node.Line, err)
}
