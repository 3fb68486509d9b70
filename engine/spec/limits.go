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

// Limits bound what agents may use. A limit that is not set is 0. One that is set to 0, which means unlimited, is
// stored as -1, so that it can override another limit.
type Limits struct {
	Cost   Dollars `yaml:"cost" json:"cost,omitempty"`
	Tokens Amount  `yaml:"tokens" json:"tokens,omitempty"` // in and out, including those of caches
	Turns  Amount  `yaml:"turns" json:"turns,omitempty"`   // answers of a model
	// Time and Silence apply to each agent that works on the spec; the other limits apply to all of them together.
	Time    Span `yaml:"time" json:"time,omitempty"`
	Silence Span `yaml:"silence" json:"silence,omitempty"`
}

// UnmarshalYAML reads limits; its error names the line of an unknown key or an invalid value.
func (l *Limits) UnmarshalYAML(node *yaml.Node) error {
	// Decoding into the struct would ignore an unknown key, and with it a limit that was meant.
	if err := checkKeys(node, "limits", keysIn("limits")); err != nil {
		return err
	}
	// Pointers distinguish a limit of 0 from a limit that is not set.
	var named struct {
		Cost          *Dollars `yaml:"cost"`
		Tokens, Turns *Amount
		Time, Silence *Wait
	}
	if err := node.Decode(&named); err != nil {
		return err
	}
	*l = Limits{Cost: zeroAsNoLimit(named.Cost), Tokens: zeroAsNoLimit(named.Tokens), Turns: zeroAsNoLimit(named.Turns), Time: Span(zeroAsNoLimit(named.Time)), Silence: Span(zeroAsNoLimit(named.Silence))}
	return nil
}

// MarshalJSON writes the limits that are set.
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
			// Readers of JSON get the number that people write.
			named[limit.key] = 0
		}
	}
	return json.Marshal(named)
}

// zeroAsNoLimit returns the stored form of a limit: 0 if it is not set, -1 if it is set to 0, and its value otherwise.
func zeroAsNoLimit[T ~int | ~int64 | ~float64](named *T) T {
	switch {
	case named == nil:
		return 0
	case *named == 0:
		return -1
	}
	return *named
}

// Wait is a duration that may be 0.
type Wait time.Duration

// UnmarshalYAML reads a duration such as 90s, or 0; its error names the line.
func (w *Wait) UnmarshalYAML(node *yaml.Node) error {
	// A duration needs a unit, except here.
	if node.Value == "0" {
		*w = 0
		return nil
	}
	return (*Span)(w).UnmarshalYAML(node)
}

// Dollars is an amount of US dollars.
type Dollars float64

// UnmarshalYAML reads an amount of at least 0; its error names the line.
func (d *Dollars) UnmarshalYAML(node *yaml.Node) error {
	v, err := strconv.ParseFloat(node.Value, 64)
	// A comparison with NaN is always false, so the condition is negated.
	if err != nil || !(v >= 0) || v > 1e9 {
		return fmt.Errorf("line %d: invalid amount of US dollars %q (use one such as 2.50)", node.Line, node.Value)
	}
	*d = Dollars(v)
	return nil
}

// Amount is a number of tokens or turns.
type Amount int

// UnmarshalYAML reads a whole number of at least 0, such as 500000 or 500_000; its error names the line.
func (a *Amount) UnmarshalYAML(node *yaml.Node) error {
	// The base 0 allows underscores between digits.
	v, err := strconv.ParseInt(node.Value, 0, 63)
	if err != nil || v < 0 {
		return fmt.Errorf("line %d: %q is not a whole number from 0", node.Line, node.Value)
	}
	*a = Amount(v)
	return nil
}

// WithDefaults returns the limits of l, with those of under for the ones that l does not set.
func (l Limits) WithDefaults(under Limits) Limits {
	return Limits{
		Cost: cmp.Or(l.Cost, under.Cost), Tokens: cmp.Or(l.Tokens, under.Tokens), Turns: cmp.Or(l.Turns, under.Turns),
		Time: cmp.Or(l.Time, under.Time), Silence: cmp.Or(l.Silence, under.Silence),
	}
}

// Share returns the limits of one of n specs that share them: an nth of cost, tokens and turns, and all of time and
// silence, which apply to each agent.
func (l Limits) Share(n int) Limits {
	if n > 1 {
		l.Cost, l.Tokens, l.Turns = shareOf(l.Cost, Dollars(n), 0.01), shareOf(l.Tokens, Amount(n), 1), shareOf(l.Turns, Amount(n), 1)
	}
	return l
}

func shareOf[T Dollars | Amount](all, n, least T) T {
	// Unlimited, or not set.
	if all <= 0 {
		return all
	}
	// A share of 0 would mean no limit.
	return max(all/n, least)
}

// MarshalYAML writes the limits that are set, in a form that UnmarshalYAML reads.
func (l Limits) MarshalYAML() (any, error) {
	named := map[string]any{}
	if l.Cost != 0 {
		// People edit the file, and an exponent is hard to read there.
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

// Use is what agents have used of cost, tokens and turns.
type Use struct {
	Cost   *float64 // US dollars; nil if unknown
	Tokens int
	Turns  int
}

// LimitReached describes the limit that was reached, "" if none was. whose names what the limits apply to, such as
// "spec".
func (l Limits) LimitReached(whose string, u Use) string {
	switch {
	// Some agents do not report what they cost.
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

// digits returns the number of decimals for printing an amount: 2, or 4 if it is not a whole number of cents.
func (d Dollars) digits() int {
	// The conversion to floating point leaves a remainder for most amounts.
	if cents := float64(d) * 100; math.Abs(cents-math.Round(cents)) > 1e-6 {
		return 4
	}
	return 2
}
