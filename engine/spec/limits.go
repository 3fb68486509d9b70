package spec

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// Limits bound what agents may use. What is not named is 0, what is named as 0 is less:
// both are no limit, but only the second stands before another one.
type Limits struct {
	Cost   Dollars `yaml:"cost" json:"cost,omitempty"`
	Tokens Amount  `yaml:"tokens" json:"tokens,omitempty"` // in and out, those of caches too
	Turns  Amount  `yaml:"turns" json:"turns,omitempty"`   // answers of a model
	// Time and Silence are of each agent that works at the spec, the others of all of them
	// together.
	Time    Span `yaml:"time" json:"time,omitempty"`
	Silence Span `yaml:"silence" json:"silence,omitempty"`
}

// UnmarshalYAML names the line of a key or a value that means nothing.
func (l *Limits) UnmarshalYAML(node *yaml.Node) error {
	if err := onlyKeys(node, "limits", keysIn("limits")); err != nil {
		return err
	}
	var named struct {
		Cost          *Dollars `yaml:"cost"`
		Tokens, Turns *Amount
		Time, Silence *Wait
	}
	if err := node.Decode(&named); err != nil {
		return err
	}
	*l = Limits{Cost: none(named.Cost), Tokens: none(named.Tokens), Turns: none(named.Turns), Time: Span(none(named.Time)), Silence: Span(none(named.Silence))}
	return nil
}

// MarshalJSON writes what was named.
func (l Limits) MarshalJSON() ([]byte, error) {
	named := map[string]any{}
	for _, limit := range []struct {
		key   string
		value float64
		shown any
	}{
		{"cost", float64(l.Cost), l.Cost}, {"tokens", float64(l.Tokens), l.Tokens}, {"turns", float64(l.Turns), l.Turns},
		{"time", float64(l.Time), l.Time}, {"silence", float64(l.Silence), l.Silence},
	} {
		switch {
		case limit.value > 0:
			named[limit.key] = limit.shown
		case limit.value < 0:
			named[limit.key] = 0
		}
	}
	return json.Marshal(named)
}

// none is a limit that was named: one of 0, which is none, is told from one that was not
// named by being less than nothing.
func none[T ~int | ~int64 | ~float64](named *T) T {
	switch {
	case named == nil:
		return 0
	case *named == 0:
		return -1
	}
	return *named
}

// Wait is a duration from 0.
type Wait time.Duration

// UnmarshalYAML reads a duration such as 90s, or 0; its error names the line.
func (w *Wait) UnmarshalYAML(node *yaml.Node) error {
	if node.Value == "0" {
		*w = 0
		return nil
	}
	return (*Span)(w).UnmarshalYAML(node)
}

// Dollars is an amount of US dollars.
type Dollars float64

// UnmarshalYAML reads an amount from 0; its error names the line.
func (d *Dollars) UnmarshalYAML(node *yaml.Node) error {
	v, err := strconv.ParseFloat(node.Value, 64)
	if err != nil || !(v >= 0) || v > 1e9 {
		return fmt.Errorf("line %d: invalid amount of US dollars %q (use one such as 2.50)", node.Line, node.Value)
	}
	*d = Dollars(v)
	return nil
}

// Amount is a whole number.
type Amount int

// UnmarshalYAML reads a whole number from 0, such as 500000 or 500_000; its error names
// the line.
func (a *Amount) UnmarshalYAML(node *yaml.Node) error {
	v, err := strconv.ParseInt(node.Value, 0, 63)
	if err != nil || v < 0 {
		return fmt.Errorf("line %d: %q is not a whole number from 0", node.Line, node.Value)
	}
	*a = Amount(v)
	return nil
}

// Over lays limits over others: what they do not name, the others say.
func (l Limits) Over(under Limits) Limits {
	return Limits{
		Cost: cmp.Or(l.Cost, under.Cost), Tokens: cmp.Or(l.Tokens, under.Tokens), Turns: cmp.Or(l.Turns, under.Turns),
		Time: cmp.Or(l.Time, under.Time), Silence: cmp.Or(l.Silence, under.Silence),
	}
}

// Share is what one of n has of limits that they have together. Time and silence are of
// each agent anyway.
func (l Limits) Share(n int) Limits {
	if n > 1 {
		l.Cost, l.Tokens, l.Turns = shared(l.Cost, Dollars(n), 0.01), shared(l.Tokens, Amount(n), 1), shared(l.Turns, Amount(n), 1)
	}
	return l
}

func shared[T Dollars | Amount](all, n, least T) T {
	if all <= 0 { // none, or not named
		return all
	}
	return max(all/n, least)
}

// MarshalYAML writes what was named, as it is read again: numbers without an exponent,
// which no Amount may have.
func (l Limits) MarshalYAML() (any, error) {
	named := map[string]any{}
	if l.Cost != 0 {
		named["cost"] = &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.FormatFloat(max(float64(l.Cost), 0), 'f', -1, 64)}
	}
	for key, value := range map[string]Amount{"tokens": l.Tokens, "turns": l.Turns} {
		if value != 0 {
			named[key] = max(int(value), 0)
		}
	}
	for key, value := range map[string]Span{"time": l.Time, "silence": l.Silence} {
		switch {
		case value > 0:
			named[key] = time.Duration(value).String()
		case value < 0:
			named[key] = 0
		}
	}
	return named, nil
}

// Use is what was used of what Limits bound.
type Use struct {
	Cost   *float64 // US dollars; nil when no one knows
	Tokens int
	Turns  int
}

// Met says which limit was met, "" when none was. whose names what is bounded: "spec".
func (l Limits) Met(whose string, u Use) string {
	switch {
	case l.Cost > 0 && u.Cost != nil && *u.Cost >= float64(l.Cost):
		digits := l.Cost.digits()
		return fmt.Sprintf("cost limit of the %s reached: $%.*f of $%.*f", whose, digits, *u.Cost, digits, float64(l.Cost))
	case l.Tokens > 0 && u.Tokens >= int(l.Tokens):
		return fmt.Sprintf("token limit of the %s reached: %d of %d", whose, u.Tokens, l.Tokens)
	case l.Turns > 0 && u.Turns >= int(l.Turns):
		return fmt.Sprintf("turn limit of the %s reached: %d of %d", whose, u.Turns, l.Turns)
	}
	return ""
}

// digits is how many decimals tell a sum of money: two, or four of one that is no whole
// number of cents.
func (d Dollars) digits() int {
	if cents := float64(d) * 100; math.Abs(cents-math.Round(cents)) > 1e-6 {
		return 4
	}
	return 2
}
