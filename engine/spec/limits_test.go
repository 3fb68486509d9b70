package spec

import (
	"encoding/json"
	"testing"

	"github.com/alecthomas/assert/v2"
	"go.yaml.in/yaml/v3"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	read := func(src string) Limits {
		var l Limits
		if err := yaml.Unmarshal([]byte(src), &l); err != nil {
			t.Errorf("%s: %s", src, err)
		}
		return l
	}
	usual := read("{cost: 2, tokens: 1_000, turns: 9, time: 60m}")
	for src, want := range map[string]string{
		"{}":                         `{"cost":2,"time":"1h0m0s","tokens":1000,"turns":9}`,
		"{cost: 0, time: 0}":         `{"cost":0,"time":0,"tokens":1000,"turns":9}`,
		"{tokens: 5, silence: 30s}":  `{"cost":2,"silence":"30s","time":"1h0m0s","tokens":5,"turns":9}`,
		"{cost: 0.5, turns: 0x10}":   `{"cost":0.5,"time":"1h0m0s","tokens":1000,"turns":16}`,
		"{cost: 0, tokens: 0}":       `{"cost":0,"time":"1h0m0s","tokens":0,"turns":9}`,
		"{silence: 0, turns: 1_000}": `{"cost":2,"silence":0,"time":"1h0m0s","tokens":1000,"turns":1000}`,
	} {
		over := read(src).WithDefaults(usual)
		got, err := json.Marshal(over)
		assert.NoError(t, err, "%s", src)
		assert.Equal(t, want, string(got), "%s", src)
		again, err := yaml.Marshal(over)
		assert.NoError(t, err, "%s: written as %s", src, again)
		assert.Equal(t, over, read(string(again)), "%s: written as %s", src, again)
	}
	for _, src := range []string{"{cost: -1}", "{cost: x}", "{tokens: 1.5}", "{turns: -2}", "{time: soon}", "{money: 1}", "[1]", "{cost: .nan}"} {
		var l Limits
		assert.Error(t, yaml.Unmarshal([]byte(src), &l), "%s is read as %+v", src, l)
	}
	got := read("{cost: 1, tokens: 10, turns: 2, time: 5m}").Share(4)
	assert.Equal(t, 0.25, got.Cost)
	assert.Equal(t, 2, got.Tokens)
	assert.Equal(t, 1, got.Turns)
	assert.NotEqual(t, 0, got.Time)
	got = read("{cost: 0, tokens: 1}").Share(3)
	assert.False(t, got.Cost >= 0, "a third of nothing is %+v", got)
	assert.Equal(t, 1, got.Tokens, "a third of nothing")
}

// A share of any size can be written to a file and read again.
func TestLimits_Share(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 7, 1000} {
		for size := 1; size <= 1e17; size *= 10 {
			for _, all := range []int{size, size - 1, size + 1, 9 * size} {
				cost := min(Dollars(all)/1e6, 1e9)
				want := Limits{Cost: cost, Tokens: Amount(all), Turns: Amount(all / 2), Time: Span(all), Silence: -1}.Share(n)
				text, err := yaml.Marshal(want)
				assert.NoError(t, err)
				var got Limits
				assert.NoError(t, yaml.Unmarshal(text, &got), "%s", text)
				assert.Equal(t, want, got, "%s", text)
			}
		}
	}
}

func TestLimits_LimitReached(t *testing.T) {
	t.Parallel()
	usd := func(v float64) *float64 { return &v }
	l := Limits{Cost: 2, Tokens: 100, Turns: 5}
	for _, tt := range []struct {
		use  Use
		want string
	}{
		{Use{}, ""},
		{Use{Cost: usd(1.99), Tokens: 99, Turns: 4}, ""},
		{Use{Cost: usd(2)}, "cost limit of the spec reached: $2.00 of $2.00"},
		{Use{Tokens: 100}, "token limit of the spec reached: 100 of 100"},
		{Use{Turns: 7}, "turn limit of the spec reached: 7 of 5"},
	} {
		assert.Equal(t, tt.want, l.LimitReached("spec", tt.use), "%+v", tt.use)
	}
	for limit, want := range map[Dollars]string{
		0.001: "$0.0312 of $0.0010", 0.015: "$0.0312 of $0.0150", 0.01: "$0.03 of $0.01", 0.03: "$0.03 of $0.03",
	} {
		assert.Equal(t, "cost limit of the spec reached: "+want, (Limits{Cost: limit}).LimitReached("spec", Use{Cost: usd(0.03123)}), "%v", limit)
	}
	assert.Equal(t, "", (Limits{Cost: -1, Tokens: -1}).LimitReached("spec", Use{Cost: usd(9), Tokens: 9}), "a limit that was lifted")
}
