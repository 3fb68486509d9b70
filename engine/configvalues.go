package engine

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"chant/engine/schedule"

	"go.yaml.in/yaml/v3"
)

// Values that say by line what is wrong with them.
type (
	count        int
	milliseconds time.Duration
	factor       float64
	rotation     schedule.Rotation
	afterFailure schedule.AfterFailure
	pattern      struct{ *regexp.Regexp }
)

// UnmarshalYAML reads a whole number from 0.
func (c *count) UnmarshalYAML(node *yaml.Node) error {
	n, err := strconv.Atoi(node.Value)
	if err != nil || n < 0 {
		return fmt.Errorf("line %d: %q is no whole number from 0", node.Line, node.Value)
	}
	*c = count(n)
	return nil
}

// UnmarshalYAML reads a whole number of milliseconds from 0.
func (m *milliseconds) UnmarshalYAML(node *yaml.Node) error {
	var c count
	err := c.UnmarshalYAML(node)
	*m = milliseconds(time.Duration(c) * time.Millisecond)
	return err
}

// UnmarshalYAML reads a number from 1.
func (f *factor) UnmarshalYAML(node *yaml.Node) error {
	n, err := strconv.ParseFloat(node.Value, 64)
	if err != nil || !(n >= 1) {
		return fmt.Errorf("line %d: %q is no number from 1", node.Line, node.Value)
	}
	*f = factor(n)
	return nil
}

// UnmarshalYAML reads a rotation.
func (r *rotation) UnmarshalYAML(node *yaml.Node) error {
	known, err := schedule.ParseRotation(node.Value)
	*r = rotation(known)
	return atLine(node, err)
}

// UnmarshalYAML reads what follows on a failure for good.
func (f *afterFailure) UnmarshalYAML(node *yaml.Node) error {
	known, err := schedule.ParseAfterFailure(node.Value)
	*f = afterFailure(known)
	return atLine(node, err)
}

// UnmarshalYAML compiles a regular expression.
func (p *pattern) UnmarshalYAML(node *yaml.Node) (err error) {
	p.Regexp, err = regexp.Compile(node.Value)
	return atLine(node, err)
}

func atLine(node *yaml.Node, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("line %d: %w", node.Line, err)
}
